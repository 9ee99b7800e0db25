// @ts-check
/** The start-up time and the memory of the example. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { receivedResponse, differenceOf } from '../responses.mjs'
import { median } from '../choices.mjs'
import { firstResponses, connections, mb } from './memory.mjs'

/** @typedef {import('../processes.mjs').ServerProcess} ServerProcess */
/** @typedef {ServerProcess & { end(): Promise<unknown> }} Example */

/** The token of one of the first users. */
const token = { Authorization: 'Bearer dev-alice' }

/**
 * Measures the example as `npm start` runs it, on SQLite, with requests like the ones that it prints.
 * @param {{
 *   measure: import('./memory.mjs').Measure, faults: string[], requests: number, starts: number, cleanups: (() => unknown)[],
 * }} bench
 */
export async function exampleCost({ measure, faults, requests: count, starts, cleanups }) {
  const main = new URL('../../examples/music/dist/main.js', import.meta.url)
  if (!existsSync(main)) return [['The example is not built: npm run build:example']]
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-growth-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  // Creates the database.
  await (await startExample(main, folder)).end()
  /** @type {{ time: number, cpu: number, resident: number }[]} */
  const started = []
  for (let time = 0; time < starts; time += 1) started.push(await firstResponse(main, folder, faults))

  const server = await startExample(main, folder)
  cleanups.push(() => server.end())
  const requests = [
    '/albums/1?include=artist,tracks&fields[tracks]=displayTitle',
    '/tracks?filter[genres]=jazz,electronic&sort=-title&page[size]=3',
    '/albums',
    '/artists/1',
    '/tracks?include=album.artist',
  ].map((path) => ({ method: 'GET', path, headers: token }))
  const before = await firstResponses(server, requests)
  await measure(server, { requests, count, connections, status: 200 })
  const ended = await server.usage()
  for (const [index, reply] of (await firstResponses(server, requests)).entries()) {
    const difference = before[index] === undefined ? null : differenceOf(reply, before[index])
    if (difference !== null) faults.push(`The example responds differently after ${count} requests. ${difference}`)
  }
  const medianOf = (/** @type {'time' | 'cpu' | 'resident'} */ what) => median(started.map((each) => each[what]))
  return [
    ['', 'time', 'CPU', 'resident'],
    [
      'from the start of the process to the first response',
      `${medianOf('time').toFixed(0)} ms`,
      `${(medianOf('cpu') / 1000).toFixed(0)} ms`,
      mb(medianOf('resident')),
    ],
    [`after ${count.toLocaleString('en')} requests`, '', '', mb(ended.resident)],
  ]
}

/** @param {URL} main @param {string} folder @param {string[]} faults */
async function firstResponse(main, folder, faults) {
  const begun = performance.now()
  const server = await startExample(main, folder)
  const { status } = await receivedResponse(server.port, { method: 'GET', path: '/albums', headers: token })
  const time = performance.now() - begun
  const usage = await server.usage()
  if (status !== 200) faults.push(`The first response of the example has the status ${status}.`)
  await server.end()
  return { time, ...usage }
}

/** @param {URL} main @param {string} folder @returns {Promise<Example>} */
async function startExample(main, folder) {
  const { DATABASE_URL: _, ...rest } = env
  const child = fork(fileURLToPath(main), [], {
    execArgv: ['--import', new URL('watched.mjs', import.meta.url).href],
    env: { ...rest, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  if (child.stdout === null) throw new Error('The example has no output.')
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([once(lines, 'line'), gone])
  const port = Number(/http:\/\/[^\s:]+:(\d+)/.exec(String(line))?.[1])
  if (!(port > 0)) throw new Error(`The example does not print its URL: ${line}`)
  return {
    port,
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    end() {
      child.kill('SIGTERM')
      return gone
    },
  }
}
