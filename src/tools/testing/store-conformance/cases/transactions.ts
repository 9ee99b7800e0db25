import type { Transaction } from '../../../../declare/resource/request/transactions.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds } from '../case-declaration.js'
import { conflictsOf, type DirectStore } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

const workError = new Error('The work of the transaction failed.')

function create(store: DirectStore, code: string, transaction: Transaction): Promise<unknown> {
  return store.create('playlists', { code, title: code }, transaction)
}

/** Returns the error of work that must fail. */
async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (thrown) {
    return thrown
  }
  throw new Error('Expected the work to reject, but it did not.')
}

/** Returns which of these playlists are visible outside transactions. */
export async function committedPlaylists(store: DirectStore, ...codes: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const code of codes) if ((await store.find('playlists', code)) !== null) found.push(code)
  return found
}

const single = casesNeeding(['transactions'], {
  async 'committed rows are visible outside the transaction'({ store }) {
    const result = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      await create(store, 'b', transaction)
      return 'the result'
    })
    expectSame('The result of the transaction', result, 'the result')
    expectSame('The committed playlists', await committedPlaylists(store, 'a', 'b'), ['a', 'b'])
  },
  async 'a rollback removes the rows of the transaction'({ api, store }) {
    const work = store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      throw workError
    })
    if ((await thrownBy(work)) !== workError)
      throw new Error('The transaction rejects with another error than its work.')
    expectSame('The committed playlists', await committedPlaylists(store, 'a'), [])
    await expectIds({ api }, '/playlists', ['empty', 'home', 'road'])
  },
  async 'reads in a transaction see its writes'({ store }) {
    const found = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      return store.find('playlists', 'a', { transaction })
    })
    expectSame('The playlist in the transaction', found, { code: 'a', title: 'a' })
  },
  async 'lists in a transaction include its writes'({ store }) {
    const rows = await store.transactions.run(async (transaction) => {
      await create(store, 'a', transaction)
      return store.list('playlists', transaction)
    })
    const codes = rows.map(({ code }) => String(code))
    expectSame('The playlists in the transaction', codes.toSorted(), ['a', 'empty', 'home', 'road'])
  },
  async 'a store works after a rollback'({ store }) {
    await thrownBy(store.transactions.run((transaction) => create(store, 'road', transaction)))
    await store.transactions.run((transaction) => create(store, 'a', transaction))
    expectSame('The committed playlists', await committedPlaylists(store, 'a'), ['a'])
  },
  async 'concurrent transactions all commit their writes'({ store }) {
    const codes = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(codes.map((code) => store.transactions.run((transaction) => create(store, code, transaction))))
    expectSame('The committed playlists', await committedPlaylists(store, ...codes), codes)
  },
})

const nested = casesNeeding(['transactions'], {
  async 'a nested transaction is committed with the outer one'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      await store.transactions.run((inner) => create(store, 'b', inner), outer)
    })
    expectSame('The committed playlists', await committedPlaylists(store, 'a', 'b'), ['a', 'b'])
  },
  async 'a nested transaction is rolled back by itself, and the outer one continues'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      const work = store.transactions.run(async (inner) => {
        await create(store, 'b', inner)
        throw workError
      }, outer)
      await thrownBy(work)
      await create(store, 'c', outer)
    })
    expectSame('The committed playlists', await committedPlaylists(store, 'a', 'b', 'c'), ['a', 'c'])
  },
  async 'a nested transaction is rolled back with the outer one'({ store }) {
    const work = store.transactions.run(async (outer) => {
      await store.transactions.run((inner) => create(store, 'a', inner), outer)
      throw workError
    })
    await thrownBy(work)
    expectSame('The committed playlists', await committedPlaylists(store, 'a'), [])
  },
  async 'a transaction continues after a conflict in a nested one'({ store }) {
    await store.transactions.run(async (outer) => {
      await create(store, 'a', outer)
      await conflictsOf(() => store.transactions.run((inner) => create(store, 'road', inner), outer))
      const found = await store.find('playlists', 'a', { transaction: outer })
      expectSame('The playlist in the transaction', found, { code: 'a', title: 'a' })
      await create(store, 'b', outer)
    })
    expectSame('The committed playlists', await committedPlaylists(store, 'a', 'b'), ['a', 'b'])
  },
})

const related = casesNeeding(['transactions', 'relations'], {
  async 'related rows in a transaction include its writes'({ store }) {
    const owner = await store.row('artists', '4')
    const { rows, count } = await store.transactions.run(async (transaction) => {
      await store.create('albums', { title: 'New', artistId: owner['id'] }, transaction)
      return store.related('artists', 'albums', owner, transaction)
    })
    const titles = rows.map(({ title }) => title)
    expectSame('The titles of the related albums in the transaction', titles, ['New'])
    if (count !== null) expectSame('The count in the transaction', count, 1)
  },
})

/**
 * The time in ms that the first transaction waits for the second one to read. With a lock, the second one does not read.
 */
const waitMs = 40

const locking = casesNeeding(['locks'], {
  async 'a row that is read with forChange is changed by one transaction at a time'({ store }) {
    const key = await store.key('albums', '1')
    const [first, second] = [signal(), signal()]
    const addDisc = (hasRead: () => Promise<void>) =>
      store.transactions.run(async (transaction) => {
        const row = await store.find('albums', '1', { transaction, forChange: true })
        await hasRead()
        await store.update('albums', key, { discs: Number(row?.['discs']) + 1 }, transaction)
      })
    const one = addDisc(() => {
      first.send()
      return Promise.race([second.received, new Promise<void>((resolve) => setTimeout(resolve, waitMs))])
    })
    await Promise.race([first.received, one])
    // The second transaction starts here and not in the work of the first: a store may treat that as a nested
    // transaction.
    await Promise.all([one, addDisc(async () => second.send())])
    expectSame(
      'The discs of an album with 1 disc, after two transactions that add one each',
      (await store.row('albums', '1'))['discs'],
      3,
    )
  },
})

function signal(): { readonly received: Promise<void>; readonly send: () => void } {
  const waiting: (() => void)[] = []
  const received = new Promise<void>((resolve) => waiting.push(resolve))
  return { received, send: () => waiting.forEach((resolve) => resolve()) }
}

/** Cases of commits, rollbacks, nested transactions and locks. */
export const transactionCases: readonly CaseDeclaration[] = [...single, ...nested, ...related, ...locking]
