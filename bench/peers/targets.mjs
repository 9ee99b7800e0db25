// @ts-check
/** The other servers, what each can do, and how each wants to be asked for it. */
import { workloads } from '../workloads.mjs'

/** @typedef {import('../workloads.mjs').Request} Request */
/**
 * `paths` asks for the same as the workload, in the peer's own words.
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
  // It has no filter for a part of a text, and does not sort by id.
  peer('fortune', ['W1', 'W2', 'W3', 'W5'], { 'page[size]=': 'page[limit]=' }),
  peer('zenstack', ['W1', 'W2', 'W3', 'W4', 'W5'], {
    'sort=-releasedAt': 'sort=-releasedAt,-id',
    'page[size]=': 'page[limit]=',
    'filter[title]=': 'filter[title$icontains]=',
  }),
]

/**
 * @param {string} name that of its folder too
 * @param {readonly string[]} names of workloads
 * @param {Readonly<Record<string, string>>} words by what the workload says
 * @returns {Peer}
 */
function peer(name, names, words) {
  /** @param {Request} request @returns {Request} */
  const inItsWords = (request) => {
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
    paths: Object.fromEntries(taken.map(({ name: key, request }) => [key, (index) => inItsWords(request(index))])),
  }
}
