import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { sqlData } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../support/empty-databases.js'

const tables = {
  PostgreSQL: () => {
    const visits = pg.pgTable(
      'visits',
      { at: pg.timestamp('visited_at', { withTimezone: true }).notNull(), place: pg.uuid().notNull(), note: pg.text() },
      (t) => [pg.primaryKey({ columns: [t.at, t.place] })],
    )
    const photos = pg.pgTable(
      'photos',
      { id: pg.serial().primaryKey(), takenAt: pg.timestamp('taken_at', { withTimezone: true }), spot: pg.uuid() },
      // In another order than the key.
      (t) => [pg.foreignKey({ columns: [t.spot, t.takenAt], foreignColumns: [visits.place, visits.at] })],
    )
    return { visits: table(visits), photos: table(photos) }
  },
  SQLite: () => {
    const visits = lite.sqliteTable(
      'visits',
      {
        at: lite.integer('visited_at', { mode: 'timestamp_ms' }).notNull(),
        place: lite.text().notNull(),
        note: lite.text(),
      },
      (t) => [lite.primaryKey({ columns: [t.at, t.place] })],
    )
    const photos = lite.sqliteTable(
      'photos',
      {
        id: lite.integer().primaryKey(),
        takenAt: lite.integer('taken_at', { mode: 'timestamp_ms' }),
        spot: lite.text(),
      },
      (t) => [lite.foreignKey({ columns: [t.spot, t.takenAt], foreignColumns: [visits.place, visits.at] })],
    )
    return { visits: table(visits), photos: table(photos) }
  },
}

const key = '11111111-2222-4333-8444-555555555555'
const day = new Date('2024-05-06T07:08:09.123Z')
const wireId = [day.toISOString(), key].map((part) => part.replaceAll('-', '~-')).join('-')

describe.each(emptyDatabases)('A composite primaryKey() on %s', (engine, open) => {
  const types =
    engine === 'PostgreSQL'
      ? { moment: 'timestamptz', uuid: 'uuid', value: `'${day.toISOString()}'` }
      : { moment: 'integer', uuid: 'text', value: String(day.getTime()) }

  let scratch: EmptyDatabase
  afterEach(() => scratch.end())

  test('is the id, and foreign keys refer to it', async () => {
    scratch = await open()
    await scratch.run(`
      create table visits (visited_at ${types.moment} not null, place ${types.uuid} not null, note text, primary key (visited_at, place));
      create table photos (id ${engine === 'SQLite' ? 'integer primary key' : 'serial primary key'}, taken_at ${types.moment}, spot ${types.uuid},
        foreign key (spot, taken_at) references visits (place, visited_at));
      create index photos_of_visit on photos (taken_at, spot);
      insert into visits values (${types.value}, '${key}', 'First'), (${types.value}, '${key.replace('1', '9')}', 'Other');
      insert into photos (taken_at, spot) values (${types.value}, '${key}'), (null, null);
    `)
    const models = tables[engine]()
    const visits = defineResource('visits', {
      model: models.visits,
      id: id().requireClientId(),
      attributes: (a) => ({ note: a.string().nullable() }),
      relations: { photos: hasMany('photos') },
    })
    const photos = defineResource('photos', {
      model: models.photos,
      id: id(),
      relations: { visit: belongsTo('visits').nullable() },
    })
    const server = createServer({ resources: [visits, photos], data: sqlData(scratch.database) })
    expect(await server.inspect()).toMatchObject({ missing: [], unsound: [] })
    const api = client(server)
    const path = `/visits/${encodeURIComponent(wireId)}`
    expect((await api.get(path)).resource).toMatchObject({ id: wireId, attributes: { note: 'First' } })
    expect((await api.get(`${path}/photos`)).resources.map((each) => each.id)).toEqual(['1'])
    expect((await api.get('/photos/1')).resource.relationships?.['visit']?.data).toEqual({ type: 'visits', id: wireId })
    const body = { data: { type: 'visits', id: wireId, attributes: { note: 'Changed' } } }
    expect((await api.patch(path, { body })).resource.attributes).toEqual({ note: 'Changed' })
    expect(await scratch.rows('select note from visits order by note')).toEqual([
      { note: 'Changed' },
      { note: 'Other' },
    ])
    const link = { body: { data: { type: 'visits', id: wireId } } }
    expect((await api.patch('/photos/2/relationships/visit', link)).status).toBeLessThan(300)
    expectErrors(await api.delete(path), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expect((await api.patch(`${path}/relationships/photos`, { body: { data: [] } })).status).toBeLessThan(300)
    expect((await api.delete(path)).status).toBe(204)
    expect(await scratch.rows('select note from visits')).toEqual([{ note: 'Other' }])
  })
})
