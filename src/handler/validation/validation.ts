import type { RequestContext } from '../../resource/request-context.js'
import type { SchemaValidator } from './schema-validator.js'

/** What a write is checked against. */
export interface Validation {
  readonly mode: 'create' | 'update'
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  /** The resulting value of another attribute, for cross-field rules; `undefined` where there is none. */
  readonly sibling: (name: string) => unknown
}

/** Siblings that stand in one object. */
export function siblingsIn(owner: Readonly<Record<string, unknown>>): Validation['sibling'] {
  return (name) => (Object.hasOwn(owner, name) ? owner[name] : undefined)
}
