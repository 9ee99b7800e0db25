import { contentType, VARY_ACCEPT } from '../document/media-type.js'
import { json } from './json.js'

/** What an answer applies. */
export interface Applied {
  readonly extensions: readonly string[]
  readonly profiles: readonly string[]
}

/** What every document has that applies the same. */
export interface Framed {
  /** `Content-Type` and `Vary`: name and value by turns. */
  readonly headers: readonly string[]
  /** The member `jsonapi`, with the comma before it; empty where it says nothing. */
  readonly jsonapi: string
}

export type DocumentFrame = (applied: Applied) => Framed

export interface FrameOptions {
  /** Empty to leave it out. */
  readonly version: string
  readonly jsonapiMeta: Readonly<Record<string, unknown>> | null
}

/** Extensions and profiles are those that the server knows: there are few different frames. */
export function documentFrame(options: FrameOptions): DocumentFrame {
  const plain = framed({ extensions: [], profiles: [] }, options)
  const known = new Map<string, Framed>()
  return (applied) => {
    const { extensions, profiles } = applied
    if (extensions.length === 0 && profiles.length === 0) return plain
    const key = `${extensions.join(' ')}\n${profiles.join(' ')}`
    const frame = known.get(key) ?? framed(applied, options)
    known.set(key, frame)
    return frame
  }
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
function framed({ extensions, profiles }: Applied, { version, jsonapiMeta }: FrameOptions): Framed {
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
