import type { SentRequest } from '../../src/tools/verify/exchange/exchange.js'
import {
  all,
  afterFirst,
  body,
  document,
  header,
  type Loose,
  changedDocument,
  changedHeader,
  sends,
  status,
  undone,
} from './changes.js'
import type { Fault } from './reading-faults.js'

const created = (request: SentRequest): boolean =>
  request.method === 'POST' && /^[^?]*\/\/[^/]+\/\w+$/.test(request.url)
const wrongType = sends('no-such-type-of-ashlar-verify')
const broken = (method: string) => (request: SentRequest) => request.method === method && request.body === '{"data":'
const empty = (method: string) => (request: SentRequest) => request.method === method && request.body === '{}'
const untyped = (sent: Loose): Loose => ({ ...sent, data: { type: 'albums', ...sent.data } })
const linkage = /^(?:POST|PATCH|DELETE) \/albums\/\d+\/relationships\/\w+$/
const details = { errors: [{ status: '409' }] }

export const creationFaults: readonly Fault[] = [
  {
    is: 'ignores parameters of Content-Type',
    violates: 'response-unsupported-media-type',
    by: () => changedHeader('Content-Type', () => 'application/vnd.api+json'),
  },
  {
    is: 'ignores extensions of Content-Type',
    violates: 'ext-unsupported-media-type',
    by: () => changedHeader('Content-Type', () => 'application/vnd.api+json'),
  },
  {
    is: 'refuses unknown members',
    violates: 'ignore-additional-members',
    by: () => status(sends('unknownMember'), 400),
  },
  { is: 'refuses @-Members', violates: 'member-name-at-members-no-process', by: () => status(sends('@context'), 400) },
  {
    is: 'refuses @-Members',
    violates: 'member-name-at-members-ignore-for-definitions',
    by: () => status(sends('@note'), 422),
  },
  {
    is: 'creates with 200',
    violates: 'create-responses-201-status',
    by: () => status((request) => created(request), 200),
  },
  {
    is: 'does not show the new resource',
    violates: 'create-responses-201-document',
    by: () => body(/^POST \/artists$/, { meta: {} }),
  },
  {
    is: 'does not send the Location of the new resource',
    violates: 'create-responses-201-location',
    outcome: 'warned',
    by: () => header(/^POST/, 'Location', null),
  },
  {
    is: 'has another Location than the self link',
    violates: 'create-responses-201-self',
    by: () => header(/^POST \/artists$/, 'Location', '/artists/elsewhere'),
  },
  {
    is: 'ignores ids of clients',
    violates: 'create-client-generated-ids-forbidden',
    by: () =>
      changedDocument(/^POST \/albums$/, (sent) => {
        delete sent.data?.id
        return sent
      }),
  },
  {
    is: 'creates with an id of the client with 200',
    violates: 'create-responses-204',
    by: () => status(/^POST \/genres$/, 200),
  },
  {
    is: 'responds to a duplicate id with another status',
    violates: 'create-responses-409-exists',
    by: () => ({
      response: (response, request) =>
        request.url.endsWith('/genres') && response.status === 409 && !request.body?.includes('no-such-type')
          ? { ...response, status: 422 }
          : response,
    }),
  },
  {
    is: 'responds to another type with another status',
    violates: 'create-responses-409-bad-type',
    by: () => status(wrongType, 422),
  },
  {
    is: 'does not name the conflict',
    violates: 'create-responses-409-error-details',
    outcome: 'warned',
    by: () => body(wrongType, details),
  },
  {
    is: 'responds to a missing related resource with another status',
    violates: 'create-responses-404-related',
    by: () => status((request) => request.method === 'POST' && (request.body ?? '').includes('"id":"2000000000"'), 422),
  },
  {
    is: 'fails with a body that is not JSON',
    violates: 'create-http-semantics',
    by: () => status(broken('POST'), 500),
  },
  {
    is: 'takes a document without data',
    violates: 'create-single-resource',
    outcome: 'warned',
    by: () => body(empty('POST'), { meta: {} }, 200),
  },
  {
    is: 'takes a resource without a type',
    violates: 'create-type-member',
    outcome: 'warned',
    by: () => changedDocument(/^POST \/albums$/, (sent) => (sent.data?.attributes ? untyped(sent) : sent)),
  },
  {
    is: 'points to nothing',
    violates: 'error-source-pointer',
    by: () => body(wrongType, { errors: [{ status: '409', title: 'x', source: { pointer: '/nowhere' } }] }),
  },
  {
    is: 'points into a value that is no object',
    violates: 'error-source-pointer',
    by: () => body(wrongType, { errors: [{ status: '409', title: 'x', source: { pointer: '/data/type/name' } }] }),
  },
  {
    is: 'points to a missing member',
    violates: 'error-source-pointer',
    outcome: 'warned',
    by: () => body(wrongType, { errors: [{ status: '409', title: 'x', source: { pointer: '/data/attributes/x/y' } }] }),
  },
]

