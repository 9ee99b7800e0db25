import type { StatementId } from '../../src/tools/format/statements/statements.js'
import { all, document, header, type Loose, changedHeader, status, text, withoutParameter } from './changes.js'
import type { Change } from './handle-transport.js'

/** A wrong behaviour of a server, and the statement that it violates. */
export interface Fault {
  readonly is: string
  readonly violates: StatementId
  readonly outcome?: 'warned'
  /** Creates the change, which may have state. */
  readonly by: () => Change
}

const first = (list: Loose): Loose => (Array.isArray(list) ? list[0] : list)
const plain = 'application/vnd.api+json'

/** The server refuses every weight, parameter or whatever it finds. */
function refusing(part: string): Change {
  return {
    response: (response, request) =>
      (request.headers['Accept'] ?? '').includes(part) ? { ...response, status: 406 } : response,
  }
}

export const negotiationFaults: readonly Fault[] = [
  {
    is: 'ignores Accept',
    violates: 'response-not-acceptable',
    by: () => changedHeader('Accept', () => plain),
  },
  {
    is: 'refuses a plain type together with another one',
    violates: 'response-not-acceptable',
    by: () => refusing('charset'),
  },
  {
    is: 'ignores unknown extensions in Accept',
    violates: 'ext-not-acceptable',
    by: () => changedHeader('Accept', () => plain),
  },
  { is: 'refuses unknown profiles', violates: 'profile-unrecognized', by: () => refusing('profile=') },
  { is: 'treats a weight as a parameter', violates: 'fetch-responses-http-semantics', by: () => refusing('q=') },
  { is: 'refuses clients that take anything', violates: 'fetch-responses-http-semantics', by: () => refusing('*/*') },
  {
    is: 'adds a charset',
    violates: 'response-content-type',
    by: () => header(/^GET \/albums/, 'Content-Type', `${plain}; charset=utf-8`),
  },
  {
    is: 'has another media type',
    violates: 'response-content-type',
    by: () => header(/^GET \/albums\/\d/, 'Content-Type', 'application/json'),
  },
  {
    is: 'applies a profile without Vary',
    violates: 'vary-accept',
    outcome: 'warned',
    by: () =>
      all(header(/^GET/, 'Content-Type', `${plain}; profile="https://example.com/p"`), header(/^GET/, 'Vary', null)),
  },
  {
    is: 'requests credentials without a scheme',
    violates: 'fetch-responses-http-semantics',
    by: () => status('GET /genres', 401),
  },
  { is: 'does not support HEAD', violates: 'http-head', outcome: 'warned', by: () => status(/^HEAD/, 405) },
]

