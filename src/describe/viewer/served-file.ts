import { bodyHash } from '../../core/util/body-hash.js'

/** A file as it is served. */
export interface ServedFile {
  readonly mediaType: string
  readonly body: string | Uint8Array
  /** A hash of the body: its entity tag, and a part of its URL. */
  readonly version: string
  /** Further headers: name, value, name, value. */
  readonly headers: readonly string[]
}

export function servedFile(
  mediaType: string,
  body: string | Uint8Array,
  headers: readonly string[] = Object.freeze([]),
): ServedFile {
  return Object.freeze<ServedFile>({ mediaType, body, version: bodyHash(body), headers })
}
