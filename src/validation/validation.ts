import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RequestContext } from '../resource/request-context.js'
import type { SchemaValidator } from './schema-validator.js'

/** The context in which the document of a write is checked. */
export interface Validation {
  readonly mode: 'create' | 'update'
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  /** The maximum number of violations to report: a body may have as many violations as items. */
  readonly limit: number
  /** The attributes that the client may write in this request. */
  readonly writable: readonly CompiledAttribute[]
  /** Returns the stored value of an attribute as the client reads it; `undefined` if the client cannot read it. */
  readonly stored: (name: string) => unknown
  /** The stored row; `null` on create. */
  readonly row: RowObject | null
  /** Whether an update also checks stored values that were not sent. */
  readonly validateStored: boolean
  /** Names of attributes that are not sent but change with a relation that is: those that are stored in a related row. */
  readonly changed?: ReadonlySet<string>
}

/** The `stored` function for a resource that does not exist yet. */
export const nothingStored: Validation['stored'] = () => undefined
