import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { expect, inject, test } from 'vitest'
import { client } from '../../support/client.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const engine = inject('mysqlEngine')
const text = `character set utf8mb4 collate ${engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'}`
const scratch = await scratchMysql([
  `create table artists (id int auto_increment primary key, name varchar(20) ${text} not null unique)`,
  `create table albums (
    id int auto_increment primary key,
    title varchar(10) ${text} not null,
    year smallint,
    price decimal(6, 2),
    artist_id int,
    constraint albums_year check (year >= 1900),
    constraint albums_artist foreign key (artist_id) references artists (id)
  )`,
  `create trigger no_demos before insert on albums for each row
     if new.title = 'demo' then signal sqlstate '45000' set message_text = 'No demos.'; end if`,
  "insert into artists (name) values ('Can')",
])

const statements: string[] = []

const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})

const albums = defineResource('albums', {
  model: table<{ id: number; title: string; year: number | null; price: string | null; artistId: number | null }>(
    'albums',
  ),
  id: id(),
  attributes: (a) => ({ title: a.string(), year: a.integer().nullable(), price: a.decimal().nullable() }),
  relations: { artist: belongsTo('artists').nullable() },
})

const api = client(
  createServer({
    resources: [artists, albums],
    logger: { error: () => undefined },
    data: sqlData(scratch.pool, {
      engine,
      naming: 'snake_case',
      onStatement: ({ sql }) => statements.push(sql),
    }),
  }),
)

function create(type: string, attributes: object, relationships: object = {}) {
  return api.post(`/${type}`, { body: { data: { type, attributes, relationships } } })
}

const artist = (key: string) => ({ artist: { data: { type: 'artists', id: key } } })

test.each([
  ['a taken value', () => create('artists', { name: 'Can' }), 'attributes/name'],
  ['a text that is too long', () => create('albums', { title: 'x'.repeat(11) }), 'attributes/title'],
  ['a number out of range', () => create('albums', { title: 'a', year: 40_000 }), 'attributes/year'],
  ['a decimal out of range', () => create('albums', { title: 'a', price: 12_345.5 }), 'attributes/price'],
  ['a value that a check refuses', () => create('albums', { title: 'a', year: 1899 }), 'attributes/year'],
] as const)('%s is 422 at its member', async (_name, send, member) => {
  expectErrors(await send(), [{ status: 422, code: 'VALIDATION_FAILED', pointer: `/data/${member}` }])
})

test('the sentence of a check says which values are allowed', async () => {
  const { errors } = await create('albums', { title: 'a', year: 1899 })
  expect(errors[0]?.detail).toContain('be at least 1900')
})

test('an error that a trigger raises is 422', async () => {
  expectErrors(await create('albums', { title: 'demo' }), [{ status: 422, pointer: '/data' }])
})

test('a missing row is reported at the relationship', async () => {
  expectErrors(await create('albums', { title: 'a' }, artist('99')), [
    { status: 404, pointer: '/data/relationships/artist/data' },
  ])
})

test('a row that others refer to is not deleted', async () => {
  const { resource } = await create('albums', { title: 'Ege' }, artist('1'))
  expectErrors(await api.delete('/artists/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
  expect((await api.delete(`/albums/${resource.id}`)).status).toBe(204)
})

test('an update without a change finds its row', async () => {
  const body = { data: { type: 'artists', id: '1', attributes: { name: 'Can' } } }
  expect((await api.patch('/artists/1', { body })).status).toBe(200)
})

test.runIf(engine === 'mariadb')('MariaDB inserts a row and returns it by one statement', async () => {
  statements.length = 0
  const { resource } = await create('artists', { name: 'Neu!' })
  expect(resource.attributes).toEqual({ name: 'Neu!' })
  expect(statements.filter((sql) => sql.startsWith('insert'))).toEqual([
    'insert into `artists` (`name`) values (?) returning `id`, `name`',
  ])
  expect(statements.filter((sql) => sql.startsWith('select'))).toEqual([])
})
