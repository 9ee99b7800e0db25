import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'

/**
 * An OpenAPI document: plain data, as JSON has it.
 *
 * @example
 * ```ts
 * const withLogo = (document: OpenApiDocument): OpenApiDocument => ({
 *   ...document,
 *   info: { ...document.info, 'x-logo': { url: 'https://music.example/logo.svg' } },
 * })
 * ```
 */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: JsonSchema
  readonly servers: readonly JsonSchema[]
  readonly paths: Readonly<Record<string, JsonSchema>>
  readonly components: Readonly<Record<string, JsonSchema>>
  readonly [member: string]: unknown
}

export type OpenApiVersion = NonNullable<OpenApiSettings['openapiVersion']>

/**
 * The setting `openapi`: whether and how a server describes itself.
 *
 * @example
 * ```ts
 * const openapi: ServerSettings['openapi'] = {
 *   title: 'Music catalogue',
 *   version: '2.1.0',
 *   description: 'Artists, albums and tracks.',
 *   decorate: (document) => ({ ...document, externalDocs: { url: 'https://music.example/guide' } }),
 * }
 * createServer({ resources: [albums, artists], data: memoryData(), openapi })
 * ```
 */
export interface OpenApiSettings {
  /** The version of OpenAPI. Documents of 3.2 have the operations of QUERY requests. Default: `3.1`. */
  readonly openapiVersion?: '3.1' | '3.2'
  /** Whether the documents are served. `server.openapi()` works in both cases. Default: true. */
  readonly enabled?: boolean
  /** The title of the API. Default: `JSON:API`, with the name of a named server. */
  readonly title?: string
  /** The version of the API, not of OpenAPI. Default: `1.0.0`. */
  readonly version?: string
  /** Markdown. */
  readonly description?: string
  /** Further members of `info`: `contact`, `license`, `termsOfService`. */
  readonly info?: Readonly<Record<string, unknown>>
  /** The addresses of the API. Default: that of the links. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /** Tags with descriptions. They come first, in this order. */
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  /**
   * The security schemes by name: https://spec.openapis.org/oas/v3.1.0#security-scheme-object. Default: one for each middleware that
   * authenticates, derived from its challenge.
   */
  readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /**
   * Whether `page` is one parameter, as in JSON:API, or one for each of its keys, for generators that read names. Default:
   * `deepObject`.
   */
  readonly pageParameters?: 'deepObject' | 'flat'
  /**
   * Whether the parameters `fields[…]` are described. Without them, the schemas of responses require the attributes and relationships that
   * every response has. Default: true.
   */
  readonly fieldsets?: boolean
  /** Whether documents have a link `describedby` to the OpenAPI document. Default: true. */
  readonly describedby?: boolean
  /** Whether the viewer is served at `/docs`. It needs the package `swagger-ui-dist`. Default: false. */
  readonly viewer?: boolean
  /** Changes the finished document. It is called once for each version of OpenAPI. */
  readonly decorate?: (document: OpenApiDocument) => OpenApiDocument
}
