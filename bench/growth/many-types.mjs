// @ts-check
/**
 * Starts a service of many types in a fresh process, once, tells how long that took, and ends:
 * `node many-types.mjs postgres <address>`. The times, in milliseconds, are written as JSON.
 */
import { argv, cpuUsage, memoryUsage } from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'
import { typeCount, typeName } from './many-tables.mjs'

/**
 * @typedef {{
 *   id: number, title: string, subtitle: string | null, position: number, rating: number | null, price: string,
 *   explicit: boolean, releasedOn: string | null, addedAt: Date, nextId: number, otherId: number | null,
 * }} ThingRow
 */
/** @typedef {{ time: number, cpu: number }} Spent in milliseconds */
/**
 * `loaded` is from the start of the process to the first line of this file.
 * @typedef {{ loaded: Spent, created: Spent, ready: Spent, types: number, status: number, resident: number }} StartUp
 */

const [engine, place = ''] = argv.slice(2)
const loaded = spentSince({ time: 0, cpu: 0 })
const resources = Array.from({ length: typeCount }, (_, index) => thing(index))
const database = engine === 'postgres' ? new Pool({ connectionString: place, max: 2 }) : new DatabaseSync(place)
const data = sqlData(database, { naming: 'snake_case' })
const server = createServer({ resources, data })
const created = spentSince(loaded)
await server.ready()
const ready = spentSince({ time: loaded.time + created.time, cpu: loaded.cpu + created.cpu })
const resident = memoryUsage.rss()
// The last type is served too. What asks it is loaded now, since services do without.
const { testClient } = await import('ashlar/testing')
const { status } = await testClient(server).get(`/${typeName(-1)}?include=next,previous,other`)
/** @type {StartUp} */
const told = { loaded, created, ready, types: resources.length, status, resident }
console.log(JSON.stringify(told))
if (database instanceof Pool) await database.end()
else {
  data.close()
  database.close()
}

/** @param {Spent} before @returns {Spent} */
function spentSince(before) {
  const { user, system } = cpuUsage()
  return { time: performance.now() - before.time, cpu: (user + system) / 1000 - before.cpu }
}

/** @param {number} index */
function thing(index) {
  const model = /** @type {import('ashlar/sql').TableModel<ThingRow>} */ (
    /** @type {unknown} */ (table(typeName(index)))
  )
  return defineResource(typeName(index), {
    model,
    id: id(),
    attributes: (a) => ({
      title: a.string().required().maxLength(200).sortable(),
      subtitle: a.string().nullable(),
      position: a.integer().required().min(1),
      rating: a.decimal().nullable(),
      price: a.decimal().required().min(0),
      explicit: a.boolean(),
      releasedOn: a.date().nullable(),
      addedAt: a.dateTime().readOnly(),
    }),
    relations: {
      next: belongsTo(typeName(index + 1)).required(),
      previous: hasMany(typeName(index - 1)).via('nextId'),
      other: belongsTo(typeName(index + 7)).nullable(),
    },
    filters: (f) => ({ title: f.contains(), position: f.range() }),
  })
}
