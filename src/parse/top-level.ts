import { fail } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/deep-freeze.js'

/** The kind of primary data in a request body: a resource object, or the linkage of a relationship endpoint. */
export type DocumentKind = 'resource' | 'linkage'

/** A request document with a valid set of top-level members. The values of the members are not checked yet. */
export type RequestDocument = { readonly [member: string]: unknown }

/**
 * Checks the top-level members (https://jsonapi.org/format/1.1/#document-top-level). A missing document passes, and
 * so does null as `data`: the operation that needs the data reports them. For linkage, a document without any content
 * passes too, so that the relationship endpoint reports the missing `data`.
 */
export function checkTopLevel(document: unknown, kind: DocumentKind): RequestDocument | undefined {
  if (document === undefined) return undefined
  if (!isPlainObject(document)) fail('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  const hasData = Object.hasOwn(document, 'data')
  const hasErrors = Object.hasOwn(document, 'errors')
  if (hasData && hasErrors) fail('TOP_LEVEL_MEMBERS_INCOMPATIBLE')
  if (!hasData && Object.hasOwn(document, 'included')) fail('TOP_LEVEL_MEMBER_NOT_ALLOWED')
  const hasContent = hasData || hasErrors || Object.hasOwn(document, 'meta')
  if (kind === 'resource' && !hasContent) fail('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  return document
}
