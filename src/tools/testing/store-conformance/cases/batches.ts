import { ATOMIC_EXTENSION, MEDIA_TYPE } from '../../../../core/document/media-type.js'
import type { ColumnValues } from '../../../../declare/resource/capabilities/persister.js'
import { isStoreConflict } from '../../../../declare/resource/capabilities/store-conflict.js'
import { expectErrors } from '../../expect-errors.js'
import type { TestClient } from '../../test-client.js'
import type { TestResource, TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectSuccess, expectIds, successOrErrors } from '../case-declaration.js'
import type { DirectStore } from '../direct-store.js'
import { expectSame } from '../expect-same.js'
import { committedPlaylists } from './transactions.js'

const mediaType = `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`

function batch(api: TestClient, operations: readonly object[]): Promise<TestResponse> {
  const headers = { Accept: mediaType, 'Content-Type': mediaType }
  return api.post('/operations', { headers, body: { 'atomic:operations': operations } })
}

const addition = (type: string, attributes: object, id?: string) => ({
  op: 'add',
  data: { type, ...(id === undefined ? {} : { id }), attributes },
})

const batches = casesNeeding(['transactions'], {
  async 'the writes of a batch are committed together'({ api }) {
    const operations = [
      addition('playlists', { title: 'A' }, 'a'),
      { op: 'update', data: { type: 'artists', id: '4', attributes: { country: 'FR' } } },
      { op: 'remove', ref: { type: 'albums', id: '7' } },
    ]
    expectSuccess('A batch', await batch(api, operations))
    await expectIds({ api }, '/playlists', ['a', 'empty', 'home', 'road'])
    await expectIds({ api }, '/artists?filter[country]=FR', ['4'])
    await expectIds({ api }, '/albums?filter[id]=7', [])
  },
  async 'the writes of a batch are rolled back together'({ api }) {
    const operations = [
      { op: 'update', data: { type: 'artists', id: '4', attributes: { country: 'FR' } } },
      addition('playlists', { title: 'A' }, 'a'),
      addition('playlists', { title: 'Other' }, 'road'),
    ]
    expectErrors(await batch(api, operations), [{ status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }])
    await expectIds({ api }, '/playlists', ['empty', 'home', 'road'])
    await expectIds({ api }, '/artists?filter[country]=FR', [])
  },
})

const uniqueBatches = casesNeeding(['transactions', 'unique'], {
  async 'a batch that gives two rows the same unique value fails at the second row'({ api }) {
    const operations = ['New', 'Newer', 'New'].map((name) => addition('artists', { name }))
    expectErrors(await batch(api, operations), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/2/data/attributes/name' },
    ])
    expectSame('The number of artists', (await api.get(encodeURI('/artists?page[size]=10'))).resources.length, 4)
  },
})

async function newRows(store: DirectStore): Promise<readonly ColumnValues[]> {
  return [
    { title: 'One', price: 1.5, genres: ['rock'], addedAt: new Date('2024-01-01T00:00:00.001Z') },
    { title: 'Two', discs: 2, explicit: false, artistId: await store.key('artists', '1') },
    { title: 'Three', releasedOn: '2003-03-03', artistId: null },
  ]
}

const withoutKeys = (rows: readonly object[]): readonly object[] => rows.map((row) => ({ ...row, id: 'the key' }))

const createMany = casesNeeding(['together'], {
  async 'shortcuts.create.many returns the same rows as single creates, in the same order'({ store }) {
    const rows = await newRows(store)
    const many = await store.createMany('albums', rows)
    if (many === null)
      throw new Error(
        'shortcuts.create.many returns null: set the option together: false if the store creates rows one by one.',
      )
    const created = new Set(many.map((row) => row['id']))
    expectSame('The number of distinct keys', created.size, 3)
    for (const row of many) await store.delete('albums', row['id'])
    const single: object[] = []
    for (const values of rows) single.push(await store.create('albums', values))
    expectSame(
      'The rows of shortcuts.create.many, compared with those of create',
      withoutKeys(many),
      withoutKeys(single),
    )
  },
  async 'rows of shortcuts.create.many can be read afterwards'({ api, store }) {
    const many = (await store.createMany('albums', await newRows(store))) ?? []
    const ids = many.map((row) => String(row['id']))
    await expectIds({ api }, '/albums?filter[titles]=One,Two,Three&sort=addedAt,discs', ids)
    const last = await api.get(`/albums/${ids[2]}`)
    expectSame(
      'The attribute releasedOn of the last row',
      successOrErrors(last, ({ resource }) => resource.attributes?.['releasedOn']),
      '2003-03-03',
    )
  },
  async 'shortcuts.create.many stores rows with the keys that were sent'({ api, store }) {
    const playlists = ['c', 'a', 'b'].map((code) => ({ code, title: code.toUpperCase() }))
    expectSame('The rows of shortcuts.create.many', await store.createMany('playlists', playlists), playlists)
    await expectIds({ api }, '/playlists', ['a', 'b', 'c', 'empty', 'home', 'road'])
  },
})

const createManyAtomically = casesNeeding(['together', 'transactions'], {
  async 'shortcuts.create.many writes all rows or none'({ store }) {
    const playlists = ['a', 'road', 'b'].map((code) => ({ code, title: code }))
    await store.transactions.run(async (outer) => {
      const result = await store.createMany('playlists', playlists, outer).catch((thrown: unknown) => thrown)
      if (Array.isArray(result)) throw new Error('shortcuts.create.many wrote a row with a duplicate key.')
      if (result !== null && !isStoreConflict(result)) throw result
      const found = await store.find('playlists', 'a', { transaction: outer })
      expectSame('The playlist in the transaction', found, null)
      await store.create('playlists', { code: 'c', title: 'C' }, outer)
    })
    expectSame('The committed playlists', await committedPlaylists(store, 'a', 'b', 'c'), ['c'])
  },
  async 'a batch of additions has the same results as single requests'({ api }) {
    const titles = Array.from({ length: 20 }, (_, index) => `Album ${String(index).padStart(2, '0')}`)
    const response = await batch(
      api,
      titles.map((title) => addition('albums', { title })),
    )
    const returned = expectSuccess('A batch of 20 additions', response).results.map(
      ({ data }) => (data as TestResource).attributes?.['title'],
    )
    expectSame('The titles in the response', returned, titles)
    const list = await api.get(encodeURI('/albums?filter[starts]=Album&sort=title'))
    expectSame(
      'The stored titles',
      list.resources.map(({ attributes }) => attributes?.['title']),
      titles,
    )
  },
})

/** Cases of batches of operations, and of `shortcuts.create.many`. */
export const batchCases: readonly CaseDeclaration[] = [
  ...batches,
  ...uniqueBatches,
  ...createMany,
  ...createManyAtomically,
]
