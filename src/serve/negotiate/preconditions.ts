import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'

/**
 * The accepted versions of a resource: a write happens only if the resource has one of them.
 *
 * @example
 * ```ts
 * const ifMatch = { versions: ['3'] }
 * await server.dispatch({ kind: 'DeleteResource', type: 'albums', id: '1', ifMatch })
 * ```
 */
export interface VersionMatch {
  /** The tokens of the versions; `*` for any version of a resource that exists. */
  readonly versions: '*' | readonly string[]
  /** The member of the request body that names the version. Default: the header `If-Match` names it. */
  readonly pointer?: string
}

/** The preconditions of a write. */
export interface Preconditions {
  readonly ifMatch: VersionMatch | null
  /** `*`: a resource is created only if there is none with its id. */
  readonly ifNoneMatch: '*' | null
}

/** The preconditions of a request without any, and of a read: those are checked when its response is known. */
export const noPreconditions: Preconditions = Object.freeze({ ifMatch: null, ifNoneMatch: null })

/**
 * Reads the preconditions of a write; 400 if they are malformed.
 *
 * https://www.rfc-editor.org/rfc/rfc9110#name-preconditions
 *
 * @param hasVersion whether the path is that of a resource. Other paths have no version: tags in `If-Match` fail there with 412
 */
export function preconditionsOf(request: Pick<HttpRequest, 'header'>, hasVersion: boolean): Preconditions {
  const [match, noneMatch] = [request.header('if-match'), request.header('if-none-match')]
  if (match === undefined && noneMatch === undefined) return noPreconditions
  const versions = match === undefined ? null : versionsIn(entityTags(match) ?? malformed('If-Match'))
  if (versions !== null && versions !== '*' && !hasVersion) {
    fail('PRECONDITION_FAILED', { condition: 'If-Match' }, { source: { header: 'If-Match' } })
  }
  return {
    ifMatch: versions === null ? null : { versions },
    ifNoneMatch: noneMatch !== undefined && (entityTags(noneMatch) ?? malformed('If-None-Match')) === '*' ? '*' : null,
  }
}

function malformed(header: 'If-Match' | 'If-None-Match'): never {
  return fail('PRECONDITION_INVALID', { header }, { source: { header } })
}

/** An entity tag of a request. */
interface EntityTag {
  readonly isWeak: boolean
  /** Without its quotes. */
  readonly text: string
}

const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,[\t ,]*|$)/y

/** Reads a list of entity tags; `null` if it is malformed. */
function entityTags(value: string): '*' | readonly EntityTag[] | null {
  const list = value.trim()
  if (list === '*') return '*'
  const tags: EntityTag[] = []
  let end = 0
  while (end < list.length) {
    entityTag.lastIndex = end
    const found = entityTag.exec(list)
    if (found === null) return null
    tags.push({ isWeak: found[1] !== undefined, text: found[2] ?? '' })
    end = entityTag.lastIndex
  }
  return tags.length === 0 ? null : tags
}

/** Returns the tokens of strong entity tags. A weak one never matches. */
function versionsIn(tags: '*' | readonly EntityTag[]): VersionMatch['versions'] {
  return tags === '*' ? '*' : tags.filter(({ isWeak }) => !isWeak).map(({ text }) => versionIn(text))
}

/** The token of a version is before the first dot, the hash of the document after it. */
function versionIn(text: string): string {
  const dot = text.indexOf('.')
  return dot === -1 ? text : text.slice(0, dot)
}

/**
 * Returns whether `If-None-Match` of a read names the entity tag of its response: then the client already has the body. A malformed header
 * is ignored, and the body is sent.
 */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string | null): boolean {
  if (etag === null) return false
  const tags = entityTags(ifNoneMatch)
  const text = etag.replace(/^W\//, '').slice(1, -1)
  return tags === '*' || tags?.some((tag) => tag.text === text) === true
}

/** Returns whether a resource has not changed since the time of `If-Modified-Since`, which a client without entity tags sends. */
export function isUnmodifiedSince(ifModifiedSince: string, lastModified: string | null): boolean {
  // An invalid date is ignored: no comparison with it holds.
  return lastModified !== null && Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}
