import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
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
  /** The resulting value of another attribute, for cross-field rules; `undefined` where there is none. */
  readonly sibling: (name: string) => unknown
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
}

/** Siblings that stand in one object. */
export function siblingsIn(owner: Readonly<Record<string, unknown>>): Validation['sibling'] {
  return (name) => (Object.hasOwn(owner, name) ? owner[name] : undefined)
}
