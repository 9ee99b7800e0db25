import { contentType, NO_SNIFF, VARY_ACCEPT, VARY_ACCEPT_PREFER } from '../../core/document/media-type.js'
import { json } from './json.js'

/** The parts that all documents with the same extensions and profiles have in common. */
export interface FrameContent {
  /** `Content-Type` and `Vary`, as alternating names and values. */
  readonly headers: readonly string[]
  /** The same for a response that depends on the header `Prefer`. */
  readonly preferHeaders: readonly string[]
  /** The member `jsonapi` with a leading comma; empty if the member would be empty. */
  readonly jsonapi: string
}

/** Returns the common parts of documents that apply these extensions and profiles. */
export type DocumentFrame = (extensions: readonly string[], profiles: readonly string[]) => FrameContent

export interface FrameOptions {
  /** The value of `jsonapi.version`. An empty text leaves the member out. */
  readonly version: string
  readonly jsonapiMeta: Readonly<Record<string, unknown>> | null
}

const none: readonly string[] = []

/**
 * Creates a cached frame factory. The cache is small, because there are few combinations of registered extensions and
 * profiles.
 */
export function documentFrame(options: FrameOptions): DocumentFrame {
  const plain = framed([], [], options)
  const cache = new Map<string, FrameContent>()
  let last = { extensions: none, profiles: none, frame: plain }
  return (extensions, profiles) => {
    if (extensions.length === 0 && profiles.length === 0) return plain
    if (extensions === last.extensions && profiles === last.profiles) return last.frame
    const key = `${extensions.join(' ')}\n${profiles.join(' ')}`
    const frame = cache.get(key) ?? framed(extensions, profiles, options)
    cache.set(key, frame)
    last = { extensions, profiles, frame }
    return frame
  }
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function framed(
  extensions: readonly string[],
  profiles: readonly string[],
  { version, jsonapiMeta }: FrameOptions,
): FrameContent {
  const members = {
    ...(version === '' ? {} : { version }),
    ...(extensions.length === 0 ? {} : { ext: extensions }),
    ...(profiles.length === 0 ? {} : { profile: profiles }),
    ...(jsonapiMeta === null ? {} : { meta: jsonapiMeta }),
  }
  const mediaType = contentType(extensions, profiles)
  return {
    headers: ['Content-Type', mediaType, ...VARY_ACCEPT, ...NO_SNIFF],
    preferHeaders: ['Content-Type', mediaType, ...VARY_ACCEPT_PREFER, ...NO_SNIFF],
    jsonapi: Object.keys(members).length === 0 ? '' : `,"jsonapi":${json(members)}`,
  }
}
