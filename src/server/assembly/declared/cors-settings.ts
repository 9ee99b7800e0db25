import { isPlainObject } from '../../../core/util/deep-freeze.js'

/**
 * Which web pages of other origins may use a server: the setting `cors`.
 *
 * @example
 * ```ts
 * const cors: ServerSettings['cors'] = { origins: ['https://app.music.example', 'https://*.preview.music.example'], credentials: true }
 * createServer({ resources: [albums, artists], data: memoryData(), cors })
 * ```
 */
export interface CorsSettings {
  /**
   * The origins: `https://app.music.example`, `https://*.music.example` for every subdomain, or a function that decides. `'*'` for
   * all origins.
   */
  readonly origins: '*' | readonly string[] | ((origin: string) => boolean)
  /** Whether pages may send cookies and other credentials that the browser adds itself. Default: false. */
  readonly credentials?: boolean
  /** Request headers that pages may send, besides those that the service reads itself. */
  readonly requestHeaders?: readonly string[]
  /** Response headers that pages may read, besides those that the service sends itself. */
  readonly exposedHeaders?: readonly string[]
  /** For how many seconds browsers may cache the response to a preflight request. Default: 600. */
  readonly maxAge?: number
}

/** The setting `cors` of each server that has it, by its name. A named server without one has that of the default server. */
export function corsByServer({
  cors,
  servers,
}: {
  readonly cors?: unknown
  readonly servers?: unknown
}): ReadonlyMap<string, CorsSettings> {
  const declared = Object.entries(isPlainObject(servers) ? servers : {})
  const own = new Map(declared.map(([name, server]) => [name, isPlainObject(server) ? server['cors'] : undefined]))
  const ofDefault = own.get('default') ?? cors
  const named = [...own].map(([name, given]) => [name, given === undefined ? ofDefault : given] as const)
  const all = new Map<string, unknown>([['default', ofDefault], ...named])
  return new Map([...all].filter((entry): entry is [string, CorsSettings] => isPlainObject(entry[1])))
}
