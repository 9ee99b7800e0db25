import { fail } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'

/** What the body's primary data is: a resource object, or the linkage of a relationship endpoint. */
export type DocumentKind = 'resource' | 'linkage'

/** A request document that is an object with a legal set of top-level members; the members themselves are unchecked. */
export type RequestDocument = { readonly [member: string]: unknown }

/**
 * Checks the top-level members (https://jsonapi.org/format/1.1/#document-top-level). No document passes: what then misses
 * its data says so itself, and so does what is given null in place of a resource object. Where linkage is missing, that is
 * told of `data` alone.
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