export const linkFaults: readonly Fault[] = [
  {
    is: 'has a broken related link',
    violates: 'fetch-url-support',
    by: () => status(/^GET \/albums\/\d+\/artist$/, 404),
  },
  {
    is: 'has a broken related link',
    violates: 'resource-related-resource-link',
    by: () => status(/^GET \/artists\/\d+\/albums$/, 500),
  },
  {
    is: 'shows other related resources than the linkage',
    violates: 'resource-related-resource-link',
    by: () => document('GET /albums/1/artist', (shown) => (shown.data.id = '9')),
  },
  {
    is: 'shows other related resources than its linkage',
    violates: 'resource-related-resource-link',
    by: () =>
      all(
        document(/^GET \/albums(\/\d+)?$/, (shown) => {
          for (const album of [shown.data].flat()) delete album?.relationships?.artist?.data
        }),
        document('GET /albums/1/artist', (shown) => (shown.data.id = '9')),
      ),
  },
  {
    is: 'shows another resource at a self link',
    violates: 'resource-link-response',
    by: () => document('GET /artists/1', (shown) => (shown.data.id = '2')),
  },
  {
    is: 'shows a list at a self link',
    violates: 'fetch-primary-data-single',
    by: () => document('GET /artists/1', (shown) => (shown.data = [shown.data])),
  },
  {
    is: 'shows one related resource without a list',
    violates: 'logical-collection',
    by: () => document(/^GET \/artists\/\d+\/albums$/, (shown) => (shown.data = first(shown.data))),
  },
  {
    is: 'shows one related resource without a list',
    violates: 'fetch-primary-data-collection',
    by: () => document(/^GET \/artists\/\d+\/albums$/, (shown) => (shown.data = first(shown.data))),
  },
  {
    is: 'shows the one member of a relationship as a list, together with invalid linkage',
    violates: 'primary-data',
    by: () =>
      all(
        document(/^GET \/albums/, (shown) => {
          for (const album of [shown.data].flat()) delete album?.relationships?.artist?.data
        }),
        document(/^GET \/albums\/\d+\/artist$/, (shown) => (shown.data = [shown.data])),
      ),
  },
  { is: 'has another status for reads', violates: 'fetch-response-code', by: () => status('GET /albums', 203) },
  {
    is: 'has a self link to another document',
    violates: 'top-level-links',
    outcome: 'warned',
    by: () => document('GET /albums', (shown) => (shown.links.self = '/artists')),
  },
  {
    is: 'does not serve linkage',
    violates: 'fetch-relationships',
    by: () => status(/^GET \/albums\/\d+\/relationships\/artist$/, 404),
  },
  {
    is: 'has another status for linkage',
    violates: 'fetch-relationships-response-200',
    by: () => status(/^GET \/albums\/\d+\/relationships\/artist$/, 203),
  },
  {
    is: 'shows the linkage of a to-one relationship as a list',
    violates: 'fetch-relationships-response-200-primary-data',
    by: () => document(/^GET \/albums\/1\/relationships\/artist$/, (shown) => (shown.data = [shown.data])),
  },
  {
    is: 'shows other linkage than the resource',
    violates: 'fetch-relationships-response-200-primary-data',
    by: () => document('GET /albums/1/relationships/artist', (shown) => (shown.data.id = '3')),
  },
  {
    is: 'has no URL for an empty relationship',
    violates: 'fetch-relationships-response-exists-empty',
    by: () => status('GET /albums/4/relationships/artist', 404),
  },
  {
    is: 'has linkage in two forms',
    violates: 'resource-linkage',
    by: () => document('GET /albums', (shown) => (shown.data[3].relationships.artist.data = [])),
  },
  {
    is: 'responds to a missing resource with another status',
    violates: 'fetch-responses-404',
    by: () => status('GET /albums/2000000000', 400),
  },
  {
    is: 'has linkage of resources that do not exist',
    violates: 'fetch-relationships-response-404',
    by: () => status(/^GET \/albums\/2000000000\/relationships/, 200),
  },
  {
    is: 'responds to unknown relationships with another status',
    violates: 'fetch-relationships-response-404',
    by: () => status(/relationships\/noSuch/, 400),
  },
]

