// @ts-check
/**
 * How much more several processes on one port do than one: `node bench/workers.mjs [--engine sqlite] [--workers 2] [--rounds 5]`. All of them, the
 * database and the load share the cores of the machine, so that the figures are a lower bound.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCatalogue } from './music/tables.mjs'
import { ownSchema } from './own-schema.mjs'
import { startLoad, startServer } from './processes.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: given } = parseArgs({
  options: {
    engine: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    rounds: { type: 'string', default: '5' },
  },
})
const counts = [1, Number(given.workers)]
const measured = workloads.filter(({ name }) => ['W1', 'W2', 'W5'].includes(name))

for (const engine of /** @type {Engine[]} */ (given.engine === undefined ? ['postgres', 'sqlite'] : [given.engine])) {
  /** @type {(() => unknown)[]} */
  const ending = []
  try {
    await measureOn(engine, ending)
  } finally {
    for (const end of ending.toReversed()) await end()
  }
}

/** @param {Engine} engine @param {(() => unknown)[]} ending */
async function measureOn(engine, ending) {
  const place = engine === 'postgres' ? await ownSchema('workers', ending) : ownFile(ending)
  const catalogue = await createCatalogue(engine, place, 'mixed')
  ending.push(() => catalogue.close())
  console.log(`\n${catalogue.version}`)
  const script = new URL('targets/workers.mjs', import.meta.url)
  const servers = await Promise.all(
    counts.map((count) =>
      startServer(script, [String(count), 'ashlar', engine, place], { pinned: false, flags: [], ending }),
    ),
  )
  const measure = startLoad(ending)
  for (const { name, title, request, requests, status } of measured) {
    const order = {
      requests: Array.from({ length: requests }, (_, index) => request(index)),
      count: requests,
      connections: 32,
      status,
    }
    /** @type {number[][]} */
    const rates = servers.map(() => [])
    for (let round = -1; round < Number(given.rounds); round += 1) {
      for (const [index, server] of servers.entries()) {
        const { seconds } = await measure(server, order)
        // The first round warms up.
        if (round >= 0) rates[index]?.push(requests / seconds)
      }
    }
    const [one = 0, several = 0] = rates.map(median)
    console.log(
      `${name} ${title}: 1 process ${one.toFixed(0)} a second, ${counts[1]} processes ${several.toFixed(0)}, ${(several / one).toFixed(2)} times as many`,
    )
  }
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** @param {(() => unknown)[]} ending */
function ownFile(ending) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-workers-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
