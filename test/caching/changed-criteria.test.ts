import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id } from 'ashlar'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import type { Provider, ReadCriteria } from 'ashlar/store'
import { sqlData, table } from 'ashlar/sql'
import { afterEach, expect, test } from 'vitest'

const schema = `
  create table artists (id integer primary key, name text not null);
  create table albums (id integer primary key, title text not null, artistId integer not null references artists);
  create table genres (id integer primary key, name text not null);
  create table album_genres (albumId integer not null, genreId integer not null, primary key (albumId, genreId));
  insert into artists values (1, 'Radiohead'), (2, 'Björk');
  insert into albums values (1, 'Kid A', 1), (2, 'Amnesiac', 1), (3, 'Post', 2);
  insert into genres values (1, 'Rock');
  insert into album_genres values (1, 1), (2, 1), (3, 1);
`

const open: InstanceType<typeof DatabaseSync>[] = []
afterEach(() => {
  for (const database of open.splice(0)) database.close()
})

function shop(declared: object = {}): (path: string, headers?: Record<string, string>) => Promise<ReceivedResponse> {
  const database = new DatabaseSync(':memory:')
  open.push(database)
  database.exec(schema)
  const artists = defineResource('artists', {
    model: table<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { albums: hasMany('albums') },
  })
  const albums = defineResource('albums', {
    model: table<{ id: number; title: string; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      artist: belongsTo('artists'),
      genres: belongsToMany('genres').through('album_genres', { owner: 'albumId', member: 'genreId' }),
    },
    ...declared,
  })
  const genres = defineResource('genres', {
    model: table<{ id: number; name: string }>('genres'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })
  const server = createServer({ resources: [artists, albums, genres], data: sqlData(database) })
  return async (path, headers = {}) => {
    const response = await server.fetch(new Request(`http://localhost${path}`, { headers }))
    return { status: response.status, ...((await response.json()) as object) }
  }
}

interface Named {
  readonly type: string
  readonly id: string
}

interface ReceivedResponse {
  readonly status: number
  readonly data?: Named | readonly Named[]
  readonly included?: readonly Named[]
}

const names = (resources: readonly Named[] = []): readonly string[] =>
  resources.map(({ type, id: key }) => `${type} ${key}`)

test('a resource is included once, though a relationship query reads it twice', async () => {
  const accept = `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"`
  const { included } = await shop()('/albums/1?include=artist.albums.genres', { accept })
  expect(names(included).toSorted()).toEqual(['albums 2', 'artists 1', 'genres 1'])
})

const narrowed = <Criteria extends Pick<ReadCriteria, 'conditions' | 'context'>>(criteria: Criteria): Criteria => {
  const value = Number(criteria.context.request?.header('x-artist') ?? 0)
  const column = { of: 'row', name: 'artistId', kind: null, isKey: false } as const
  return { ...criteria, conditions: [...criteria.conditions, { kind: 'compare', column, operator: '=', value }] }
}

test('a provider that passes changed criteria to the store gets their rows, whatever was cached before', async () => {
  const get = shop({
    provider: (store: Required<Provider>): Provider => ({
      ...store,
      fetchOne: (type, key, criteria) => store.fetchOne(type, key, narrowed(criteria)),
      fetchCollection: (type, criteria) => store.fetchCollection(type, narrowed(criteria)),
    }),
  })
  for (const [artist, albums] of [
    ['1', ['albums 1', 'albums 2']],
    ['2', ['albums 3']],
    ['1', ['albums 1', 'albums 2']],
  ] as const) {
    const { data } = await get('/albums', { 'x-artist': artist })
    expect(names(data as readonly Named[])).toEqual(albums)
    expect((await get('/albums/3', { 'x-artist': artist })).status).toBe(artist === '2' ? 200 : 404)
  }
})
