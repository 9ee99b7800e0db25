import { contentType, VARY_ACCEPT } from '../document/media-type.js'
import { json } from './json.js'

/** What every document has that applies the same. */
export interface Framed {
  /** `Content-Type` and `Vary`: name and value by turns. */
  readonly headers: readonly string[]
  /** The member `jsonapi`, with the comma before it; empty where it says nothing. */
  readonly jsonapi: string
}

/** By what an answer applies. */
export type DocumentFrame = (extensions: readonly string[], profiles: readonly string[]) => Framed

export interface FrameOptions {
  /** Empty to leave it out. */
  readonly version: string
  readonly jsonapiMeta: Readonly<Record<string, unknown>> | null
}

const none: readonly string[] = []

/** Extensions and profiles are those that the server knows: there are few different frames. */
export function documentFrame(options: FrameOptions): DocumentFrame {
  const plain = framed([], [], options)
  const known = new Map<string, Framed>()
  let last = { extensions: none, profiles: none, frame: plain }
  return (extensions, profiles) => {
    if (extensions.length === 0 && profiles.length === 0) return plain
    if (extensions === last.extensions && profiles === last.profiles) return last.frame
    const key = `${extensions.join(' ')}\n${profiles.join(' ')}`
    const frame = known.get(key) ?? framed(extensions, profiles, options)
    known.set(key, frame)
    last = { extensions, profiles, frame }
    return frame
  }
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function framed(
  extensions: readonly string[],
  profiles: readonly string[],
  { version, jsonapiMeta }: FrameOptions,
): Framed {
  const members = {
    ...(version === '' ? {} : { version }),
    ...(extensions.length === 0 ? {} : { ext: extensions }),
    ...(profiles.length === 0 ? {} : { profile: profiles }),
    ...(jsonapiMeta === null ? {} : { meta: jsonapiMeta }),
  }
  return {
    headers: ['Content-Type', contentType(extensions, profiles), ...VARY_ACCEPT],
    jsonapi: Object.keys(members).length === 0 ? '' : `,"jsonapi":${json(members)}`,
  }
}