/** A server that changes an attribute whenever another one is updated, without showing it. */
function silently(): Fault['by'] {
  return () => {
    const updated = new Set<string>()
    return {
      response(response, request) {
        if (request.method === 'PATCH' && response.status === 200) {
          updated.add(request.url)
          return { ...response, status: 204, text: '' }
        }
        if (request.method !== 'GET' || !updated.has(request.url)) return response
        const shown: Loose = JSON.parse(response.text)
        shown.data.attributes.founded = 1
        return { ...response, text: JSON.stringify(shown) }
      },
    }
  }
}

/** An update with an attribute, and a related resource that does not exist. */
function isHalf(request: SentRequest): boolean {
  return (
    request.method === 'PATCH' &&
    !request.url.includes('relationships') &&
    /relationships.*2000000000/.test(request.body ?? '')
  )
}

export const updateFaults: readonly Fault[] = [
  {
    is: 'updates with another status',
    violates: 'update-resource-204-status',
    by: () => status(/^PATCH \/artists\/\d+$/, 203),
  },
  {
    is: 'shows other values than it has stored',
    violates: 'update-resource-relationship-200-response',
    by: () => document(/^PATCH \/artists\/\d+$/, (shown) => (shown.data.attributes.founded = 1)),
  },
  { is: 'changes more than was sent, with 204', violates: 'update-resource-200-status', by: silently() },
  {
    is: 'takes missing attributes for null',
    violates: 'update-interpret-resource-attributes',
    by: () =>
      changedDocument(/^PATCH \/artists\/\d+$/, (sent) => {
        if (sent.data?.attributes !== undefined) sent.data.attributes.founded ??= null
        return sent
      }),
  },
  {
    is: 'takes missing relationships for empty',
    violates: 'update-interpret-resource-relationships',
    by: () =>
      changedDocument(/^PATCH \/albums\/\d+$/, (sent) => {
        if (sent.data?.attributes !== undefined) sent.data.relationships ??= { artist: { data: null } }
        return sent
      }),
  },
  {
    is: 'responds to an update of a missing resource with another status',
    violates: 'update-resource-404-status',
    by: () => status(/^PATCH \/\w+\/2000000000$/, 400),
  },
  {
    is: 'responds to a missing related resource with another status',
    violates: 'update-resource-404-related',
    by: () =>
      status((request) => request.method === 'PATCH' && /relationships.*2000000000/.test(request.body ?? ''), 400),
  },
  {
    is: 'takes another type',
    violates: 'update-resource-409-no-match',
    by: () => status((request) => request.method === 'PATCH' && (request.body ?? '').includes('no-such-type'), 200),
  },
  {
    is: 'does not name the conflict',
    violates: 'update-resource-409-details',
    outcome: 'warned',
    by: () => body((request) => request.method === 'PATCH' && (request.body ?? '').includes('no-such-type'), details),
  },
  {
    is: 'writes the first half of a request that fails',
    violates: 'crud-atomic',
    by: () =>
      all(
        changedDocument(isHalf, (sent) => {
          delete sent.data.relationships
          return sent
        }),
        status(isHalf, 404),
      ),
  },
  {
    is: 'refuses to replace a relationship, and updates the rest',
    violates: 'update-resource-relationship-reject-full-replacement-response',
    by: () =>
      status((request) => request.method === 'PATCH' && (request.body ?? '').includes('"genres":{"data":[]}'), 403),
  },
  {
    is: 'takes an update without data',
    violates: 'update-patch-resource',
    outcome: 'warned',
    by: () => body(empty('PATCH'), { meta: {} }, 200),
  },
  {
    is: 'takes an update without an id',
    violates: 'update-patch-resource-members',
    outcome: 'warned',
    by: () =>
      body(
        (request) =>
          request.method === 'PATCH' && /^\{"data":\{"type":"\w+","attributes":\{\}\}\}$/.test(request.body ?? ''),
        { meta: {} },
        200,
      ),
  },
  {
    is: 'fails with an update that is not JSON',
    violates: 'update-resource-http-semantics',
    by: () => status(broken('PATCH'), 500),
  },
]

