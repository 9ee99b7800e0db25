import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RequestContext } from '../resource/request-context.js'
import type { SchemaValidator } from './schema-validator.js'

/** What a write is checked against. */
export interface Validation {
  readonly mode: 'create' | 'update'
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  /** The most violations that are told: a body may have as many as it has items. */
  readonly limit: number
  /** The attributes that the client may write here and now. */
  readonly writable: readonly CompiledAttribute[]
  /** What is stored of an attribute, as the client would read it; `undefined` for what it would not read. */
  readonly stored: (name: string) => unknown
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
}

/** Of a resource that is only being made. */
export const nothingStored: Validation['stored'] = () => undefined
