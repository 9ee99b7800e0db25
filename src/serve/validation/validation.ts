import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { SchemaValidator } from './schema-validator.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../../declare/resource/fields/moment-format.js'

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

/** The value of a field after the write, `undefined` if there is none, and its format if it is a moment. */
export interface Sibling {
  readonly value: unknown
  readonly moment: MomentFormat | null
}

/** The context in which the rules of a field are checked. */
export interface RuleContext extends Pick<Validation, 'context' | 'schemas' | 'limit'> {
  /** The kind of write; `null` outside of writes, where the rules for create and those for update both apply. */
  readonly mode: Validation['mode'] | null
  /** The field. Its format defines how moments are parsed. */
  readonly spec: AttributeSpec
  /** Returns another field of the same object. */
  readonly sibling: (name: string) => Sibling | undefined
}
