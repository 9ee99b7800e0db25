import type { OpenApiDocument } from '../openapi/openapi-settings.js'
import type { JsonSchema } from '../resource/json-schema.js'

/** The descriptions of a server. Each is created when it is needed for the first time. */
export interface ServerDescription {
  openapi(): OpenApiDocument
  /** The JSON Schemas by type. */
  schemas(): Readonly<Record<string, JsonSchema>>
}
