import type { OpenApiDocument } from '../openapi/openapi-settings.js'
import type { JsonSchema } from '../resource/json-schema.js'

/** The descriptions of a server. Each is created when it is needed for the first time. */
export interface ServerDescription {
  openapi(): OpenApiDocument
  /** The JSON Schemas by type. */
  schemas(): Readonly<Record<string, JsonSchema>>
  /** Returns one of them as it is served. */
  text(description: 'openapi' | 'schemas'): DescriptionText
}

/** A description as a text, with its entity tag. */
export interface DescriptionText {
  readonly text: string
  readonly etag: string
}
