import type { Ledger } from './pointed-statement.js'
import { may, must, should } from './pointed-statement.js'

const service = 'spec/service-overview.test.ts'
const shapes = 'spec/document-shapes.test.ts'
const compound = 'spec/compound-documents.test.ts'
const linkage = 'spec/relationship-read.test.ts'

/** https://jsonapi.org/format/1.1/#fetching */
export const fetchingStatements = {
  'fetch-url-support': must('every link of a document can be followed', [
    'spec/followed-links.test.ts',
    'every link of a document responds 200',
  ]),
  'fetch-response-code': must('a read is 200', [service, 'a resource is read at /{type}/{id}']),
  'fetch-primary-data-collection': must(
    'a collection is a list of resources, or an empty one',
    [service, 'a collection is read at /{type}'],
    [shapes, 'is a list, even when it is empty'],
  ),
  'fetch-primary-data-single': must(
    'a single resource is a resource object, or null for an empty to-one relation',
    [service, 'a resource is read at /{type}/{id}'],
    ['spec/related-read.test.ts', 'an empty to-one gives 200 with data: null, not 404'],
  ),
  'fetch-responses-404': must('a resource that does not exist is 404', [
    service,
    'a resource that does not exist is 404 for reading, changing and deleting',
  ]),
  'fetch-responses-other-status-codes': may('other responses have other statuses', [
    'spec/errors.test.ts',
    '3. an HTTP error',
  ]),
  'fetch-responses-error-details': may('error objects describe what is wrong', [
    'spec/errors.test.ts',
    'every failure on a JSON:API route is a document of the media type with an errors array',
  ]),
  'fetch-responses-http-semantics': must(
    'reads follow HTTP: HEAD, OPTIONS, Vary and caches',
    ['spec/resource-level-metadata.test.ts', 'are on every response of the type, errors and OPTIONS included'],
    [service, 'is served JSON:API'],
  ),
  'fetch-relationships': must('every relationship link can be followed', [
    'spec/followed-links.test.ts',
    'self of relationships shows the linkage, related the resources: %s',
  ]),
  'fetch-relationships-response-200': must('a read of linkage is 200', [linkage, 'an object']),
  'fetch-relationships-response-200-primary-data': must('the data of a read of linkage is linkage', [
    linkage,
    'a relationship read returns only identifiers',
  ]),
  'fetch-relationships-response-200-self-related': may('a read of linkage has self and related links', [
    shapes,
    'equals the request URI of a linkage read, next to the related link',
  ]),
  'fetch-relationships-response-404': must('an unknown relationship is 404', [
    linkage,
    'an unknown or suppressed relationship gives 404 with RELATIONSHIP_NOT_EXISTS',
  ]),
  'fetch-relationships-response-exists-empty': must('an empty relationship is 200', [
    linkage,
    'null, or an empty list',
  ]),
  'fetch-relationships-other-status-codes': may('other responses have other statuses', [
    linkage,
    'queried by %s is 400',
  ]),
  'fetch-relationships-other-error-details': may('error objects describe what is wrong', [
    linkage,
    'refuses unknown filters and sorts, as the related endpoint does',
  ]),
  'fetch-relationships-http-semantics': must('reads of linkage follow HTTP', [
    'spec/operations.test.ts',
    '1. %s of the target gives one kind of read',
  ]),
  'inclusion-default': may('a type may include related resources by default', [
    'spec/default-includes.test.ts',
    'apply when the request has no include',
  ]),
  'inclusion-include-parameter': may('the parameter include selects the included relations', [
    compound,
    'requested related resources',
  ]),
  'inclusion-unrequested': must('only requested resources are included', [
    'spec/default-includes.test.ts',
    'any include suppresses default includes',
  ]),
  'inclusion-include-parameter-value': must(
    'the value of include is a comma-separated list of dotted paths',
    [compound, 'a dot-nested path'],
    [
      'spec/query-parameters.test.ts',
      'include is a flat list of paths: an empty one includes nothing, an absent one is null',
    ],
  ),
  'inclusion-bad-request': must(
    'a path that cannot be included is 400',
    ['spec/include-paths.test.ts', 'an unknown relationship'],
    ['spec/include-paths.test.ts', 'an endpoint with no inclusion support'],
  ),
  'sparse-fieldsets-parameter': may('the parameter fields[TYPE] selects the fields of a type', [
    'spec/sparse-fieldsets.test.ts',
    'a fieldset',
  ]),
  'sparse-fieldsets-parameter-value': must('the value of fields[TYPE] is a comma-separated list of names', [
    'spec/query-parameters.test.ts',
    'drops the members that it does not list; id and type stay',
  ]),
  'sparse-fieldsets-additional-fields': must('only the selected fields are shown', [
    'spec/sparse-fieldsets.test.ts',
    'drops unlisted members, attributes and relationships alike; id, type and links stay',
  ]),
  'sorting-option': may('collections can be sorted', ['spec/sorts.test.ts', 'a sortable field']),
  'sorting-parameter': may('the parameter sort selects the order', ['spec/sorts.test.ts', 'a sortable field']),
  'sorting-parameter-value': must('the value of sort is a list of sort keys', [
    'spec/query-parameters.test.ts',
    'sort is a list of keys in their order',
  ]),
  'sorting-multiple-fields': must('several sort keys are separated by commas', ['spec/sorts.test.ts', 'several keys']),
  'sorting-multiple-fields-order': should('sort keys are applied in the order of the list', [
    'spec/sorts.test.ts',
    'the first is the most significant, each has its own direction',
  ]),
  'sorting-order': must('the order is ascending, or descending after a minus sign', [
    'spec/sorts.test.ts',
    'the first is the most significant, each has its own direction',
  ]),
  'sorting-not-supported': must(
    'an unknown sort key is 400',
    ['spec/sorts.test.ts', 'unsupported sorts'],
    ['spec/sorts.test.ts', 'sort without a list is SORTING_UNSUPPORTED'],
  ),
  'sorting-specified-order': must('the list has the requested order', ['spec/sorts.test.ts', 'several keys']),
  'sorting-default': may('a type may have a default order', ['spec/sorts-of-relations.test.ts', 'the default sort']),
  pagination: may('collections can be paginated', ['spec/pagination.test.ts', 'the strategies']),
  'pagination-links': may('a page has links to other pages', ['spec/pagination-links.test.ts', 'rule 4: links']),
  'pagination-links-object': must('the links are in the links object of the collection', [
    'spec/pagination-links.test.ts',
    'of a related collection are scoped to the related URL, those of a linkage to its own',
  ]),
  'pagination-keys': must('the links are first, last, prev and next', [
    shapes,
    'is the link of the page on a paginated collection, next to the links of the other pages',
  ]),
  'pagination-unavailable-link': must('a link is omitted if there is no such page', [
    'spec/pagination-links.test.ts',
    'does not apply to prev and next: they are left out if there is no such page, not null',
  ]),
  'pagination-order': must(
    'pages have the requested order',
    ['spec/pagination-links.test.ts', 'retain filters, sorts and fieldsets across pages'],
    ['spec/followed-links.test.ts', 'walking next from the first page shows every resource once'],
  ),
  'pagination-page-parameter': should('the parameter page selects a page', [
    'spec/pagination.test.ts',
    'read only their own keys',
  ]),
  filtering: should('the parameter filter filters resources', ['spec/filters.test.ts', 'several keys must all match']),
} as const satisfies Ledger
