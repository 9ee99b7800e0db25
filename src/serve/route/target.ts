/**
 * The endpoint of an extension, as a router of the application passes it to `server.handleAt()`.
 *
 * @example
 * ```ts
 * const batches = { extension: 'https://jsonapi.org/ext/atomic' }
 * const handleBatch = (request: HttpRequest) => server.handleAt(request, batches)
 * ```
 */
export interface ExtensionTarget {
  /** The URI of the extension. */
  readonly extension: string
}

/**
 * A description of a server, as a router of the application passes it to `server.handleAt()`.
 *
 * @example
 * ```ts
 * const handleDocs = (request: HttpRequest) => server.handleAt(request, { description: 'openapi' })
 * ```
 */
export interface DescriptionTarget {
  /** The OpenAPI document, the JSON Schemas of the types, or the viewer. */
  readonly description: 'openapi' | 'schemas' | 'viewer'
  /** A file that the page of the viewer loads, such as `viewer.js`. */
  readonly file?: string
}

/**
 * The collection, resource, relationship or action that a request addresses, as a router of the application passes it
 * to `server.handleAt()`.
 *
 * @example
 * ```ts
 * const album = { type: 'albums', id: '1', relationship: null, isRelationshipEndpoint: false }
 * const handleAlbum = (request: HttpRequest) => server.handleAt(request, album)
 * ```
 */
export interface Target {
  readonly type: string
  readonly id: string | null
  /** The name of the relation. The handler reports an error if there is no such relation. */
  readonly relationship: string | null
  /** True for `/{type}/{id}/relationships/{rel}`, false for `/{type}/{id}/{rel}`. */
  readonly isRelationshipEndpoint: boolean
  /**
   * The path segment of a custom action, for `/{type}/{id}/-actions/{path}` and, without an id,
   * `/{type}/-actions/{path}`.
   */
  readonly action?: string
}
