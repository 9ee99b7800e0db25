// @ts-check
/** The other servers, with their workloads and their requests. */
import { workloads } from '../workloads.mjs'
import { asDocument, translations } from './postgraphile/requests.mjs'

/** @typedef {import('../workloads.mjs').Request} Request */
/**
 * `requests` has the requests of a workload as the peer takes them. `asDocument` makes a document of JSON:API of its response. `status` has
 * the status of successful responses, if it is another.
 * @typedef {{
 *   name: string, engine: 'postgres', script: URL, workloads: readonly string[],
 *   requests: Readonly<Record<string, (index: number) => Request>>,
 *   asDocument?: (response: import('../responses.mjs').ReceivedResponse) => import('../responses.mjs').ReceivedResponse,
 *   status?: Readonly<Record<string, number>>,
 * }} Peer
 */

const all = ['W1', 'W2', 'W3', 'W4', 'W5', 'W8']

/** @type {readonly Peer[]} */
export const peers = [
  peer('fastify-drizzle', all, {}),
  peer('express-prisma', all, {}),
  peer('json-api-nestjs', all, {
    'sort=-releasedAt': 'sort=-releasedAt,-id',
    'page[size]=': 'page[number]=1&page[size]=',
    'filter[status]=': 'filter[status][eq]=',
    'filter[title]=': 'filter[title][like]=',
  }),
  // It has no filter for a part of a text, and cannot sort by id.
  peer('fortune', ['W1', 'W2', 'W3', 'W5'], { 'page[size]=': 'page[limit]=' }),
  peer('zenstack', all, {
    'sort=-releasedAt': 'sort=-releasedAt,-id',
    'page[size]=': 'page[limit]=',
    'filter[title]=': 'filter[title$icontains]=',
  }),
  {
    ...translated('postgraphile', all, (request, workload) => translations[workload]?.(request) ?? request),
    asDocument,
    status: { W5: 200 },
  },
]

/**
 * @param {string} name also the name of its folder
 * @param {readonly string[]} names of workloads
 * @param {Readonly<Record<string, string>>} words replacements in paths
 * @returns {Peer}
 */
function peer(name, names, words) {
  return translated(name, names, (request) => {
    let { path } = request
    for (const [ours, its] of Object.entries(words)) path = path.replace(encoded(ours), () => encoded(its))
    return { ...request, path }
  })
}

/** Brackets are encoded in the paths of the workloads. @param {string} words */
function encoded(words) {
  return words.replaceAll('[', '%5B').replaceAll(']', '%5D')
}

/**
 * @param {string} name @param {readonly string[]} names @param {(request: Request, workload: string) => Request} translate
 * @returns {Peer}
 */
function translated(name, names, translate) {
  const taken = workloads.filter((workload) => names.includes(workload.name))
  return {
    name,
    engine: 'postgres',
    script: new URL(`${name}/server.mjs`, import.meta.url),
    workloads: names,
    requests: Object.fromEntries(
      taken.map(({ name: key, request }) => [key, (index) => translate(request(index), key)]),
    ),
  }
}
