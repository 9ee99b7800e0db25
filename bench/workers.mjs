// @ts-check
/**
 * Compares one process with several processes on one port: `node bench/workers.mjs [--engine sqlite] [--workers 2] [--rounds 5]`. The processes, the
 * database and the load share the cores of the machine, so the figures are a lower bound.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCatalogue } from './music/tables.mjs'
import { temporarySchema } from './temporary-schema.mjs'
import { startLoad, startServer } from './processes.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./music/tables.mjs').Engine} Engine */

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    rounds: { type: 'string', default: '5' },
  },
})
const counts = [1, Number(options.workers)]
const measured = workloads.filter(({ name }) => ['W1', 'W2', 'W5'].includes(name))

for (const engine of /** @type {Engine[]} */ (
  options.engine === undefined ? ['postgres', 'sqlite'] : [options.engine]
)) {
  /** @type {(() => unknown)[]} */
  const cleanups = []
  try {
    await measureOn(engine, cleanups)
  } finally {
    for (const end of cleanups.toReversed()) await end()
  }
}

/** @param {Engine} engine @param {(() => unknown)[]} cleanups */
async function measureOn(engine, cleanups) {
  const location = engine === 'postgres' ? await temporarySchema('workers', cleanups) : temporaryFile(cleanups)
  const catalogue = await createCatalogue(engine, location, 'mixed')
  cleanups.push(() => catalogue.close())
  console.log(`\n${catalogue.version}`)
  const script = new URL('targets/workers.mjs', import.meta.url)
  const servers = await Promise.all(
    counts.map((count) =>
      startServer(script, [String(count), 'ashlar', engine, location], { pinned: false, flags: [], cleanups }),
    ),
  )
  const measure = startLoad(cleanups)
  for (const { name, title, request, requests, status } of measured) {
    const order = {
      requests: Array.from({ length: requests }, (_, index) => request(index)),
      count: requests,
      connections: 32,
      status,
    }
    /** @type {number[][]} */
    const rates = servers.map(() => [])
    for (let round = -1; round < Number(options.rounds); round += 1) {
      for (const [index, server] of servers.entries()) {
        const { seconds } = await measure(server, order)
        // The first round warms up.
        if (round >= 0) rates[index]?.push(requests / seconds)
      }
    }
    const [one = 0, several = 0] = rates.map(median)
    console.log(
      `${name} ${title}: 1 process ${one.toFixed(0)} per second, ${counts[1]} processes ${several.toFixed(0)}, ${(several / one).toFixed(2)} times as many`,
    )
  }
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** @param {(() => unknown)[]} cleanups */
function temporaryFile(cleanups) {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-workers-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'music.sqlite')
}
