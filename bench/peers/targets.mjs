// @ts-check
/** The other servers, with their workloads and their requests. */
import { workloads } from '../workloads.mjs'

/** @typedef {import('../workloads.mjs').Request} Request */
/**
 * `paths` has the requests of a workload with the query parameters of the peer.
 * @typedef {{
 *   name: string, engine: 'postgres', script: URL, workloads: readonly string[],
 *   paths: Readonly<Record<string, (index: number) => Request>>,
 * }} Peer
 */

/** @type {readonly Peer[]} */
export const peers = [
  peer('fastify-drizzle', ['W1', 'W2', 'W3', 'W4', 'W5'], {}),
  peer('json-api-nestjs', ['W1', 'W2', 'W3', 'W4', 'W5'], {
    'sort=-releasedAt': 'sort=-releasedAt,-id',
    'page[size]=': 'page[number]=1&page[size]=',
    'filter[status]=': 'filter[status][eq]=',
    'filter[title]=': 'filter[title][like]=',
  }),
  // It has no filter for a part of a text, and cannot sort by id.
  peer('fortune', ['W1', 'W2', 'W3', 'W5'], { 'page[size]=': 'page[limit]=' }),
  peer('zenstack', ['W1', 'W2', 'W3', 'W4', 'W5'], {
    'sort=-releasedAt': 'sort=-releasedAt,-id',
    'page[size]=': 'page[limit]=',
    'filter[title]=': 'filter[title$icontains]=',
  }),
]

/**
 * @param {string} name also the name of its folder
 * @param {readonly string[]} names of workloads
 * @param {Readonly<Record<string, string>>} words replacements in paths
 * @returns {Peer}
 */
function peer(name, names, words) {
  /** @param {Request} request @returns {Request} */
  const translated = (request) => {
    let { path } = request
    for (const [ours, its] of Object.entries(words)) path = path.replace(ours, () => its)
    return { ...request, path }
  }
  const taken = workloads.filter((workload) => names.includes(workload.name))
  return {
    name,
    engine: 'postgres',
    script: new URL(`${name}/server.mjs`, import.meta.url),
    workloads: names,
    paths: Object.fromEntries(taken.map(({ name: key, request }) => [key, (index) => translated(request(index))])),
  }
}
