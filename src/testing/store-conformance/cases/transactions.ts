import { ATOMIC_EXTENSION, MEDIA_TYPE } from '../../../document/media-type.js'
import type { Transaction } from '../../../resource/capabilities/transactions.js'
import { expectErrors } from '../../expect-errors.js'
import type { TestClient } from '../../test-client.js'
import type { TestResource, TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectDone, expectListed, shown } from '../case-declaration.js'
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
async function kept(store: DirectStore, ...codes: readonly string[]): Promise<readonly string[]> {
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
      return store.find('playlists', 'a', transaction)
    })
    expectSame('What is found in the transaction', found, { code: 'a', title: 'a' })
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
      expectSame('What is found in the transaction', await store.find('playlists', 'a', outer), {
        code: 'a',
        title: 'a',
      })
      await create(store, 'b', outer)
    })
    expectSame('What is kept', await kept(store, 'a', 'b'), ['a', 'b'])
  },
})

const mediaType = `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`

function batch(api: TestClient, operations: readonly object[]): Promise<TestResponse> {
  const headers = { Accept: mediaType, 'Content-Type': mediaType }
  return api.post('/operations', { headers, body: { 'atomic:operations': operations } })
}

const addition = (type: string, attributes: object, id?: string) => ({
  op: 'add',
  data: { type, ...(id === undefined ? {} : { id }), attributes },
})

const batches = casesWith(['transactions'], {
  async 'the writes of a batch are kept together'({ api }) {
    const operations = [
      addition('playlists', { title: 'A' }, 'a'),
      { op: 'update', data: { type: 'artists', id: '4', attributes: { country: 'FR' } } },
      { op: 'remove', ref: { type: 'albums', id: '7' } },
    ]
    expectDone('A batch', await batch(api, operations))
    await expectListed({ api }, '/playlists', ['a', 'empty', 'home', 'road'])
    await expectListed({ api }, '/artists?filter[country]=FR', ['4'])
    await expectListed({ api }, '/albums?filter[id]=7', [])
  },
  async 'the writes of a batch are undone together'({ api }) {
    const operations = [
      { op: 'update', data: { type: 'artists', id: '4', attributes: { country: 'FR' } } },
      addition('playlists', { title: 'A' }, 'a'),
      addition('playlists', { title: 'Other' }, 'road'),
    ]
    expectErrors(await batch(api, operations), [{ status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }])
    await expectListed({ api }, '/playlists', ['empty', 'home', 'road'])
    await expectListed({ api }, '/artists?filter[country]=FR', [])
  },
})

const batchesOfUnique = casesWith(['transactions', 'unique'], {
  async 'a batch that gives two rows the same is refused at the second'({ api }) {
    const operations = ['New', 'Newer', 'New'].map((name) => addition('artists', { name }))
    expectErrors(await batch(api, operations), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/2/data/attributes/name' },
    ])
    expectSame('How many artists there are', (await api.get(encodeURI('/artists?page[size]=10'))).resources.length, 4)
  },
})

const rows = [
  { title: 'One', price: 1.5, genres: ['rock'], addedAt: new Date('2024-01-01T00:00:00.001Z') },
  { title: 'Two', discs: 2, explicit: false, artistId: 1 },
  { title: 'Three', releasedOn: '2003-03-03', artistId: null },
]

const unkeyed = (some: readonly object[]): readonly object[] => some.map((row) => ({ ...row, id: 'the key' }))

const together = casesWith(['together'], {
  async 'rows that are created together are what they are one by one, in their order'({ store }) {
    const many = await store.many('albums', rows)
    if (many === null) throw new Error('create.many answers null: say together: false where rows go one by one.')
    const created = new Set(many.map((row) => row['id']))
    expectSame('How many keys the rows have', created.size, 3)
    for (const row of many) await store.delete('albums', row['id'])
    const single: object[] = []
    for (const values of rows) single.push(await store.create('albums', values))
    expectSame('What create.many answers, beside what create answers', unkeyed(many), unkeyed(single))
  },
  async 'rows that are created together are there afterwards'({ api, store }) {
    const many = (await store.many('albums', rows)) ?? []
    const ids = many.map((row) => String(row['id']))
    await expectListed({ api }, '/albums?filter[titles]=One,Two,Three&sort=addedAt,discs', ids)
    const last = await api.get(`/albums/${ids[2]}`)
    expectSame(
      'The day of the last',
      shown(last, ({ resource }) => resource.attributes?.['releasedOn']),
      '2003-03-03',
    )
  },
  async 'rows that are created together keep the keys that they came with'({ api, store }) {
    const playlists = ['c', 'a', 'b'].map((code) => ({ code, title: code.toUpperCase() }))
    expectSame('What create.many answers', await store.many('playlists', playlists), playlists)
    await expectListed({ api }, '/playlists', ['a', 'b', 'c', 'empty', 'home', 'road'])
  },
})

const togetherOrNot = casesWith(['together', 'transactions'], {
  async 'of rows that cannot be created together none is left'({ store }) {
    const playlists = ['a', 'road', 'b'].map((code) => ({ code, title: code }))
    await store.transactions.run(async (outer) => {
      const work = store.transactions.run((inner) => store.many('playlists', playlists, inner), outer)
      const answer = await work.catch((thrown: unknown) => thrown)
      if (Array.isArray(answer)) throw new Error('create.many wrote a row whose key is taken.')
      expectSame('What is found in the transaction', await store.find('playlists', 'a', outer), null)
      await create(store, 'c', outer)
    })
    expectSame('What is kept', await kept(store, 'a', 'b', 'c'), ['c'])
  },
  async 'a batch of additions gives the same as one request after the other'({ api }) {
    const titles = Array.from({ length: 20 }, (_, index) => `Album ${String(index).padStart(2, '0')}`)
    const response = await batch(
      api,
      titles.map((title) => addition('albums', { title })),
    )
    const answered = expectDone('A batch of 20 additions', response).results.map(
      ({ data }) => (data as TestResource).attributes?.['title'],
    )
    expectSame('The titles that are answered', answered, titles)
    const list = await api.get(encodeURI('/albums?filter[starts]=Album&sort=title'))
    expectSame(
      'The titles that are read',
      list.resources.map(({ attributes }) => attributes?.['title']),
      titles,
    )
  },
})

/** What is kept and undone together, and created together. */
export const transactionCases: readonly CaseDeclaration[] = [
  ...alone,
  ...inside,
  ...batches,
  ...batchesOfUnique,
  ...together,
  ...togetherOrNot,
]
