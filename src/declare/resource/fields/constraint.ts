import type { Sentence } from '../../../core/errors/sentence.js'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../parts/json-schema.js'
import type { RequestContext } from '../request/request-context.js'

/** The writes that a constraint applies to: all of them, creates only, or updates only. */
export type ConstraintContext = 'always' | 'create' | 'update'

/** A family of values that a constraint applies to. A value kind lists the families that its values belong to. */
export type ValueFamily = 'text' | 'number' | 'bigint' | 'moment' | 'list' | 'properties' | 'composite' | 'any'

/**
 * The operator of `rule.compareWith()`, which compares two attributes of a resource.
 *
 * @example
 * ```ts
 * const notAfter = '<='
 * const recordedAt = rule.compareWith('releasedAt', notAfter)
 * ```
 */
export type CompareOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/**
 * A point in time: fixed, or a function that is called on every request.
 *
 * @example
 * ```ts
 * const now = () => new Date()
 * const recordedOn = rule.between('1900-01-01', now)
 * ```
 */
export type Moment = string | Date | (() => string | Date)

/**
 * Returns whether the constraints inside `when` apply. The context is `null` if a filter value is validated.
 *
 * @example
 * ```ts
 * const isLong = (value: unknown) => typeof value === 'string' && value.length > 40
 * const title = rule.when(isLong, rule.pattern(/^[A-Z]/))
 * ```
 */
export type Condition = (value: unknown, context: RequestContext | null) => boolean

/**
 * A user-defined validation rule. Returns `null` if the value is valid, else a sentence that describes the problem.
 *
 * @example
 * ```ts
 * const noCapitals = (value: unknown) =>
 *   value === String(value).toUpperCase() ? 'Must not be written in capitals only.' : null
 * const title = rule.custom('noCapitals', noCapitals)
 * ```
 */
export type CustomTest = (value: unknown, context: RequestContext | null) => string | null

/** The side of a bound of whole numbers of eight bytes. */
export type BigintBound = 'min' | 'max' | 'exclusiveMin' | 'exclusiveMax'

interface WithContext {
  readonly on: ConstraintContext
}

/**
 * A constraint on a value. It is plain frozen data, which {@link rule} creates and the server evaluates.
 *
 * @example
 * ```ts
 * const title: readonly Constraint[] = [rule.minLength(1), rule.maxLength(200)]
 * const attributes = (a: AttributeKit<{ title: string }>) => ({ title: a.string().constrain(...title) })
 * ```
 */
export type Constraint =
  | (WithContext & { readonly kind: 'required' })
  | (WithContext & { readonly kind: 'nullable' })
  /** A constraint that JSON Schema can express. */
  | (WithContext & {
      readonly kind: 'schema'
      readonly name: string
      readonly family: ValueFamily
      readonly schema: JsonSchema
    })
  /** A bound of whole numbers that are strings of digits on the wire, which JSON Schema cannot compare. */
  | (WithContext & { readonly kind: 'bigintBound'; readonly name: BigintBound; readonly bound: bigint })
  | (WithContext & { readonly kind: 'before' | 'after'; readonly bound: Moment })
  | (WithContext & { readonly kind: 'between'; readonly from: Moment; readonly to: Moment })
  | (WithContext & { readonly kind: 'each'; readonly constraints: readonly Constraint[] })
  | (WithContext & { readonly kind: 'sequentially'; readonly constraints: readonly Constraint[] })
  | (WithContext & { readonly kind: 'atLeastOneOf'; readonly alternatives: readonly Constraint[] })
  | (WithContext & {
      readonly kind: 'when'
      readonly condition: Condition
      readonly constraints: readonly Constraint[]
    })
  | (WithContext & { readonly kind: 'compare'; readonly field: string; readonly operator: CompareOperator })
  | (WithContext & { readonly kind: 'unique'; readonly fields: readonly string[]; readonly message: string | null })
  | (WithContext & { readonly kind: 'standard'; readonly validator: StandardSchemaV1 })
  | (WithContext & {
      readonly kind: 'custom'
      readonly name: string
      readonly test: (...parameters: Parameters<CustomTest>) => Sentence | string | null
      readonly schema: JsonSchema | null
    })

/** Returns the constraint limited to a context. A constraint that already has a context keeps it. */
export function limitedTo(constraint: Constraint, on: ConstraintContext): Constraint {
  return constraint.on === 'always' ? Object.freeze({ ...constraint, on }) : constraint
}

/** Returns the family of values that a constraint applies to. */
export function familyOf(constraint: Constraint): ValueFamily {
  switch (constraint.kind) {
    case 'schema':
      return constraint.family
    case 'bigintBound':
      return 'bigint'
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

/** The names of the attributes that a rule compares its own with. */
export function comparedNames(rule: Constraint): readonly string[] {
  switch (rule.kind) {
    case 'compare':
      return [rule.field]
    case 'sequentially':
    case 'when':
      return rule.constraints.flatMap(comparedNames)
    case 'atLeastOneOf':
      return rule.alternatives.flatMap(comparedNames)
    default:
      return []
  }
}
