import { DatabaseSync } from '@photostructure/sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testClient } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { loadService } from '../../../src/tools/cli/dev/load-service.js'
import { sourceFolder } from '../../support/source-folder.js'

const imports = "import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'\n"
const artists = `${imports}
export const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required().unique() }),
  relations: { albums: hasMany('albums') },
})
`
const albums = `${imports}
import { table } from 'ashlar/sql'

interface AlbumRow { id: string; title: string; explicit: boolean; releasedOn: string; artistId: number }
export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id().uuid(),
  attributes: (a) => ({ title: a.string().required(), explicit: a.boolean(), releasedOn: a.date().nullable() }),
  relations: {
    artist: belongsTo('artists').required(),
    tags: belongsToMany('tags').through('album_tags', { owner: 'albumId', member: 'tagId' }),
  },
})
export const tags = defineResource('tags', {
  model: model<{ code: string }>('tags', { key: 'code' }),
  id: id().requireClientId(),
})
`

const artist = { type: 'artists', attributes: { name: 'Radiohead' } }
const album = {
  type: 'albums',
  attributes: { title: 'Kid A', explicit: false, releasedOn: '2000-10-02' },
  relationships: {
    artist: { data: { type: 'artists', id: '1' } },
    tags: { data: [{ type: 'tags', id: 'rock' }] },
  },
}

test('declarations are served from an embedded database, which stores the rows', async () => {
  const module = sourceFolder({ 'artists.ts': artists, 'nested/albums.ts': albums })
  const database = join(module, '.ashlar/dev.db')
  const first = await loadService({ module, database })
  expect(first).toMatchObject({ database, server: { types: ['artists', 'albums', 'tags'] } })
  expect(readFileSync(join(module, '.ashlar/.gitignore'), 'utf8')).toBe('*\n')
  const client = testClient(first.server)
  for (const data of [artist, { type: 'tags', id: 'rock' }, album]) {
    expect((await client.post(`/${data.type}`, { body: { data } })).status).toBe(201)
  }
  expect((await client.post('/artists', { body: { data: artist } })).status).toBe(422)

  const again = testClient((await loadService({ module, database })).server)
  const { resources, document } = await again.get('/albums?include=artist,tags')
  expect(resources).toMatchObject([{ id: expect.stringMatching(/^[\da-f-]{36}$/), attributes: album.attributes }])
  expect(document).toMatchObject({
    included: [
      { type: 'artists', id: '1' },
      { type: 'tags', id: 'rock' },
    ],
  })
})

test('a new attribute adds a column, and the other values of rows stay unchanged', async () => {
  const plain = `${imports}
export const resources = [
  defineResource('artists', {
    model: model<{ id: number; name: string; bornOn: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
  }),
]
`
  const folder = sourceFolder({
    'first.ts': plain,
    'second.ts': plain.replace('required() })', 'required(), bornOn: a.date().nullable() })'),
  })
  const database = join(folder, 'dev.db')
  const first = await loadService({ module: join(folder, 'first.ts'), database })
  await testClient(first.server).post('/artists', { body: { data: artist } })

  const second = await loadService({ module: join(folder, 'second.ts'), database })
  const { resources } = await testClient(second.server).get('/artists')
  expect(resources).toMatchObject([{ attributes: { name: 'Radiohead', bornOn: null } }])
})

test('a server of the module has its own data, and its migrations run first', async () => {
  const folder = sourceFolder({
    'server.ts': `${imports}
import { DatabaseSync } from '@photostructure/sqlite'
import { sqlData, table } from 'ashlar/sql'

const database = new DatabaseSync(':memory:')
export const migrate = async () => database.exec('create table artists (id integer primary key, name text)')
const artists = defineResource('artists', { model: table('artists'), id: id(), attributes: (a) => ({ name: a.string() }) })
export const server = () => createServer({ resources: [artists], data: sqlData(database) })
`,
  })
  const loaded = await loadService({ module: join(folder, 'server.ts'), database: join(folder, 'dev.db') })
  expect(loaded.database).toBeNull()
  expect((await testClient(loaded.server).get('/artists')).status).toBe(200)
  expect(existsSync(join(folder, 'dev.db'))).toBe(false)
})

test.each([
  {
    name: 'nothing to serve',
    text: 'export const title = 1',
    message: 'The module exports neither a server nor declarations.',
  },
  {
    name: 'a table in a schema',
    text: artists.replace("('artists')", "('music.artists')").replace(/relations.*/, ''),
    message:
      "The embedded database does not fit the declarations: The table 'music.artists' is in a schema, which an embedded database does not have.",
  },
  {
    name: 'a database without the tables',
    text: `${artists
      .replace('export ', '')
      .replace(/relations.*/, '')
      .replace('model<', 'table<')}
import { DatabaseSync } from '@photostructure/sqlite'
import { sqlData, table } from 'ashlar/sql'
export const server = createServer({ resources: [artists], data: sqlData(new DatabaseSync(':memory:')) })`,
    message: "The database has no table 'artists'",
  },
])('refuses $name', async ({ text, message }) => {
  const folder = sourceFolder({ 'module.ts': text })
  const loading = loadService({ module: join(folder, 'module.ts'), database: ':memory:' })
  await expect(loading).rejects.toMatchObject({ name: 'ServeError', message: expect.stringContaining(message) })
})

test('a column that no longer fits is reported, and the database is left as it is', async () => {
  const folder = sourceFolder({ 'artists.ts': artists.replace(/relations.*/, '') })
  const database = join(folder, 'dev.db')
  const opened = new DatabaseSync(database)
  opened.exec(
    "create table artists (id integer primary key, name text); insert into artists (name) values ('a'), ('a')",
  )
  opened.close()
  await expect(loadService({ module: join(folder, 'artists.ts'), database })).rejects.toThrow(
    /does not fit the declarations: UNIQUE constraint failed: artists\.name\nIf you do not need its data, remove '.*dev\.db'\.$/,
  )
})
