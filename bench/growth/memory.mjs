// @ts-check
/** The memory of servers over many requests. */
import { receivedResponse, differenceOf } from '../responses.mjs'
import { workloads } from '../workloads.mjs'

/** @typedef {import('../processes.mjs').ServerProcess} ServerProcess */
/** @typedef {import('../workloads.mjs').Request} Request */
/** @typedef {ReturnType<typeof import('../processes.mjs').startLoad>} Measure */
/** @typedef {{ server: ServerProcess, measure: Measure, faults: string[], requests: number }} MemoryBench */

export const connections = 16
const steps = 10

/** Measures resident memory and heap over requests of the first four workloads. @param {MemoryBench} bench */
export async function memoryOver({ server, measure, faults, requests: all }) {
  const requests = mixedRequests()
  const before = await firstResponses(server, requests)
  const lines = [['requests', 'heap used', 'resident']]
  /** @type {{ heapUsed: number, resident: number }[]} */
  const samples = []
  for (let step = 1; step <= steps; step += 1) {
    const count = Math.round(all / steps)
    await measure(server, { requests, count, connections, status: 200 })
    const sample = /** @type {{ heapUsed: number, resident: number }} */ (/** @type {unknown} */ (await server.usage()))
    samples.push(sample)
    lines.push([(count * step).toLocaleString('en'), mb(sample.heapUsed), mb(sample.resident)])
  }
  const after = await firstResponses(server, requests)
  for (const [index, response] of after.entries()) {
    const difference = before[index] === undefined ? null : differenceOf(response, before[index])
    if (difference !== null) faults.push(`After ${all} requests a response is different. ${difference}`)
  }
  // The first third warms up: code is compiled, connections are opened, statements are cached.
  const [warm, last] = [samples[Math.floor(steps / 3)], samples.at(-1)]
  const grown = (/** @type {'heapUsed' | 'resident'} */ what) =>
    signed(((last?.[what] ?? 0) - (warm?.[what] ?? 0)) / 2 ** 20)
  lines.push(['since the fourth', `${grown('heapUsed')} MB`, `${grown('resident')} MB`])
  return lines
}

/** Returns mostly small requests: of ten requests four are W1, two W2, one W3 and three W4. */
function mixedRequests() {
  const turns = ['W1', 'W4', 'W1', 'W2', 'W1', 'W4', 'W3', 'W1', 'W2', 'W4']
  return Array.from({ length: 1000 }, (_, index) => {
    const workload = workloads.find(({ name }) => name === turns[index % turns.length])
    if (workload === undefined) throw new Error('A workload does not exist.')
    return workload.request(index)
  })
}

/** Returns the first 30 responses, which are enough to detect wrong documents. @param {ServerProcess} server @param {readonly Request[]} requests */
export async function firstResponses(server, requests) {
  const responses = []
  for (const request of requests.slice(0, 30)) responses.push(await receivedResponse(server.port, request))
  return responses
}

/** @param {number} bytes */
export function mb(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`
}
