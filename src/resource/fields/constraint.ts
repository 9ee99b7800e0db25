import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../json-schema.js'
import type { RequestContext } from '../request-context.js'

/** When a constraint holds: on every write, or on one of the two. */
export type ConstraintContext = 'always' | 'create' | 'update'

/** What a constraint needs of the value it is put on; a value kind says which it has. */
export type ValueFamily = 'text' | 'number' | 'moment' | 'list' | 'properties' | 'composite' | 'any'

export type CompareOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** A point in time, fixed or asked for on every request. */
export type Moment = string | Date | (() => string | Date)

/** Decides whether the constraints inside `when` hold. The context is `null` where a filter asks. */
export type Condition = (value: unknown, context: RequestContext | null) => boolean

/** A rule of the author's own: `null` when the value is fine, else a sentence that says what is wrong. */
export type CustomTest = (value: unknown, context: RequestContext | null) => string | null

interface Stamped {
  readonly on: ConstraintContext
}

/** What can be demanded of a value. Plain frozen data; `handler/validation` executes it. */
export type Constraint =
  | (Stamped & { readonly kind: 'required' })
  | (Stamped & { readonly kind: 'nullable' })
  /** Whatever JSON Schema can say. */
  | (Stamped & {
      readonly kind: 'schema'
      readonly name: string
      readonly family: ValueFamily
      readonly schema: JsonSchema
    })
  | (Stamped & { readonly kind: 'before' | 'after'; readonly bound: Moment })
  | (Stamped & { readonly kind: 'between'; readonly from: Moment; readonly to: Moment })
  | (Stamped & { readonly kind: 'each'; readonly constraints: readonly Constraint[] })
  | (Stamped & { readonly kind: 'sequentially'; readonly constraints: readonly Constraint[] })
  | (Stamped & { readonly kind: 'atLeastOneOf'; readonly alternatives: readonly Constraint[] })
  | (Stamped & { readonly kind: 'when'; readonly condition: Condition; readonly constraints: readonly Constraint[] })
  | (Stamped & { readonly kind: 'compare'; readonly field: string; readonly operator: CompareOperator })
  | (Stamped & { readonly kind: 'unique'; readonly fields: readonly string[]; readonly message: string | null })
  | (Stamped & { readonly kind: 'standard'; readonly validator: StandardSchemaV1 })
  | (Stamped & {
      readonly kind: 'custom'
      readonly name: string
      readonly test: CustomTest
      readonly schema: JsonSchema | null
    })

/** The constraint under another context; what already has one keeps it. */
export function stamped(constraint: Constraint, on: ConstraintContext): Constraint {
  return constraint.on === 'always' ? Object.freeze({ ...constraint, on }) : constraint
}

/** The family of values a constraint can be put on. */
export function familyOf(constraint: Constraint): ValueFamily {
  switch (constraint.kind) {
    case 'schema':
      return constraint.family
    case 'before':
    case 'after':
    case 'between':
      return 'moment'
    case 'each':
      return 'list'
    default:
      return 'any'
  }
}
