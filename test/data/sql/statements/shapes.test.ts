import { belongsTo, createServer, defineResource, hasMany, id, type RequestContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'

/** A statement is written once for all requests of its shape: two different requests do not share a shape. */

const isStaff = ({ request }: RequestContext): boolean => request?.header('x-staff') === 'yes'
const staff = { headers: { 'x-staff': 'yes' } }

const artists = defineResource('artists', {
  model: table<{ id: number; name: string; public: boolean }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string(), public: a.boolean() }),
  relations: { albums: hasMany('albums').via('artistId') },
  filters: (f) => ({ released: f.has('albums'), public: f.where() }),
})

const albums = defineResource('albums', {
  model: table<{ id: number; title: string; public: boolean; artistId: number; producerId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string(), public: a.boolean() }),
  relations: { artist: belongsTo('artists') },
  scope: (context, f) => (isStaff(context) ? null : f.where('public').fixed(true)),
})

async function albumsOfFirst(server: Parameters<typeof client>[0]): Promise<readonly unknown[]> {
  return (await client(server).get('/artists/1/albums', staff)).resources.map((each) => each.id)
}

describe.each(emptyDatabases)('On %s', (_name, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
    await scratch.run('create table artists (id integer primary key, name text, public boolean)')
    await scratch.run(
      'create table albums (id integer primary key, title text, public boolean, artist_id integer, producer_id integer)',
    )
    await scratch.run("insert into artists values (1, 'Radiohead', true), (2, 'Burial', true), (3, 'Low', false)")
    await scratch.run("insert into albums values (1, 'Kid A', true, 1, 2), (2, 'Untrue', false, 2, 1)")
  })
  afterEach(() => scratch.end())

  test('conditions on related rows are distinguished from conditions on the rows themselves', async () => {
    const server = createServer({
      resources: [artists, albums],
      data: sqlData(scratch.database, { naming: 'snake_case' }),
    })
    const found = async (...given: Parameters<ReturnType<typeof client>['get']>) =>
      (await client(server).get(...given)).resources.map((each) => each.id)
    expect(await found('/artists?filter[released]=1&filter[public]=true', staff)).toEqual(['1', '2'])
    expect(await found('/artists?filter[released]=1')).toEqual(['1'])
    expect(await found('/artists?filter[released]=1', staff)).toEqual(['1', '2'])
  })

  test('two servers with a relation of one name in different columns read their own columns', async () => {
    const data = sqlData(scratch.database, { naming: 'snake_case' })
    const produced = defineResource('artists', {
      model: table<{ id: number; name: string; public: boolean }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string(), public: a.boolean() }),
      relations: { albums: hasMany('albums').via('producerId') },
    })
    expect(await albumsOfFirst(createServer({ resources: [artists, albums], data }))).toEqual(['1'])
    expect(await albumsOfFirst(createServer({ resources: [produced, albums], data }))).toEqual(['2'])
  })
})
