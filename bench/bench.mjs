// @ts-check
/**
 * CPU time of the server process per request: a server written by hand against the same service declared with Ashlar,
 * in turns, in one run. The ratio is what counts; the microseconds are those of this machine today. Needs a build.
 *
 *   node bench/bench.mjs            the usual run, about a minute
 *   node bench/bench.mjs 0.1        a tenth of the requests, for a glance
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const share = Number(argv[2] ?? 1)
const rounds = 7
const connections = 16
const workloads = [
  { name: 'one resource', path: '/albums/7', requests: Math.ceil(8000 * share) },
  { name: 'a list of 50', path: '/albums', requests: Math.ceil(2000 * share) },
]

/** @typedef {{ name: string, port: number, child: import('node:child_process').ChildProcess, agent: Agent }} Contender */

const contenders = [await start('by-hand'), await start('ashlar')]
const [byHand, ashlar] = contenders
assert(byHand !== undefined && ashlar !== undefined)

console.log('CPU per request of the server process; ratio = by hand / Ashlar, higher is better.\n')
for (const { name, path, requests } of workloads) {
  assert.deepEqual(await answer(ashlar, path), await answer(byHand, path), `${path} is not the same on both`)
  /** @type {Map<Contender, number[]>} */
  const costs = new Map(contenders.map((contender) => [contender, []]))
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const cost = await measure(contender, path, requests)
      if (round > 0) costs.get(contender)?.push(cost)
    }
  }
  const [hand, own] = contenders.map((contender) => median(costs.get(contender) ?? []))
  assert(hand !== undefined && own !== undefined)
  console.log(`${name.padEnd(14)} by hand ${micros(hand)}   Ashlar ${micros(own)}   ratio ${(hand / own).toFixed(2)}`)
}
for (const contender of contenders) {
  const { resident } = await ask(contender)
  console.log(`${`memory, ${contender.name}`.padEnd(18)} ${(resident / 2 ** 20).toFixed(0)} MB resident`)
  contender.agent.destroy()
  contender.child.disconnect()
}

/** @param {string} name @returns {Promise<Contender>} */
async function start(name) {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [name])
  const [{ port }] = await once(child, 'message')
  return { name, port, child, agent: new Agent({ keepAlive: true, maxSockets: connections }) }
}

/** @param {Contender} contender @param {string} path @param {number} requests microseconds per request */
async function measure(contender, path, requests) {
  const before = await ask(contender)
  let left = requests
  const client = async () => {
    while (left > 0) {
      left -= 1
      await fetchText(contender, path)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const after = await ask(contender)
  return (after.cpu - before.cpu) / requests
}

/** @param {Contender} contender @returns {Promise<{ cpu: number, resident: number }>} */
async function ask({ child }) {
  child.send('usage')
  const [usage] = await once(child, 'message')
  return usage
}

/** The document without what differs by port. @param {Contender} contender @param {string} path */
async function answer(contender, path) {
  const text = await fetchText(contender, path)
  return JSON.parse(text.replaceAll(`:${contender.port}`, ''))
}

/** @param {Contender} contender @param {string} path @returns {Promise<string>} */
function fetchText({ port, agent }, path) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** @param {number} value */
function micros(value) {
  return `${value.toFixed(0).padStart(5)} µs`
}
