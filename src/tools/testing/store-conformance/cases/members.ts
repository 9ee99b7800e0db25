import type { MemberKey } from '../../../../declare/resource/capabilities/persister.js'
import type { TestClient } from '../../test-client.js'
import type { TestIdentifier } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectSuccess, expectIds, typesAndIds, successOrErrors } from '../case-declaration.js'
import type { DirectStore } from '../direct-store.js'
import { expectSame } from '../expect-same.js'

type Verb = 'post' | 'patch' | 'delete'

interface SentIdentifier {
  readonly type: string
  readonly id: string
  readonly meta?: { readonly pivot: object }
}

const album = (id: number, pivot?: object): SentIdentifier => ({
  type: 'albums',
  id: String(id),
  ...(pivot === undefined ? {} : { meta: { pivot } }),
})

async function link(api: TestClient, verb: Verb, path: string, data: readonly SentIdentifier[]): Promise<void> {
  expectSuccess(`${verb.toUpperCase()} ${path}`, await api[verb](path, { body: { data } }))
}

async function linkage(api: TestClient, path: string): Promise<unknown> {
  return successOrErrors(await api.get(path), ({ document }) => (document?.data ?? []) as readonly TestIdentifier[])
}

async function expectLinked(api: TestClient, path: string, expected: readonly string[]): Promise<void> {
  const actual = successOrErrors(await api.get(path), ({ document }) =>
    typesAndIds((document?.data ?? []) as readonly TestIdentifier[]),
  )
  expectSame(`The linkage of ${path}`, actual, expected)
}

async function albumKeys(store: DirectStore, ...ids: readonly number[]): Promise<readonly MemberKey[]> {
  return Promise.all(ids.map(async (id) => ({ type: 'albums', key: await store.key('albums', String(id)) })))
}

const artistAlbums = '/artists/1/relationships/albums'
const roadAlbums = '/playlists/road/relationships/albums'
const homeAlbums = '/playlists/home/relationships/albums'

const byKey = casesNeeding(['writes', 'relations'], {
  async 'an added member refers to its new owner and no longer to the old one'({ api }) {
    await link(api, 'post', artistAlbums, [album(3), album(6)])
    await expectLinked(api, artistAlbums, ['albums 1', 'albums 2', 'albums 3', 'albums 6', 'albums 8'])
    await expectLinked(api, '/artists/2/relationships/albums', [])
  },
  async 'a removed member still exists and refers to no owner'({ api }) {
    await link(api, 'delete', artistAlbums, [album(1), album(8)])
    await expectLinked(api, artistAlbums, ['albums 2'])
    await expectIds({ api }, '/albums?filter[hasNoArtist]', ['1', '6', '7', '8'])
  },
  async 'a replacement leaves exactly the members that were sent'({ api }) {
    await link(api, 'patch', artistAlbums, [album(2), album(7)])
    await expectLinked(api, artistAlbums, ['albums 2', 'albums 7'])
    await expectIds({ api }, '/artists/3/albums', ['4', '5'])
  },
  async 'a polymorphic member gets the type and the key of its owner'({ api }) {
    const comment = { type: 'comments', id: '2' }
    await link(api, 'post', '/albums/1/relationships/comments', [comment])
    await expectIds({ api }, '/albums/1/comments', ['1', '2', '3'])
    await expectIds({ api }, '/artists/1/comments', [])
  },
})

const byKeyDirectly = casesNeeding(['writes', 'relations', 'joins'], {
  async 'a member of another owner is not removed'({ api, store }) {
    const removed = await albumKeys(store, 3)
    await store.mutateRelationship('artists', 'albums', await store.row('artists', '1'), { removed })
    await expectLinked(api, '/artists/2/relationships/albums', ['albums 3'])
  },
})

