import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../../../support/client.js'
import type { Engine } from '../open-databases.js'
import { databases, engines } from '../open-databases.js'

const open = databases()

const tables = [
  'create table albums (id serial, title text)',
  'create table tracks (id serial, title text, "albumId" integer)',
  'create table discs (id serial, name text, "albumId" integer not null references albums (id))',
  'create table playlists (id serial, name text)',
  `create table playlist_tracks (playlist integer not null, track integer not null,
    position integer check (position > 0), code varchar(3) check (length(code) <= 3), slot text unique,
    primary key (playlist, track))`,
  `insert into albums (title) values ('OK Computer'), ('Kid A')`,
  `insert into tracks (title) values ('Airbag'), ('Lucky'), ('Idioteque'), ('Optimistic'), ('Treefingers')`,
  `insert into discs (name, "albumId") values ('One', 1), ('Two', 1), ('Three', 2)`,
  `insert into playlists (name) values ('Road')`,
  `insert into playlist_tracks (playlist, track, position, slot) values (1, 1, 1, 'a'), (1, 2, 2, 'b')`,
]

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').nullable() },
})

const discs = defineResource('discs', {
  model: table<{ id: number; name: string; albumId: number }>('discs'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { album: belongsTo('albums') },
})

const playlists = defineResource('playlists', {
  model: table<{ id: number; name: string }>('playlists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('playlist_tracks', { owner: 'playlist', member: 'track' })
      .fields((a) => ({
        position: a.integer().nullable(),
        code: a.string().nullable(),
        slot: a.string().nullable(),
      })),
  },
})

const joinRows = table<{
  playlist: number
  track: number
  position: number | null
  code: string | null
  slot: string | null
}>('playlist_tracks', { key: ['playlist', 'track'] })

async function shopOn(engine: Engine, meanwhile?: string) {
  const { database, rows, options } = await open(engine, tables)
  const remove = async (): Promise<void> => {
    if (meanwhile !== undefined) await rows(meanwhile)
  }
  const albums = defineResource('albums', {
    model: table<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { tracks: hasMany('tracks'), discs: hasMany('discs') },
    hooks: { beforeCreate: remove, beforeRelationshipMutate: remove },
  })
  const server = createServer({
    resources: [albums, tracks, discs, playlists],
    data: sqlData(database, { ...options, tables: [joinRows] }),
  })
  return { api: client(server), rows }
}

const named = (type: string, ...ids: readonly number[]) => ids.map((key) => ({ type, id: String(key) }))
const listed = (key: number, pivot: object) => ({ type: 'tracks', id: String(key), meta: { pivot } })
const violation = (pointer: string, detail: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer, detail })
const missing = (pointer: string) => ({ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer })
const notAllowed = 'This must be greater than 0.'

// On SQLite no other writer runs between the check of linkage and the write.
test('on postgres, members that are deleted before they get the key of their owner are reported, and nothing is written', async () => {
  const { api, rows } = await shopOn('postgres', 'delete from tracks where id in (2, 4)')
  const relationships = { tracks: { data: named('tracks', 1, 2, 3) } }
  expectErrors(await api.post('/albums', { body: { data: { type: 'albums', relationships } } }), [
    missing('/data/relationships/tracks/data/1'),
  ])
  expect(await rows('select id from albums')).toHaveLength(2)
  expect(await rows('select id from tracks where "albumId" is not null')).toEqual([])
})

test('on postgres, members of a relationship that were deleted meanwhile are reported at their identifiers', async () => {
  const { api, rows } = await shopOn('postgres', 'delete from tracks where id in (2, 4)')
  const body = { data: named('tracks', 1, 2, 3, 4) }
  expectErrors(await api.post('/albums/1/relationships/tracks', { body }), [missing('/data/1'), missing('/data/3')])
  expect(await rows('select id from tracks where "albumId" is not null')).toEqual([])
})

describe.each(engines)('on %s', (engine) => {
  const path = '/playlists/1/relationships/tracks'
  const add = (api: TestClient, ...members: readonly object[]) => api.post(path, { body: { data: members } })

  test('a check that one of several join rows violates is reported at its field', async () => {
    const { api, rows } = await shopOn(engine)
    const fine = [3, 4].map((key) => listed(key, { position: key }))
    expectErrors(await add(api, ...fine, listed(5, { position: 0 })), [
      violation('/data/2/meta/pivot/position', notAllowed),
    ])
    const all = [listed(1, { position: 9 }), listed(2, { position: 0 }), ...fine]
    expectErrors(await api.patch(path, { body: { data: all } }), [violation('/data/1/meta/pivot/position', notAllowed)])
    const data = { type: 'playlists', id: '1', relationships: { tracks: { data: all } } }
    expectErrors(await api.patch('/playlists/1', { body: { data } }), [
      violation('/data/relationships/tracks/data/1/meta/pivot/position', notAllowed),
    ])
    expect(await rows('select track, position from playlist_tracks order by track')).toMatchObject([
      { track: 1, position: 1 },
      { track: 2, position: 2 },
    ])
  })

  test('a changed field of an existing join row is reported at the field', async () => {
    const { api } = await shopOn(engine)
    expectErrors(await add(api, listed(2, { position: 0 })), [violation('/data/0/meta/pivot/position', notAllowed)])
  })

  test('a value that does not fit, and a duplicate, are reported at the member', async () => {
    const { api } = await shopOn(engine)
    expectErrors(await add(api, listed(3, { code: 'abc' }), listed(4, { code: 'abcd' })), [
      violation('/data/1/meta/pivot/code', 'This must have at most 3 characters.'),
    ])
    expectErrors(await add(api, listed(3, { slot: 'c' }), listed(4, { slot: 'a' })), [
      violation('/data/1', 'This value is already taken.'),
    ])
    // Neither of the two is refused by itself.
    expectErrors(await add(api, listed(3, { slot: 'c' }), listed(4, { slot: 'c' })), [
      violation('/data', 'This value is already taken.'),
    ])
  })

  test('members that need an owner are reported at the sent member, or at the linkage that leaves them out', async () => {
    const { api } = await shopOn(engine)
    const discsOf = '/albums/1/relationships/discs'
    const needed = 'This resource cannot be without this relationship.'
    expectErrors(await api.delete(discsOf, { body: { data: named('discs', 2) } }), [violation('/data/0', needed)])
    // The third is of another album.
    expectErrors(await api.delete(discsOf, { body: { data: named('discs', 1, 3, 2) } }), [
      violation('/data/0', needed),
      violation('/data/2', needed),
    ])
    expectErrors(await api.patch(discsOf, { body: { data: named('discs', 2) } }), [
      violation('/data', 'A resource that is left out here cannot be without this relationship.'),
    ])
  })
})