export const relationshipFaults: readonly Fault[] = [
  {
    is: 'does not replace a to-one relationship',
    violates: 'respond-patch-to-one-relationship-link',
    by: () => undone(/^PATCH \/albums\/\d+\/relationships\/artist$/),
  },
  {
    is: 'does not replace a to-one relationship',
    violates: 'patch-to-one-response',
    by: () => undone(/^PATCH \/albums\/\d+\/relationships\/artist$/),
  },
  {
    is: 'has a related link that changes with its members',
    violates: 'resource-related-resource-link-change',
    by: () =>
      document(/^GET \/albums\/\d+$/, (shown) => {
        const { artist } = shown.data.relationships
        artist.links.related = `/artists/${artist.data?.id ?? 'none'}`
      }),
  },
  {
    is: 'takes a relationship without data',
    violates: 'patch-to-one-data-member',
    outcome: 'warned',
    by: () => body(/^PATCH \/albums\/\d+\/relationships\/artist$/, null, 204),
  },
  {
    is: 'takes members without data',
    violates: 'patch-post-delete-to-many-data-member',
    outcome: 'warned',
    by: () => body(empty('POST'), null, 204),
  },
  {
    is: 'adds members instead of replacing them',
    violates: 'patch-to-many-complete-replace',
    by: () => ({
      request: (request) =>
        request.method === 'PATCH' && request.url.endsWith('relationships/genres')
          ? { ...request, method: 'POST' }
          : request,
    }),
  },
  {
    is: 'does not add members',
    violates: 'post-to-many-add',
    by: () => undone(/^POST \/albums\/\d+\/relationships\/genres$/),
  },
  {
    is: 'adds members twice',
    violates: 'post-to-many-add-again',
    by: () => document(/^GET \/albums\/\d+\/relationships\/genres$/, (shown) => shown.data.push(...shown.data)),
  },
  {
    is: 'refuses existing members',
    violates: 'post-to-many-response',
    by: () => afterFirst(/^POST \/albums\/\d+\/relationships\/genres$/, 409),
  },
  {
    is: 'does not remove members',
    violates: 'delete-to-many',
    by: () => undone(/^DELETE \/albums\/\d+\/relationships\/genres$/),
  },
  {
    is: 'refuses to remove missing members',
    violates: 'delete-to-many-success',
    by: () => afterFirst(/^DELETE \/albums\/\d+\/relationships\/genres$/, 404),
  },
  {
    is: 'changes relationships with another status',
    violates: 'updating-relationship-204-status',
    by: () => status(linkage, 203),
  },
  {
    is: 'shows other linkage after a change',
    violates: 'updating-relationship-200-response',
    by: () => body(/^PATCH \/albums\/\d+\/relationships\/artist$/, { data: { type: 'artists', id: '77' } }, 200),
  },
  {
    is: 'fails with a relationship without data',
    violates: 'update-relationship-http-semantics',
    by: () => status((request) => request.url.includes('/relationships/') && request.body === '{}', 500),
  },
]

const deleted = /^DELETE \/\w+\/[\w-]+$/

export const deletionFaults: readonly Fault[] = [
  {
    is: 'deletes with 200 and no body',
    violates: 'delete-204-status',
    by: () => status((request) => isDeleted(request), 200),
  },
  {
    is: 'shows the deleted resource',
    violates: 'delete-200-status',
    by: () => ({
      response: (response, request) =>
        isDeleted(request) && response.status === 204
          ? { status: 200, headers: new Map([['content-type', 'application/vnd.api+json']]), text: '{"data":null}' }
          : response,
    }),
  },
  {
    is: 'refuses to delete a deleted resource',
    violates: 'delete-404-status',
    outcome: 'warned',
    by: () => ({
      response: (response, request) =>
        isDeleted(request) && response.status === 404 ? { ...response, status: 409 } : response,
    }),
  },
  {
    is: 'fails to delete a deleted resource',
    violates: 'deleting-http-semantics',
    by: () => ({
      response: (response, request) =>
        isDeleted(request) && response.status === 404 ? { ...response, status: 500 } : response,
    }),
  },
]

function isDeleted({ method, url }: SentRequest): boolean {
  return deleted.test(`${method} ${new URL(url).pathname}`)
}
