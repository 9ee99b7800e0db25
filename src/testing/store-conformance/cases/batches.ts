import { ATOMIC_EXTENSION, MEDIA_TYPE } from '../../../document/media-type.js'
import type { ColumnValues } from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import { expectErrors } from '../../expect-errors.js'
import type { TestClient } from '../../test-client.js'
import type { TestResource, TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectDone, expectListed, shown } from '../case-declaration.js'
import type { DirectStore } from '../direct-store.js'
import { expectSame } from '../expect-same.js'
import { kept } from './transactions.js'

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

async function newRows(store: DirectStore): Promise<readonly ColumnValues[]> {
  return [
    { title: 'One', price: 1.5, genres: ['rock'], addedAt: new Date('2024-01-01T00:00:00.001Z') },
    { title: 'Two', discs: 2, explicit: false, artistId: await store.key('artists', '1') },
    { title: 'Three', releasedOn: '2003-03-03', artistId: null },
  ]
}

const unkeyed = (some: readonly object[]): readonly object[] => some.map((row) => ({ ...row, id: 'the key' }))

const together = casesWith(['together'], {
  async 'rows that are created together are what they are one by one, in their order'({ store }) {
    const rows = await newRows(store)
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
    const many = (await store.many('albums', await newRows(store))) ?? []
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
      const answer = await store.many('playlists', playlists, outer).catch((thrown: unknown) => thrown)
      if (Array.isArray(answer)) throw new Error('create.many wrote a row whose key is taken.')
      if (answer !== null && !isStoreConflict(answer)) throw answer
      const found = await store.find('playlists', 'a', { transaction: outer })
      expectSame('What is found in the transaction', found, null)
      await store.create('playlists', { code: 'c', title: 'C' }, outer)
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

/** What one request writes together, and what is created together. */
export const batchCases: readonly CaseDeclaration[] = [...batches, ...batchesOfUnique, ...together, ...togetherOrNot]
