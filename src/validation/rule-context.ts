import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import type { Validation } from './validation.js'

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
