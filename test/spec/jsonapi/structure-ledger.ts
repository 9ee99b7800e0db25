import type { Ledger } from './pointed-statement.js'
import { examined, may, must } from './pointed-statement.js'

const service = 'spec/service-overview.test.ts'
const shapes = 'spec/document-shapes.test.ts'
const compound = 'spec/compound-documents.test.ts'

/** https://jsonapi.org/format/1.1/#document-structure */
export const structureStatements = {
  'additional-members': examined(
    'documents have no members that the format does not define',
    'an unknown top-level member',
  ),
  'ignore-additional-members': { level: 'MUST', status: 'tested' },
  'json-object': examined('the root of every document is an object', 'a document that is no object'),
  'required-top-level': must(
    'a document has data, errors or meta',
    ['spec/testing-kit-documents.test.ts', 'an empty document'],
    ['parse/top-level.test.ts', 'must have data, errors or meta'],
  ),
  'data-errors': must(
    'data and errors exclude each other',
    ['spec/testing-kit-documents.test.ts', 'data together with errors'],
    [service, 'data and errors exclude each other'],
  ),
  'optional-top-level': may(
    'documents have jsonapi, links and included',
    [shapes, 'has the version, and the meta of the server'],
    [compound, 'are in top-level included; data has linkage only'],
  ),
  'data-included': must(
    'a document has included only if it has data',
    ['spec/testing-kit-documents.test.ts', 'included without data'],
    [service, 'included requires data'],
  ),
  'top-level-links': {
    ...may(
      'documents have self, related and pagination links, in an object',
      [shapes, 'links.self of a document'],
      ['spec/testing-kit-documents.test.ts', 'links that are no object'],
    ),
    times: 2,
  },
  'primary-data': must(
    'data is a resource, an identifier or null, or a list of them',
    ['spec/testing-kit-documents.test.ts', 'data that is no resource'],
    ['spec/relationship-read.test.ts', 'null, or an empty list'],
  ),
  'logical-collection': must('a collection is a list, even when it is empty', [
    shapes,
    'is a list, even when it is empty',
  ]),
  'resource-required-top-level': examined('a resource has an id and a type', 'a resource without an id'),
  'resource-optional-top-level': must('a resource has attributes, relationships, links and meta if there are any', [
    shapes,
    'has no attributes and no relationships member if none of them is shown',
  ]),
  'resource-id-type': examined('a resource has an id and a type', 'a resource without a type'),
  'resource-id-type-types': must(
    'ids are strings for keys of every type',
    ['spec/testing-kit-documents.test.ts', 'an id that is no string'],
    ['spec/the-id-field.test.ts', 'it is a string on the wire, whatever the key is'],
  ),
  'resource-unique': must(
    'a type and an id name one resource',
    ['spec/the-id-field.test.ts', 'an id that is taken is 409'],
    ['spec/ids-encoded.test.ts', 'only the one that it writes is the id'],
  ),
  'resource-type-constraints': must('the name of a type is a valid member name; otherwise the build fails', [
    'checks/types.test.ts',
    'must have a name that JSON:API allows',
  ]),
  'resource-fields': must(
    'all fields, id and type have different names; otherwise the build fails',
    ['checks/relations.test.ts', 'must not have the name of an attribute'],
    ['checks/fields.test.ts', 'must not be that of the id'],
  ),
  'resource-attributes-key': examined('attributes are an object', 'attributes that are no object'),
  'resource-attributes-reserve-members': {
    level: 'MUST',
    times: 2,
    status: 'superseded',
    note: 'In 1.1 attributes may be any JSON. The declaration decides which columns are attributes.',
  },
  'resource-relationships-key': must('relationships are an object', [
    service,
    'attributes and relationships are objects',
  ]),
  'resource-relationships-object': examined('a relationship has links, data or meta', 'an empty relationship'),
  'resource-relationships-pagination': may('a to-many relationship may have pagination links', [
    'spec/cursor-includes.test.ts',
    'has a next with page[after], and no prev or last',
  ]),
  'resource-related-resource-link': must('a related link works, also if nothing is related', [
    'spec/followed-links.test.ts',
    'self of relationships shows the linkage, related the resources: %s',
  ]),
  'resource-related-resource-link-change': must(
    'a related link consists of the URL of the owner and the name of the relation only',
    ['spec/relation-addresses.test.ts', 'is the last part of the links'],
  ),
  'resource-linkage': must(
    'linkage is null, an identifier, or a list of them',
    ['spec/relationship-read.test.ts', 'a relationship read returns only identifiers'],
    ['spec/linkage.test.ts', 'of a to-many, also empty'],
  ),
  'resource-links': may('a resource has a link to itself', [shapes, 'is {base_uri}/{uriType}/{id}']),
  'resource-link-response': must('a GET of the self link shows the resource', [
    'spec/followed-links.test.ts',
    'links.self of resources shows the resource: %s',
  ]),
  'resource-identifier-required-members': examined('an identifier has a type and an id', 'an identifier without an id'),
  'resource-identifier-optional-member': may('an identifier may have meta', [
    'spec/linkage-options.test.ts',
    'adds meta to identifiers of a resource, from both rows',
  ]),
  'compound-documents-allow': may('the parameter include adds related resources', [
    compound,
    'requested related resources',
  ]),
  'compound-documents-top-level-included': must('the member included is a list of resources', [
    compound,
    'are in top-level included; data has linkage only',
  ]),
  'compound-documents-full-linkage': must(
    'the linkage of the document names every included resource',
    [compound, 'every included resource is named by the relationship that includes it'],
    ['spec/testing-kit-documents.test.ts', 'an included resource that nothing links to'],
  ),
  'compound-documents-duplicates': must(
    'no resource is in a document twice',
    [compound, 'included never holds one resource twice'],
    ['spec/testing-kit-documents.test.ts', 'a resource twice'],
  ),
  'meta-objects': examined('meta is an object', 'meta that is no object'),
  'meta-object-members': may('meta may have any members', ['spec/testing-kit-documents.test.ts', 'nothing but meta']),
  'top-level-links-members': examined('a link is a text, an object with href, or null', 'a link object without href'),
  'top-level-json-api-member': may('documents have a jsonapi object', [shapes, 'the jsonapi object']),
  'json-api-type': examined('jsonapi is an object of known members', 'an unknown member of jsonapi'),
  'json-api-version': may('jsonapi has the version', [shapes, 'has the version, and the meta of the server']),
  'json-api-meta': may('jsonapi may have meta', [shapes, 'has the version, and the meta of the server']),
  'member-name-case': { level: 'MUST', status: 'tested' },
  'member-name-character': must('a member name has at least one character; otherwise the build fails', [
    'checks/types.test.ts',
    'member names',
  ]),
  'member-name-allowed-characters-only': must('a member name has only allowed characters; otherwise the build fails', [
    'checks/fields.test.ts',
    'must be one that JSON:API allows',
  ]),
  'member-name-globally-allowed': examined(
    'a member name starts and ends with a letter or a digit',
    'an attribute name with a hyphen at its end',
  ),
  'member-name-url-safe': {
    level: 'RECOMMENDED',
    status: 'superseded',
    note: 'The declaration chooses the names. Every name that the format allows is accepted.',
  },
  'member-name-allowed-characters': may('all allowed characters are accepted', [
    'checks/types.test.ts',
    'member names',
  ]),
  'member-name-reserved-characters': examined('a member name has no reserved character', 'an illegal attribute name'),
  'member-name-at-members-definition': { level: 'MAY', status: 'tested' },
  'member-name-at-members-where': { level: 'MAY', status: 'tested' },
  'member-name-at-members-no-process': { level: 'MUST', status: 'tested' },
  'member-name-at-members-ignore-for-definitions': { level: 'MUST', status: 'tested' },
} as const satisfies Ledger
