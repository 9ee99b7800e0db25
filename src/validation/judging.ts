import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import type { Validation } from './validation.js'

/** The resulting value of a field, `undefined` where there is none, and how it is written if it is a moment. */
export interface Sibling {
  readonly value: unknown
  readonly moment: MomentFormat | null
}

/** How the rules of a field are judged. */
export interface Judging extends Pick<Validation, 'context' | 'schemas' | 'limit'> {
  /** Which of the two writes it is; `null` where it is none, and rules for one of them hold too. */
  readonly mode: Validation['mode'] | null
  /** The field, whose own format says how its moments are read. */
  readonly spec: AttributeSpec
  /** The fields beside it. */
  readonly sibling: (name: string) => Sibling | undefined
}
