import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonSchema } from '../parts/json-schema.js'
import type {
  BigintBound,
  CompareOperator,
  Condition,
  Constraint,
  ConstraintContext,
  CustomTest,
  Moment,
  ValueFamily,
} from './constraint.js'
import { slugPattern, patternSource, ulidPattern } from './patterns.js'

/**
 * The type of {@link rule}: one function for each constraint, in the order text, numbers, dates, lists, sets,
 * combinations.
 */
export interface RuleCatalogue {
  minLength(limit: number): Constraint
  maxLength(limit: number): Constraint
  pattern(expression: RegExp | string): Constraint
  email(options?: { readonly strict?: boolean }): Constraint
  url(schemes?: readonly string[]): Constraint
  uuid(version?: number): Constraint
  ulid(): Constraint
  ip(version?: 4 | 6): Constraint
  slug(expression?: RegExp | string): Constraint
  min(bound: number | bigint): Constraint
  max(bound: number | bigint): Constraint
  exclusiveMin(bound: number | bigint): Constraint
  exclusiveMax(bound: number | bigint): Constraint
  multipleOf(step: number): Constraint
  before(bound: Moment): Constraint
  after(bound: Moment): Constraint
  between(from: Moment, to: Moment): Constraint
  minItems(limit: number): Constraint
  maxItems(limit: number): Constraint
  uniqueItems(): Constraint
  each(...constraints: readonly Constraint[]): Constraint
  minProperties(limit: number): Constraint
  maxProperties(limit: number): Constraint
  in(values: readonly unknown[]): Constraint
  notIn(values: readonly unknown[]): Constraint
  required(): Constraint
  nullable(): Constraint
  sequentially(...constraints: readonly Constraint[]): Constraint
  atLeastOneOf(...alternatives: readonly Constraint[]): Constraint
  when(condition: Condition, ...constraints: readonly Constraint[]): Constraint
  compareWith(field: string, operator: CompareOperator): Constraint
  unique(options?: { readonly with?: readonly string[]; readonly message?: string }): Constraint
  /** Validates a value against raw JSON Schema members (`oneOf`, `anyOf`, `allOf`, …). */
  shape(schema: JsonSchema): Constraint
  /** Any Standard Schema validator: Zod, Valibot, ArkType. */
  standard(validator: StandardSchemaV1): Constraint
  custom(name: string, test: CustomTest, options?: { readonly schema?: JsonSchema }): Constraint
  /** Returns the same constraint, for creates only. */
  onCreate(constraint: Constraint): Constraint
  /** Returns the same constraint, for updates only. */
  onUpdate(constraint: Constraint): Constraint
}

/**
 * Creates constraints for everything that accepts a list of them: `constrain()`, `each()`, filter values.
 *
 * @example
 * ```ts
 * const genres = rule.each(rule.minLength(1), rule.maxLength(40))
 * ```
 */
