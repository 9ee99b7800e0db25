import type { TestClient } from '../../test-client.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectSuccess, expectIds, successOrErrors } from '../case-declaration.js'
import { expectSame } from '../expect-same.js'

const allAttributes = Object.freeze({
  title: 'Vespertine',
  price: 7.75,
  discs: 3,
  explicit: true,
  releasedOn: '2001-08-27',
  addedAt: '2024-05-06T07:08:09.123+00:00',
  genres: ['electronic', 'with, comma', '"quoted"'],
})

async function attributesAt(api: TestClient, path: string): Promise<unknown> {
  return successOrErrors(await api.get(path), ({ resource }) => resource.attributes)
}

const creating = casesNeeding(['writes'], {
  async 'a new row is returned as it is stored, with values of every type'({ api }) {
    const body = { data: { type: 'albums', attributes: allAttributes } }
    const { resource } = expectSuccess('POST /albums', await api.post('/albums', { body }))
    expectSame('The attributes in the response', resource.attributes, allAttributes)
    expectSame('The stored attributes', await attributesAt(api, `/albums/${resource.id}`), allAttributes)
  },
  async 'a new row gets an unused key'({ api }) {
    const ids: string[] = []
    for (const title of ['One', 'Two']) {
      const body = { data: { type: 'albums', attributes: { title } } }
      ids.push(expectSuccess('POST /albums', await api.post('/albums', { body })).resource.id)
    }
    const taken = (id: string, index: number): boolean => Number(id) <= 8 || ids.indexOf(id) < index
    expectSame('The ids of new rows that other rows have', ids.filter(taken), [])
    const [one = '', two = ''] = ids
    await expectIds({ api }, '/albums?filter[titles]=One,Two&sort=title', [one, two])
    expectSame('The number of albums', (await api.get('/albums')).resources.length, 10)
  },
  async 'a new row has null for omitted values'({ api }) {
    const body = { data: { type: 'albums', attributes: { title: 'Untitled' } } }
    const { resource } = expectSuccess('POST /albums', await api.post('/albums', { body }))
    const omitted = { price: null, discs: null, explicit: null, releasedOn: null, addedAt: null, genres: null }
    expectSame('The attributes in the response', resource.attributes, { title: 'Untitled', ...omitted })
  },
  async 'a new row keeps the key that was sent'({ api }) {
    const body = { data: { type: 'playlists', id: 'late night', attributes: { title: 'Late' } } }
    expectSame(
      'The id in the response',
      expectSuccess('POST', await api.post('/playlists', { body })).resource.id,
      'late night',
    )
    expectSame('The stored attributes', await attributesAt(api, '/playlists/late%20night'), { title: 'Late' })
  },
  async 'text is stored unchanged'({ api }) {
    const title = 'ａ \u{1F3B5} %_\\ \'"` \n\t é e\u0301 '
    const body = { data: { type: 'playlists', id: 'odd', attributes: { title } } }
    expectSuccess('POST /playlists', await api.post('/playlists', { body }))
    expectSame('The stored attributes', await attributesAt(api, '/playlists/odd'), { title })
  },
})

const changing = casesNeeding(['writes'], {
  async 'an update changes only the values that were sent'({ api }) {
    const before = await attributesAt(api, '/albums/1')
    const data = { type: 'albums', id: '1', attributes: { price: null, genres: ['jazz'] } }
    const { resource } = expectSuccess('PATCH /albums/1', await api.patch('/albums/1', { body: { data } }))
    const after = { ...(before as object), price: null, genres: ['jazz'] }
    expectSame('The attributes in the response', resource.attributes, after)
    expectSame('The stored attributes', await attributesAt(api, '/albums/1'), after)
    await expectIds({ api }, '/albums?filter[genre]=jazz', ['1', '4', '7'])
  },
  async 'an update changes one row'({ api }) {
    const data = { type: 'albums', id: '3', attributes: { ...allAttributes } }
    expectSuccess('PATCH /albums/3', await api.patch('/albums/3', { body: { data } }))
    expectSame('The attributes of the changed row', await attributesAt(api, '/albums/3'), allAttributes)
    await expectIds({ api }, '/albums?filter[title]=Vespertine', ['3'])
  },
  async 'an update of a deleted row returns null and writes no row'({ api, store }) {
    const key = await store.key('albums', '4')
    await store.delete('albums', key)
    expectSame('The result of update', await store.update('albums', key, { title: 'Late' }), null)
    expectSame('The number of albums', (await api.get('/albums')).resources.length, 7)
  },
  async 'an update returns the whole row'({ store }) {
    const row = await store.update('artists', await store.key('artists', '4'), { country: 'FR' })
    expectSame('The result of update', row, { id: 4, name: 'Nobody', country: 'FR' })
  },
  async 'a deleted row is not found, and other rows still are'({ api }) {
    expectSuccess('DELETE /albums/4', await api.delete('/albums/4'))
    expectSame('The status of GET /albums/4', (await api.get('/albums/4')).status, 404)
    await expectIds({ api }, '/albums', ['1', '2', '3', '5', '6', '7', '8'])
  },
  async 'a delete returns whether the row existed'({ store }) {
    const key = await store.key('albums', '4')
    const results = [await store.delete('albums', key), await store.delete('albums', key)]
    expectSame('The results of deleting a row twice', results, [true, false])
  },
})

const described = casesNeeding(['writes'], {
  async 'instantiate returns column values that a new row can have, if the store has it'({ store }) {
    const blank = store.blank('albums')
    expectSame('Whether the result is an object with columns', Array.isArray(blank), false)
    const row = await store.create('albums', { ...blank, title: 'Blank' })
    const columns = Object.keys(row).filter((name) => name in blank && name !== 'title')
    const of = (values: object) => columns.map((name) => (values as Readonly<Record<string, unknown>>)[name])
    expectSame(`The stored columns ${columns.join(', ')}`, of(row), of(blank))
  },
  async 'isObserved returns true or false, if the store has it'({ store }) {
    expectSame('The type of the result of isObserved', typeof store.isObserved('albums'), 'boolean')
  },
})

const linking = casesNeeding(['writes', 'relations'], {
  async 'a foreign key is written with its row'({ api }) {
    const artist = { data: { type: 'artists', id: '4' } }
    const body = { data: { type: 'albums', attributes: { title: 'Silence' }, relationships: { artist } } }
    const { resource } = expectSuccess('POST /albums', await api.post('/albums', { body }))
    await expectIds({ api }, '/artists/4/albums', [resource.id])
    expectSuccess('PATCH', await api.patch(`/albums/${resource.id}/relationships/artist`, { body: { data: null } }))
    await expectIds({ api }, '/artists/4/albums', [])
  },
  async 'a polymorphic key is written with its type'({ api }) {
    const body = { data: { type: 'artists', id: '1' } }
    expectSuccess('PATCH', await api.patch('/comments/4/relationships/subject', { body }))
    await expectIds({ api }, '/artists/1/comments', ['2', '4'])
    await expectIds({ api }, '/albums/1/comments', ['1', '3'])
  },
})

/** Cases of creates, updates and deletes: the results, and the stored rows. */
export const writeCases: readonly CaseDeclaration[] = [...creating, ...changing, ...described, ...linking]
