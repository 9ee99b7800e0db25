import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'

/** The schemas that documents of all types have in common. Each function returns a reference. */

const uri: JsonSchema = Object.freeze({ type: 'string', format: 'uri-reference' })

/** https://jsonapi.org/format/1.1/#document-links */
export function linkSchema(api: Api): JsonSchema {
  return api.components.schema('Link', () => ({ anyOf: [uri, linkObject(api), { type: 'null' }] }))
}

function linkObject({ components }: Api): JsonSchema {
  return components.schema('LinkObject', () => ({
    type: 'object',
    properties: {
      href: uri,
      rel: { type: 'string' },
      title: { type: 'string' },
      type: { type: 'string' },
      hreflang: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      describedby: { anyOf: [uri, { $ref: '#/components/schemas/LinkObject' }] },
      meta: { type: 'object' },
    },
    required: ['href'],
  }))
}

export function linksSchema(api: Api): JsonSchema {
  return api.components.schema('Links', () => ({ type: 'object', additionalProperties: linkSchema(api) }))
}

/**
 * The links of a document that is not a page of a collection. Links of the application have no schema: in TypeScript, members by any name
 * with one would contradict those that may be missing.
 */
export function documentLinks(api: Api): JsonSchema {
  return api.components.schema('DocumentLinks', () => ({
    type: 'object',
    properties: { self: linkSchema(api), related: linkSchema(api), describedby: linkSchema(api) },
    required: ['self'],
    additionalProperties: true,
  }))
}

/** The links of a page of a collection. A link that does not apply is left out. */
export function paginationLinks(api: Api): JsonSchema {
  const names = ['self', 'related', 'describedby', 'first', 'prev', 'next', 'last']
  return api.components.schema('PaginationLinks', () => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, linkSchema(api)])),
    required: ['self'],
    additionalProperties: true,
  }))
}

/** The links of a relationship in a resource. If the linkage is one page, they have links to the other pages. */
export function relationshipLinks(api: Api): JsonSchema {
  const names = ['self', 'related', 'first', 'prev', 'next', 'last']
  return api.components.schema('RelationshipLinks', () => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, linkSchema(api)])),
    additionalProperties: true,
  }))
}

export function metaSchema({ components }: Api): JsonSchema {
  return components.schema('Meta', () => ({ type: 'object' }))
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
export function jsonapiSchema({ components, server }: Api): JsonSchema {
  const { version, profiles, extensions } = server
  return components.schema('JsonApi', () => ({
    type: 'object',
    properties: {
      version: version === '' ? { type: 'string' } : { const: version },
      ext: uriList(extensions.map((extension) => extension.uri)),
      profile: uriList(profiles.map((profile) => profile.uri)),
      meta: { type: 'object' },
    },
    ...(version === '' ? {} : { required: ['version'] }),
  }))
}

function uriList(uris: readonly string[]): JsonSchema {
  return { type: 'array', items: uris.length === 0 ? uri : { type: 'string', enum: uris } }
}

/** Returns the members that every document has besides its primary data. */
export function documentMembers(api: Api): Readonly<Record<string, JsonSchema>> {
  return { jsonapi: jsonapiSchema(api), meta: metaSchema(api) }
}

/** Returns the names of the members that every document has. */
export function requiredMembers({ server: { version } }: Api): readonly string[] {
  return version === '' ? [] : ['jsonapi']
}

/** A document with meta only. */
export function metaDocument(api: Api): JsonSchema {
  return api.components.schema('MetaDocument', () => ({
    type: 'object',
    properties: { meta: metaSchema(api), links: documentLinks(api), jsonapi: jsonapiSchema(api) },
    required: ['meta', 'links', ...requiredMembers(api)],
  }))
}
