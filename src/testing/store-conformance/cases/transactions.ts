import type { Transaction } from '../../../resource/capabilities/transactions.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectListed } from '../case-declaration.js'
import { conflictsOf, type DirectStore } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

const refused = new Error('The work of a transaction was given up.')

function create(store: DirectStore, code: string, transaction: Transaction): Promise<unknown> {
  return store.create('playlists', { code, title: code }, transaction)
}

/** What some work is refused with. */
async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (thrown) {
    return thrown
  }
  throw new Error('Expected that the work rejects, and it did not.')
}

/** Which of these playlists anybody sees. */
export async function kept(store: DirectStore, ...codes: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const code of codes) if ((await store.find('playlists', code)) !== null) found.push(code)
  return found
}

const alone = casesWith(['transactions'], {
  async 'what a transaction keeps is there for everybody once it is over'({ store }) {
    const answer = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      await create(store, 'b', transaction)
      return 'the answer'
    })
    expectSame('What the transaction answers', answer, 'the answer')
    expectSame('What is kept', await kept(store, 'a', 'b'), ['a', 'b'])
  },
  async 'what a transaction undoes was never there'({ api, store }) {
    const work = store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      throw refused
    })
    if ((await thrownBy(work)) !== refused) throw new Error('The transaction rejects with another error than its work.')
    expectSame('What is kept', await kept(store, 'a'), [])
    await expectListed({ api }, '/playlists', ['empty', 'home', 'road'])
  },
  async 'reads in a transaction see what it has written'({ store }) {
    const found = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      return store.find('playlists', 'a', { transaction })
    })
    expectSame('What is found in the transaction', found, { code: 'a', title: 'a' })
  },
  async 'lists that are read in a transaction have what it has written'({ store }) {
    const rows = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      return store.list('playlists', transaction)
    })
    const codes = rows.map(({ code }) => String(code))
    expectSame('The playlists that are read in the transaction', codes.toSorted(), ['a', 'empty', 'home', 'road'])
  },
  async 'a store works after a transaction that was undone'({ store }) {
    await thrownBy(store.transactions.run((transaction) => create(store, 'road', transaction)))
    await store.transactions.run((transaction) => create(store, 'a', transaction))
    expectSame('What is kept', await kept(store, 'a'), ['a'])
  },
  async 'transactions beside each other all keep what they wrote'({ store }) {
    const codes = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(codes.map((code) => store.transactions.run((transaction) => create(store, code, transaction))))
    expectSame('What is kept', await kept(store, ...codes), codes)
  },
})

const inside = casesWith(['transactions'], {
  async 'a transaction inside another is kept with it'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      await store.transactions.run((inner) => create(store, 'b', inner), outer)
    })
    expectSame('What is kept', await kept(store, 'a', 'b'), ['a', 'b'])
  },
  async 'a transaction inside another is undone alone, and the other goes on'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      const work = store.transactions.run(async (inner) => {
        await create(store, 'b', inner)
        throw refused
      }, outer)
      await thrownBy(work)
      await create(store, 'c', outer)
    })
    expectSame('What is kept', await kept(store, 'a', 'b', 'c'), ['a', 'c'])
  },
  async 'a transaction inside another is undone with it'({ store }) {
    const work = store.transactions.run(async (outer) => {
      await store.transactions.run((inner) => create(store, 'a', inner), outer)
      throw refused
    })
    await thrownBy(work)
    expectSame('What is kept', await kept(store, 'a'), [])
  },
  async 'a transaction goes on after a conflict of one inside it'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      await conflictsOf(() => store.transactions.run((inner) => create(store, 'road', inner), outer))
      const found = await store.find('playlists', 'a', { transaction: outer })
      expectSame('What is found in the transaction', found, { code: 'a', title: 'a' })
      await create(store, 'b', outer)
    })
    expectSame('What is kept', await kept(store, 'a', 'b'), ['a', 'b'])
  },
})

const ofRelated = casesWith(['transactions', 'relations'], {
  async 'related rows in a transaction are those that it has written'({ store }) {
    const owner = await store.row('artists', '4')
    const { rows, count } = await store.transactions.run(async (transaction) => {
      await store.create('albums', { title: 'New', artistId: owner['id'] }, transaction)
      return store.related('artists', 'albums', owner, transaction)
    })
    const titles = rows.map(({ title }) => title)
    expectSame('The titles of the albums that are read in the transaction', titles, ['New'])
    if (count !== null) expectSame('How many are counted in the transaction', count, 1)
  },
})

/** How long one that reads what another will change is waited for: one that is kept waiting does not come. */
const patience = 40

const locking = casesWith(['locks'], {
  async 'a row that is read to be changed is changed by one at a time'({ store }) {
    const key = await store.key('albums', '1')
    const [first, second] = [reached(), reached()]
    const addDisc = (hasRead: () => Promise<void>) =>
      store.transactions.run(async (transaction) => {
        const row = await store.find('albums', '1', { transaction, forChange: true })
        await hasRead()
        await store.update('albums', key, { discs: Number(row?.['discs']) + 1 }, transaction)
      })
    const one = addDisc(() => {
      first.reach()
      return Promise.race([second.there, new Promise<void>((resolve) => setTimeout(resolve, patience))])
    })
    await Promise.race([first.there, one])
    // From here, and not from the work of the first: a store may take what that begins for a part of it.
    await Promise.all([one, addDisc(async () => second.reach())])
    expectSame('The discs of an album of one to which two add one each', (await store.row('albums', '1'))['discs'], 3)
  },
})

function reached(): { readonly there: Promise<void>; readonly reach: () => void } {
  const waiting: (() => void)[] = []
  const there = new Promise<void>((resolve) => waiting.push(resolve))
  return { there, reach: () => waiting.forEach((resolve) => resolve()) }
}

/** What is kept and undone together. */
export const transactionCases: readonly CaseDeclaration[] = [...alone, ...inside, ...ofRelated, ...locking]
