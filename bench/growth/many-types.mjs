// @ts-check
/**
 * Starts a service of many types once, prints the times in milliseconds as JSON, and ends:
 * `node many-types.mjs postgres <address>`.
 */
import { get } from 'node:http'
import { argv, cpuUsage, memoryUsage } from 'node:process'
import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { listen } from 'ashlar/node'
import { sqlData, table } from 'ashlar/sql'
import { typeCount, typeName } from './many-tables.mjs'

/**
 * @typedef {{
 *   id: number, title: string, subtitle: string | null, position: number, rating: number | null, price: string,
 *   explicit: boolean, releasedOn: string | null, addedAt: Date, nextId: number, otherId: number | null,
 * }} ThingRow
 */
/** @typedef {{ time: number, cpu: number }} Spent in milliseconds */
/**
 * `loaded` is from the start of the process until all modules are loaded, `firstResponse` from `ready()` to the first
 * response over HTTP.
 * @typedef {{
 *   loaded: Spent, created: Spent, ready: Spent, firstResponse: Spent, types: number, status: number, resident: number,
 * }} StartUp
 */

const [engine, location = ''] = argv.slice(2)
const database = await opened()
const loaded = spentSince({ time: 0, cpu: 0 })
const resources = Array.from({ length: typeCount }, (_, index) => thing(index))
const data = sqlData(database, { naming: 'snake_case' })
const server = createServer({ resources, data })
const created = spentSince(loaded)
await server.ready()
const ready = spentSince(sum(loaded, created))
const listening = await listen(server, { host: '127.0.0.1', port: 0 })
const first = await statusOf(`${listening.url}/${typeName(0)}`)
const firstResponse = spentSince(sum(loaded, created, ready))
const resident = memoryUsage.rss()
await listening.close()
// Checks the last type too. The test client is loaded only now, because services do not need it.
const { testClient } = await import('ashlar/testing')
const last = await testClient(server).get(`/${typeName(-1)}?include=next,previous,other`)
const status = first === 200 ? last.status : first
/** @type {StartUp} */
const startUp = { loaded, created, ready, firstResponse, types: resources.length, status, resident }
console.log(JSON.stringify(startUp))
data.close()
if ('end' in database) await database.end()
else database.close()

/** Loads one driver, as a service does. */
async function opened() {
  if (engine === 'postgres') {
    const { Pool } = await import('pg')
    return new Pool({ connectionString: location, max: 2 })
  }
  const { DatabaseSync } = await import('@photostructure/sqlite')
  return new DatabaseSync(location)
}

/** @param {Spent} before @returns {Spent} */
function spentSince(before) {
  const { user, system } = cpuUsage()
  return { time: performance.now() - before.time, cpu: (user + system) / 1000 - before.cpu }
}

/** @param {...Spent} parts @returns {Spent} */
function sum(...parts) {
  return parts.reduce((all, { time, cpu }) => ({ time: all.time + time, cpu: all.cpu + cpu }))
}

/** @param {string} url @returns {Promise<number>} */
function statusOf(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
    request.on('error', reject)
  })
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