const byJoin = casesNeeding(['writes', 'joins'], {
  async 'an added member has a join row with its fields, and other join rows are unchanged'({ api }) {
    await link(api, 'post', roadAlbums, [album(4, { position: 0, note: 'first' })])
    expectSame('The linkage of the playlist', await linkage(api, roadAlbums), [
      album(4, { position: 0, note: 'first' }),
      album(3, { position: 1, note: 'loud' }),
      album(1, { position: 2, note: null }),
      album(2, { position: 3, note: null }),
    ])
  },
  async 'changed fields are written to the join rows of the owner only'({ api }) {
    await link(api, 'patch', roadAlbums, [album(1, { position: 9, note: 'last' }), album(3), album(2)])
    expectSame('The linkage of the playlist', await linkage(api, roadAlbums), [
      album(3, { position: 1, note: 'loud' }),
      album(2, { position: 3, note: null }),
      album(1, { position: 9, note: 'last' }),
    ])
    expectSame('The linkage of the other playlist', await linkage(api, homeAlbums), [
      album(1, { position: 1, note: 'again' }),
    ])
  },
  async 'a removed member loses its join row with this owner only'({ api }) {
    await link(api, 'delete', roadAlbums, [album(1), album(2)])
    await expectLinked(api, roadAlbums, ['albums 3'])
    await expectLinked(api, homeAlbums, ['albums 1'])
  },
  async 'a replacement leaves exactly the join rows of the members that were sent'({ api }) {
    await link(api, 'patch', roadAlbums, [album(2, { position: 1 }), album(5, { position: 2 })])
    await expectLinked(api, roadAlbums, ['albums 2', 'albums 5'])
    await link(api, 'patch', roadAlbums, [])
    await expectLinked(api, roadAlbums, [])
  },
  async 'a row is created together with its join rows'({ api }) {
    const albums = { data: [album(7, { position: 2 }), album(8, { position: 1, note: 'x' })] }
    const body = { data: { type: 'playlists', id: 'new', attributes: { title: 'New' }, relationships: { albums } } }
    expectSuccess('POST /playlists', await api.post('/playlists', { body }))
    expectSame('The linkage of the new playlist', await linkage(api, '/playlists/new/relationships/albums'), [
      album(8, { position: 1, note: 'x' }),
      album(7, { position: 2, note: null }),
    ])
  },
  async 'a member that is added again keeps one join row, with the new fields'({ api, store }) {
    const added = (await albumKeys(store, 1)).map((member) => ({ ...member, values: { position: 5 } }))
    await store.mutateRelationship('playlists', 'albums', await store.row('playlists', 'road'), { added })
    expectSame('The linkage of the playlist', await linkage(api, roadAlbums), [
      album(3, { position: 1, note: 'loud' }),
      album(2, { position: 3, note: null }),
      album(1, { position: 5, note: null }),
    ])
  },
  async 'a removal ignores rows that are not members'({ api, store }) {
    const removed = await albumKeys(store, 7, 8, 2)
    for (const { key } of removed.slice(1, 2)) await store.delete('albums', key)
    await store.mutateRelationship('playlists', 'albums', await store.row('playlists', 'road'), { removed })
    await expectLinked(api, roadAlbums, ['albums 3', 'albums 1'])
  },
  async 'members are added, changed and removed in one call'({ api, store }) {
    const [added, updated, removed] = (await albumKeys(store, 5, 3, 1)) as [MemberKey, MemberKey, MemberKey]
    await store.mutateRelationship('playlists', 'albums', await store.row('playlists', 'road'), {
      added: [{ ...added, values: { position: 4, note: 'new' } }],
      updated: [{ ...updated, values: { position: 8 } }],
      removed: [removed],
    })
    expectSame('The linkage of the playlist', await linkage(api, roadAlbums), [
      album(2, { position: 3, note: null }),
      album(5, { position: 4, note: 'new' }),
      album(3, { position: 8, note: 'loud' }),
    ])
  },
  async 'members of several types with the same key are distinct'({ api }) {
    const path = '/playlists/road/relationships/items'
    await link(api, 'delete', path, [{ type: 'artists', id: '1' }])
    await expectLinked(api, path, ['artists 2', 'albums 1'])
    await link(api, 'post', path, [album(2), { type: 'artists', id: '3' }])
    await expectLinked(api, path, ['artists 2', 'artists 3', 'albums 1', 'albums 2'])
  },
})

/** Cases of changed members of relations with keys in the rows of the members or in join rows. */
export const memberCases: readonly CaseDeclaration[] = [...byKey, ...byKeyDirectly, ...byJoin]
