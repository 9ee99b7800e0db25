import type { StatementId } from '../../src/tools/format/statements/statements.js'

export const album = { type: 'albums', id: '1' }
const artist = { type: 'artists', id: '1', attributes: {} }

export const withAttributes = (attributes: unknown) => ({ data: { ...album, attributes } })
const withRelationship = (artistOf: unknown) => ({ data: { ...album, relationships: { artist: artistOf } } })
export const withLinks = (links: unknown) => ({ data: [], links })
const withError = (error: unknown) => ({ errors: [error] })
const notFound = { status: 404 }

/** The status of the response, and whether it is the linkage of a relationship. */
export interface Circumstances {
  readonly status?: number
  readonly isLinkage?: boolean
}

/** Documents that violate a statement. */
export const documentFaults: readonly (readonly [StatementId, unknown, Circumstances?])[] = [
  ['json-object', '["no object"]'],
  ['json-object', 'no JSON'],
  ['additional-members', { data: [], more: true }],
  ['additional-members', { data: { ...album, attributes: {}, more: true } }],
  ['additional-members', { data: [], 'atomic:results': [] }],
  ['required-top-level', { jsonapi: {} }],
  ['data-errors', { data: null, errors: [] }],
  ['data-included', { meta: {}, included: [] }],
  ['primary-data', { data: 'text' }],
  ['primary-data', { data: [1] }],
  ['resource-id-type', { data: { type: 'albums', attributes: {} } }],
  ['resource-required-top-level', { data: { id: '1', attributes: {} } }],
  ['resource-id-type-types', { data: { ...album, id: 1, attributes: {} } }],
  ['resource-type-constraints', { data: { ...album, type: 'al+bums', attributes: {} } }],
  ['resource-fields', withAttributes({ type: 'x' })],
  ['resource-fields', { data: { ...album, attributes: { artist: 1 }, relationships: { artist: { data: null } } } }],
  ['resource-attributes-key', withAttributes([])],
  ['resource-attributes-reserve-members', { ...withAttributes({ label: { links: {} } }), jsonapi: { version: '1.0' } }],
  [
    'resource-attributes-foreign-keys',
    { data: { ...album, attributes: { artist_id: 7 }, relationships: { artist: { data: { type: 'a', id: '7' } } } } },
  ],
  ['resource-relationships-key', { data: { ...album, relationships: [] } }],
  ['resource-relationships-object', withRelationship({})],
  ['resource-relationships-object', withRelationship({ links: { about: '/x' } })],
  ['resource-linkage', withRelationship({ data: 'text' })],
  ['resource-identifier-required-members', withRelationship({ data: { type: 'artists' } })],
  ['resource-identifier-required-members', { data: [{ id: '1' }] }, { isLinkage: true }],
  ['compound-documents-top-level-included', { data: [], included: {} }],
  ['compound-documents-full-linkage', { data: { ...album, attributes: {} }, included: [artist] }],
  [
    'compound-documents-duplicates',
    {
      data: { ...album, relationships: { artist: { data: { type: 'artists', id: '1' } } } },
      included: [artist, artist],
    },
  ],
  ['resource-unique', { data: [artist, { ...artist, attributes: { name: 'Other' } }] }],
  ['meta-objects', { data: [], meta: [] }],
  ['top-level-links-object', withLinks([])],
  ['top-level-links-members', withLinks({ self: 7 })],
  ['top-level-links-members', withLinks({ self: 'http://exa mple' })],
  ['link-uri-reference', withLinks({ self: '/björk' })],
  ['links-square-brackets', withLinks({ self: '/albums?page[size]=1' })],
  ['link-object-href', withLinks({ self: { title: 'x' } })],
  ['link-object-members', withLinks({ self: { href: '/x', hreflang: 7 } })],
  ['json-api-type', { data: [], jsonapi: '1.1' }],
  ['json-api-version', { data: [], jsonapi: { version: 1.1 } }],
  ['json-api-ext-profile', { data: [], jsonapi: { ext: ['no uri'] } }],
  ['member-name-character', withAttributes({ '': 1 })],
  ['member-name-reserved-characters', withAttributes({ 'a+b': 1 })],
  ['member-name-globally-allowed', withAttributes({ _a: 1 })],
  ['member-name-allowed-characters-only', withAttributes({ 'a\u0001b': 1 })],
  ['member-name-url-safe', withAttributes({ 'release year': 1 })],
  ['pagination-links-object', { data: { ...album, attributes: {} }, links: { next: '/x' } }],
  ['error-object-key', { errors: {} }, notFound],
  ['error-object-some-member', withError({}), notFound],
  ['error-object-members', withError({ status: 404 }), notFound],
  ['error-object-members', withError({ status: '404', source: { pointer: 'data' } }), notFound],
  ['error-object-status', withError({ title: 'x' }), notFound],
  ['error-general', { errors: [{ status: '404' }, { status: '422' }] }, notFound],
]
