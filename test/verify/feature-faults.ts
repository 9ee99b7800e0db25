import { document, header, type Loose, status } from './changes.js'
import type { Change } from './handle-transport.js'
import type { Fault } from './reading-faults.js'

/** Changes the text of exports in a format. */
function exported(mediaType: string, change: (text: string) => string): Change {
  return {
    response(response) {
      const isExport = response.headers.get('content-type')?.startsWith(mediaType) === true
      return isExport ? { ...response, text: change(response.text) } : response
    },
  }
}

const lines = 'application/x-ndjson'

/** Faults of features that the OpenAPI document announces. */
export const featureFaults: readonly Fault[] = [
  {
    is: 'ignores the bodies of QUERY requests',
    violates: 'query-equivalent',
    by: () => ({ request: (sent) => (sent.method === 'QUERY' && sent.body !== 'a' ? { ...sent, body: '' } : sent) }),
  },
  { is: 'does not serve QUERY requests', violates: 'query-equivalent', by: () => status(/^QUERY/, 405) },
  {
    is: 'responds to QUERY requests with fewer resources',
    violates: 'query-equivalent',
    by: () => document(/^QUERY \/albums$/, (each: Loose) => each.data.pop()),
  },
  {
    is: 'reads any body as a query',
    violates: 'query-media-type',
    outcome: 'warned',
    by: () => status((request) => request.headers['Content-Type'] === 'text/x-ashlar-verify', 200),
  },
  {
    is: 'does not name the media types of queries',
    violates: 'query-accept-query',
    outcome: 'warned',
    by: () => header(/^QUERY/, 'Accept-Query', null),
  },
  {
    is: 'passes quotation marks on to its search engine',
    violates: 'filter-odd-texts',
    by: () => status(/^GET \/albums\?filter\[words\]=.*"/, 500),
  },
  {
    is: 'cuts off exports within a line',
    violates: 'export-complete',
    by: () => exported(lines, (text) => text.slice(0, -5)),
  },
  {
    is: 'cuts off exports in CSV',
    violates: 'export-complete',
    by: () => exported('text/csv', (text) => text.slice(0, -5)),
  },
  {
    is: 'ends exports with an error',
    violates: 'export-complete',
    by: () => exported(lines, (text) => `${text}{"errors":[{"status":"500"}]}\n`),
  },
  {
    is: 'exports fields that were not requested',
    violates: 'export-columns',
    by: () => exported(lines, (text) => text.replaceAll('{', '{"secret":1,')),
  },
  {
    is: 'names other columns in CSV',
    violates: 'export-columns',
    by: () => exported('text/csv', (text) => text.replace('id,', 'key,')),
  },
  {
    is: 'leaves out the ids of groups',
    violates: 'openapi-body',
    by: () =>
      document(/^GET \/albums\/-aggregates/, (each: Loose) => each.data.forEach((group: Loose) => delete group.id)),
  },
]

export const upsertFaults: readonly Fault[] = [
  { is: 'responds to a create by PUT as to an update', violates: 'upsert-create', by: () => first(200) },
  {
    is: 'refuses a PUT request of a resource that exists',
    violates: 'upsert-update',
    by: () => later(409),
  },
  { is: 'says that it has created a resource again', violates: 'upsert-update', by: () => later(201) },
]

/** Changes the status of the first PUT request. */
function first(code: number): Change {
  return nth((count) => count === 1, code)
}

/** Changes the status of all PUT requests but the first. */
function later(code: number): Change {
  return nth((count) => count > 1, code)
}

function nth(isMeant: (count: number) => boolean, code: number): Change {
  let count = 0
  return {
    response(response, { method }) {
      if (method === 'PUT') count += 1
      return method === 'PUT' && isMeant(count) ? { ...response, status: code } : response
    },
  }
}
