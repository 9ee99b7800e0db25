import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { testClient } from 'ashlar/testing'
import { afterAll, expect, test } from 'vitest'

const [music, people] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
music.exec('create table albums (id integer primary key, artistId integer); insert into albums values (1, 7)')
people.exec("create table artists (id integer primary key, name text); insert into artists values (7, 'Low')")
afterAll(() => {
  music.close()
  people.close()
})

const albums = defineResource('albums', {
  model: table<{ id: number; artistId: number }>('albums'),
  id: id(),
  relations: { artist: belongsTo('artists') },
})
const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

test('two databases serve the types that they list, and look for the tables of no others', async () => {
  const data = [sqlData(music, { types: ['albums'] }), sqlData(people, { types: ['artists'] })]
  const server = createServer({ resources: [albums, artists], data })
  await server.ready()
  const response = await testClient(server).get('/albums?include=artist')
  expect(response.document?.included).toMatchObject([{ type: 'artists', id: '7', attributes: { name: 'Low' } }])
})
