import type { RequestContext } from '../../resource/request-context.js'
import type { SchemaValidator } from './schema-validator.js'

/** What a write is checked against. */
export interface Validation {
  readonly mode: 'create' | 'update'
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  /** The resulting attributes, as far as they are known: cross-field rules look here. */
  readonly siblings: Readonly<Record<string, unknown>>
}
