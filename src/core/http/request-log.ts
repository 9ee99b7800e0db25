/**
 * The log entry of a request, written when its response is ready, or when a streamed response has ended.
 *
 * @example
 * ```ts
 * const isSlow = ({ milliseconds }: RequestLogEntry) => milliseconds > 1000
 * ```
 */
export interface RequestLogEntry {
  /** The header `X-Request-Id`, or a generated id. Entries about errors have the same one. */
  readonly requestId: string
  readonly method: string
  /** The path without its query, which may contain secrets. */
  readonly path: string
  /** The name of the route, such as `jsonapi.albums.show`: the same for all ids; `null` for a path or method that has none. */
  readonly route: string | null
  /** The name of the server. */
  readonly server: string
  readonly status: number
  /** From the arrival of the request to its response, or to the end of a streamed one. */
  readonly milliseconds: number
  /** The size of the response body before any compression. */
  readonly bytes: number
  /** Whether a streamed response was not sent to its end: the client has disconnected, or the stream has failed. */
  readonly isIncomplete?: boolean
}

/**
 * Gets an entry for each request. A pino logger fits.
 *
 * @example
 * ```ts
 * const requestLog: RequestLogger = { info: ({ route, status }, message) => console.log(message, route, status) }
 * createServer({ resources: [albums, artists], data: memoryData(), requestLog })
 * ```
 */
export interface RequestLogger {
  info(entry: RequestLogEntry, message: string): unknown
}