export const queryFaults: readonly Fault[] = [
  {
    is: 'ignores unknown parameters',
    violates: 'query-parameters-bad-request',
    by: () => withoutParameter(/^ashlarverify/),
  },
  {
    is: 'ignores unknown keys of page',
    violates: 'query-parameters-bad-request',
    outcome: 'warned',
    by: () => withoutParameter(/^page\[noSuch/),
  },
  {
    is: 'ignores unknown paths of include',
    violates: 'inclusion-bad-request',
    by: () => withoutParameter(/^include=noSuch/),
  },
  { is: 'ignores unknown sorts', violates: 'sorting-not-supported', by: () => withoutParameter(/^sort=noSuch/) },
  {
    is: 'ignores include at relationship addresses',
    violates: 'inclusion-not-supported',
    by: () => withoutParameter(/^include=/, /\/relationships\//),
  },
  { is: 'ignores include', violates: 'inclusion-not-supported', by: () => withoutParameter(/^include=/) },
  {
    is: 'leaves out an empty list of included resources',
    violates: 'inclusion-included-member',
    by: () =>
      document(/include=\w/, (shown) => {
        delete shown.included
        for (const relationship of Object.values<Loose>(shown.data.relationships)) delete relationship.data
      }),
  },
  {
    is: 'includes more than was requested',
    violates: 'inclusion-unrequested',
    by: () => document(/include=artist/, (shown) => shown.included.push({ type: 'genres', id: 'rock' })),
  },
  {
    is: 'includes resources for an empty include',
    violates: 'inclusion-empty',
    outcome: 'warned',
    by: () => document(/include=$/, (shown) => (shown.included = [{ type: 'genres', id: 'rock' }])),
  },
  { is: 'ignores fieldsets', violates: 'sparse-fieldsets-additional-fields', by: () => withoutParameter(/^fields/) },
  {
    is: 'ignores an empty fieldset',
    violates: 'sparse-fieldsets-empty',
    outcome: 'warned',
    by: () => withoutParameter(/^fields\[\w+\]=$/),
  },
  {
    is: 'reads names in any case',
    violates: 'member-name-case',
    by: () => ({
      request: (request) => ({ ...request, url: request.url.replaceAll(/TITLE|NAME/g, (name) => name.toLowerCase()) }),
    }),
  },
  {
    is: 'refuses brackets that are not encoded',
    violates: 'square-brackets-unencoded',
    outcome: 'warned',
    by: () => ({
      response: (response, request) => (request.url.includes('[') ? { ...response, status: 400 } : response),
    }),
  },
  {
    is: 'sorts in reverse',
    violates: 'sorting-order',
    by: () => document(/sort=-?\w+$/, (shown) => (shown.data = shown.data.toReversed())),
  },
  {
    is: 'sorts in reverse',
    violates: 'sorting-specified-order',
    by: () => document(/sort=-?\w+$/, (shown) => (shown.data = shown.data.toReversed())),
  },
  {
    is: 'sorts texts correctly only in ascending order',
    violates: 'sorting-order',
    by: () => document(/^GET \/artists\?sort=-name$/, (shown) => shown.data.push(shown.data.shift())),
  },
  {
    is: 'sorts only by the last attribute',
    violates: 'sorting-multiple-fields-order',
    outcome: 'warned',
    by: () => document(/sort=\w+,\w+/, (shown) => (shown.data = shown.data.toReversed())),
  },
  {
    is: 'has a parameter with small letters only',
    violates: 'query-parameters-non-alpha',
    by: () => document('GET /albums', (shown) => (shown.links.next = '/albums?offset=2')),
  },
]

export const pageFaults: readonly Fault[] = [
  {
    is: 'links to another page as prev',
    violates: 'pagination-order',
    by: () => document(/page\[number\]=2/, (shown) => (shown.links.prev = shown.links.self)),
  },
  {
    is: 'loses the order on the next page',
    violates: 'pagination-order',
    by: () => text(/sort=[^&"]*&/g, ''),
  },
  {
    is: 'has a page after the last',
    violates: 'pagination-order',
    by: () =>
      document(/page/, (shown) => {
        shown.links.last = shown.links.self
        shown.links.next ??= shown.links.self
      }),
  },
  {
    is: 'has a next page with the same resources',
    violates: 'pagination-keys',
    by: () => document(/page/, (shown) => (shown.links.next = shown.links.self)),
  },
  {
    is: 'has a link to a missing page',
    violates: 'pagination-unavailable-link',
    by: () => status(/page\[number\]=2/, 404),
  },
  {
    is: 'has a custom parameter for pages',
    violates: 'pagination-page-parameter',
    outcome: 'warned',
    by: () =>
      all(text(/page%5Bnumber%5D/g, 'pageNumber'), {
        request: (request) => ({ ...request, url: request.url.replaceAll('pageNumber', 'page%5Bnumber%5D') }),
      }),
  },
]

export const openapiFaults: readonly Fault[] = [
  { is: 'describes another status', violates: 'openapi-status', by: () => status('GET /albums', 226) },
  {
    is: 'has an error that is not described',
    violates: 'openapi-errors',
    outcome: 'warned',
    by: () => status(/ashlarverify/, 418),
  },
  {
    is: 'describes another media type',
    violates: 'openapi-content-type',
    by: () => header('GET /albums', 'Content-Type', 'application/hal+json'),
  },
  { is: 'lacks a header', violates: 'openapi-headers', by: () => header('GET /albums', 'Vary', null) },
  {
    is: 'has another kind of value',
    violates: 'openapi-body',
    by: () => document('GET /albums', (shown) => (shown.data[0].attributes.year = 'nineteen')),
  },
  {
    is: 'refers to a missing schema',
    violates: 'openapi-document',
    by: () => document('GET /docs.json', (shown) => delete shown.components.schemas.AlbumsAttributes),
  },
  {
    is: 'does not describe a path',
    violates: 'openapi-operations',
    outcome: 'warned',
    by: () => document('GET /docs.json', (shown) => delete shown.paths['/albums/{id}/artist']),
  },
]