export const rule: RuleCatalogue = Object.freeze<RuleCatalogue>({
  minLength: (limit) => schema('minLength', 'text', { minLength: limit }),
  maxLength: (limit) => schema('maxLength', 'text', { maxLength: limit }),
  pattern: (expression) => schema('pattern', 'text', { pattern: patternSource(expression) }),
  email: (options) =>
    schema('email', 'text', options?.strict === true ? { format: 'email', ...strictEmail } : { format: 'email' }),
  url: (schemes = []) =>
    schema(
      'url',
      'text',
      schemes.length === 0 ? { format: 'uri' } : { format: 'uri', pattern: schemePattern(schemes) },
    ),
  uuid: (version) =>
    schema(
      'uuid',
      'text',
      version === undefined
        ? { format: 'uuid' }
        : { format: 'uuid', pattern: `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB]` },
    ),
  ulid: () => schema('ulid', 'text', { pattern: ulidPattern }),
  ip: (version) =>
    schema(
      'ip',
      'text',
      version === undefined ? { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } : { format: `ipv${version}` },
    ),
  slug: (expression) =>
    schema('slug', 'text', { pattern: expression === undefined ? slugPattern : patternSource(expression) }),
  min: (bound) => bounded('min', 'minimum', bound),
  max: (bound) => bounded('max', 'maximum', bound),
  exclusiveMin: (bound) => bounded('exclusiveMin', 'exclusiveMinimum', bound),
  exclusiveMax: (bound) => bounded('exclusiveMax', 'exclusiveMaximum', bound),
  multipleOf: (step) => schema('multipleOf', 'number', { multipleOf: step }),
  before: (bound) => always({ kind: 'before', bound }),
  after: (bound) => always({ kind: 'after', bound }),
  between: (from, to) => always({ kind: 'between', from, to }),
  minItems: (limit) => schema('minItems', 'list', { minItems: limit }),
  maxItems: (limit) => schema('maxItems', 'list', { maxItems: limit }),
  uniqueItems: () => schema('uniqueItems', 'list', { uniqueItems: true }),
  each: (...constraints) => always({ kind: 'each', constraints: Object.freeze(constraints) }),
  minProperties: (limit) => schema('minProperties', 'properties', { minProperties: limit }),
  maxProperties: (limit) => schema('maxProperties', 'properties', { maxProperties: limit }),
  in: (values) => schema('in', 'any', { enum: Object.freeze([...values]) }),
  notIn: (values) => schema('notIn', 'any', { not: Object.freeze({ enum: Object.freeze([...values]) }) }),
  required: () => always({ kind: 'required' }),
  nullable: () => always({ kind: 'nullable' }),
  sequentially: (...constraints) => always({ kind: 'sequentially', constraints: Object.freeze(constraints) }),
  atLeastOneOf: (...alternatives) => always({ kind: 'atLeastOneOf', alternatives: Object.freeze(alternatives) }),
  when: (condition, ...constraints) => always({ kind: 'when', condition, constraints: Object.freeze(constraints) }),
  compareWith: (field, operator) => always({ kind: 'compare', field, operator }),
  unique: (options) =>
    always({ kind: 'unique', fields: Object.freeze([...(options?.with ?? [])]), message: options?.message ?? null }),
  shape: (members) => schema('shape', 'any', members),
  standard: (validator) => always({ kind: 'standard', validator }),
  custom: (name, test, options) => always({ kind: 'custom', name, test, schema: options?.schema ?? null }),
  onCreate: (constraint) => inContext(constraint, 'create'),
  onUpdate: (constraint) => inContext(constraint, 'update'),
})

/** Creates a text pattern with a name, so that API descriptions can distinguish it from a user-defined pattern. */
export function namedPattern(name: string, pattern: string): Constraint {
  return schema(name, 'text', { pattern })
}

/**
 * RFC 5321 limits the length of the part before the @ and of the whole address, and allows dots before the @ only
 * between words. HTML forms do not check this.
 */
const strictEmail: JsonSchema = Object.freeze({ maxLength: 254, pattern: '^(?=[^@]{1,64}@)[^@.]+(?:\\.[^@.]+)*@' })

type WithoutContext<C> = C extends Constraint ? Omit<C, 'on'> : never

function always(constraint: WithoutContext<Constraint>): Constraint {
  return inContext(constraint, 'always')
}

function inContext(constraint: WithoutContext<Constraint>, context: ConstraintContext): Constraint {
  return Object.freeze({ ...constraint, on: context })
}

/** A bound of numbers. A `bigint` bounds whole numbers that are strings of digits. */
function bounded(name: BigintBound, keyword: string, bound: number | bigint): Constraint {
  return typeof bound === 'bigint'
    ? always({ kind: 'bigintBound', name, bound })
    : schema(name, 'number', { [keyword]: bound })
}

function schema(name: string, family: ValueFamily, members: JsonSchema): Constraint {
  return always({ kind: 'schema', name, family, schema: Object.freeze(members) })
}

/**
 * URL schemes are case-insensitive (RFC 3986, section 3.1). JSON Schema has no flag for that, so the pattern has both
 * cases of every letter.
 */
function schemePattern(schemes: readonly string[]): string {
  const patterns = schemes.map((scheme) =>
    scheme.replaceAll(/[^a-zA-Z0-9]/g, '\\$&').replaceAll(/[a-zA-Z]/g, eitherCase),
  )
  return `^(?:${patterns.join('|')}):`
}

function eitherCase(letter: string): string {
  return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
}
