// @ts-check
/** The cost of requests for larger and for deeper pages. */
import { receivedResponse, deepRequest } from '../responses.mjs'
import { albumCount, albumRows } from '../music/rows.mjs'
import { fanAlbums, fans, fanStatus } from './fan-out.mjs'

/** @typedef {import('../processes.mjs').ServerProcess} ServerProcess */
/** @typedef {import('../workloads.mjs').Request} Request */
/**
 * `share` is the part of a round's requests that is sent, `rounds` the number of measured rounds.
 * @typedef {{
 *   server: ServerProcess, measure: ReturnType<typeof import('../processes.mjs').startLoad>, faults: string[],
 *   rounds: number, share: number,
 * }} Bench
 */
/** `count` is the number of requests of a round. @typedef {{ request: Request, count: number }} Case */

const connections = 4
const newestFirst = '/albums?sort=-releasedAt'
/** The ids of the catalogue's albums in that order. */
const ordered = albumRows()
  .toSorted((one, other) => other.released_at.localeCompare(one.released_at) || other.id - one.id)
  .map(({ id }) => String(id))

/** Measures pages of 1 to 1,000 albums. @param {Bench} bench @returns {Promise<string[][]>} */
export async function pageCost(bench) {
  const sizes = [1, 10, 100, 1000]
  const requests = sizes.map((size) => get(`${newestFirst}&page[size]=${size}`))
  for (const [index, request] of requests.entries()) {
    const { document } = await receivedResponse(bench.server.port, request)
    expectIds(bench, request, document.data, ordered.slice(0, sizes[index]))
  }
  const counts = [4000, 3000, 600, 80]
  const costs = await inTurns(
    bench,
    requests.map((request, index) => ({ request, count: counts[index] ?? 1 })),
  )
  return withSlopes(costs, { names: sizes.map((size) => `${size} albums`), resources: sizes })
}

/** Measures ten albums that include 1 to 100 tracks each. @param {Bench} bench @returns {Promise<string[][]>} */
export async function fanOutCost(bench) {
  const requests = fans.map((fan) => get(`/albums?filter[status]=${fanStatus(fan)}&include=tracks&page[size]=100`))
  for (const [index, request] of requests.entries()) {
    const { document } = await receivedResponse(bench.server.port, request)
    checkFans(bench, request, document, fans[index] ?? 0)
  }
  const counts = [2500, 1200, 200]
  const costs = await inTurns(
    bench,
    requests.map((request, index) => ({ request, count: counts[index] ?? 1 })),
  )
  const names = fans.map((fan) => `${fanAlbums} albums of ${fan} tracks`)
  return withSlopes(costs, { names, resources: fans.map((fan) => fanAlbums * (1 + fan)) })
}

/** Measures pages of 50 at several depths. @param {Bench} bench @returns {Promise<string[][]>} */
export async function depthCost(bench) {
  const depths = [0, 2500, 5000, 7500, albumCount - 50]
  /** @type {Request[]} */
  const requests = []
  for (const depth of depths) {
    const before = requests.at(-1) ?? get(`${newestFirst}&page[size]=50`)
    // Starts at the previous depth, so that no page is read twice.
    const walked = depth - (depths[requests.length - 1] ?? 0)
    const request = await deepRequest(bench.server.port, before, walked)
    const { document } = await receivedResponse(bench.server.port, request)
    expectIds(bench, request, document.data, ordered.slice(depth, depth + 50))
    requests.push(request)
  }
  const costs = await inTurns(
    bench,
    requests.map((request) => ({ request, count: 1000 })),
  )
  return [
    ['', 'CPU/request', 'of the first'],
    ...costs.map((cost, index) => [
      `from row ${(depths[index] ?? 0).toLocaleString('en')}`,
      `${cost.toFixed(0)} µs`,
      (cost / (costs[0] ?? cost)).toFixed(2),
    ]),
  ]
}

/**
 * Returns the cost that each resource adds to the smallest document, without the fixed cost of a request.
 * @param {readonly number[]} costs @param {{ names: readonly string[], resources: readonly number[] }} of
 */
function withSlopes(costs, { names, resources }) {
  const [least = 0] = costs
  const [fewest = 0] = resources
  const slopes = costs.map((cost, index) => (cost - least) / ((resources[index] ?? 0) - fewest))
  const last = slopes.at(-1) ?? 0
  return [
    ['', 'CPU/request', 'CPU/resource', 'of the largest'],
    ...costs.map((cost, index) => [
      names[index] ?? '',
      `${cost.toFixed(0)} µs`,
      index === 0 ? '-' : `${(slopes[index] ?? 0).toFixed(2)} µs`,
      index === 0 ? '-' : ((slopes[index] ?? 0) / last).toFixed(2),
    ]),
  ]
}

/**
 * Returns the medians of the CPU time per request, in microseconds. The order of the cases alternates.
 * @param {Bench} bench @param {readonly Case[]} cases
 * @returns {Promise<number[]>}
 */
async function inTurns({ server, measure, rounds, share }, cases) {
  const runs = cases.map((one) => ({ ...one, costs: /** @type {number[]} */ ([]) }))
  for (let round = -1; round < rounds; round += 1) {
    for (const { request, count, costs } of round % 2 === 0 ? runs : runs.toReversed()) {
      // V8 optimizes code while it runs, so the warm-up round has all its requests.
      const sent = Math.max(20, Math.ceil(count * (round < 0 ? 1 : share)))
      const { cpu } = await measure(server, { requests: [request], count: sent, connections, status: 200 })
      if (round >= 0) costs.push(cpu)
    }
  }
  return runs.map(({ costs }) => costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 0)
}

/** @param {Bench} bench @param {Request} request @param {any} document @param {number} fan */
function checkFans({ faults }, { path }, document, fan) {
  /** @type {string[]} */
  const linked = document.data.flatMap((/** @type {any} */ { relationships }) =>
    relationships.tracks.data.map((/** @type {any} */ { id }) => id),
  )
  const included = new Set(document.included.map((/** @type {any} */ { id }) => id))
  const isWhole = document.data.length === fanAlbums && linked.length === fanAlbums * fan
  const isOnce = included.size === document.included.length && included.size === linked.length
  if (!isWhole || !isOnce || !linked.every((id) => included.has(id)))
    faults.push(
      `${path}: ${document.data.length} albums link to ${linked.length} tracks, ${included.size} are included.`,
    )
}

/** @param {Bench} bench @param {Request} request @param {readonly any[]} data @param {readonly string[]} expected */
function expectIds({ faults }, { path }, data, expected) {
  const wrong = expected.findIndex((id, index) => data[index]?.id !== id)
  if (data.length !== expected.length) faults.push(`${path}: ${data.length} resources instead of ${expected.length}.`)
  else if (wrong !== -1) faults.push(`${path}: '${data[wrong]?.id}' instead of '${expected[wrong]}'.`)
}

/** @param {string} path @returns {Request} */
function get(path) {
  return { method: 'GET', path }
}
