import type { Resources } from '../operation/response-value.js'
import { versionReader } from '../../declare/resource/versions/version-token.js'
import { bodyHash } from '../../core/util/body-hash.js'

/** Returns `ETag` and `Last-Modified` of a document with this body. */
export type Validators = (body: string | Uint8Array) => readonly string[]

/**
 * Returns the validators of a document of one resource; `null` if its type declares none. The strong entity tag is the
 * version of the resource, and a hash of the document. Preconditions of writes compare the version only, whatever `fields`
 * and `include` the document was read with; caches compare both.
 */
export function validatorsOf({ primary: [node], isInRows }: Resources): Validators | null {
  if (node === undefined) return null
  const { served, columns } = node.rows
  const { type } = served
  if (type.version === null && type.lastModified === null) return null
  const version = versionReader(type, columns)(node.row)
  // Other rows that the document depends on may have changed later: included resources, linkage, counts.
  const column = isInRows === true && type.lastModified !== null ? columns.indexOf(type.lastModified) : -1
  const modified = lastModified(column === -1 ? null : node.row[column])
  return (body) => (version === null ? modified : ['ETag', `"${version}.${bodyHash(body)}"`, ...modified])
}

/**
 * Returns `Last-Modified`. The header has no fractions of a second, so it is left out if the resource has changed in this second:
 * it could change once more, and the header would stay the same.
 */
function lastModified(value: unknown): readonly string[] {
  const time = value instanceof Date ? value.getTime() : Date.parse(typeof value === 'string' ? value : '')
  const isPast = Math.floor(time / 1000) < Math.floor(Date.now() / 1000)
  return isPast ? ['Last-Modified', new Date(time).toUTCString()] : none
}

const none: readonly string[] = Object.freeze([])
