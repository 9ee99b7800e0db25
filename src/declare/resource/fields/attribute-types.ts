import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { DeprecationOptions } from '../parts/deprecation.js'
import type { JsonSchema } from '../parts/json-schema.js'
import type { RequestContext } from '../request/request-context.js'
import type { UseCondition } from '../request/use-guard.js'
import type {
  AttributeState,
  attributeState,
  NamedAttributes,
  AttributeFlag,
  Members,
  NullOf,
  Variants,
  WireValue,
} from './attribute-values.js'
import type { CheckedAttributes } from './checked-attributes.js'
import type { CompareOperator, Condition, Constraint, Moment } from './constraint.js'
import type { Enumeration } from './enumeration.js'
import type { FillValue, RequestPredicate, RowPredicate, WriteValue } from './field-spec.js'
import type {
  NotComposite,
  NotList,
  NotMoment,
  NotNumber,
  NotProperties,
  NotText,
  CompileError,
} from '../parts/compile-error.js'

/** The attribute types by kind, for rows `R`, wire values `V`, flags `F` and the backing column `C`. */
export interface AttributeKinds<R, V, F extends AttributeFlag, C extends string> {
  string: StringAttribute<R, V, F, C>
  email: EmailAttribute<R, V, F, C>
  url: UrlAttribute<R, V, F, C>
  uuid: UuidAttribute<R, V, F, C>
  slug: SlugAttribute<R, V, F, C>
  ip: IpAttribute<R, V, F, C>
  integer: NumberAttribute<'integer', R, V, F, C>
  bigint: BigintAttribute<R, V, F, C>
  decimal: NumberAttribute<'decimal', R, V, F, C>
  boolean: BooleanAttribute<R, V, F, C>
  dateTime: MomentAttribute<'dateTime', R, V, F, C>
  date: MomentAttribute<'date', R, V, F, C>
  time: MomentAttribute<'time', R, V, F, C>
  arrayList: ListAttribute<R, V, F, C>
  arrayHash: HashAttribute<R, V, F, C>
  map: MapAttribute<R, V, F, C>
  object: ObjectAttribute<R, V, F, C>
  oneOf: OneOfAttribute<R, V, F, C>
}

export type AttributeKind = keyof AttributeKinds<unknown, unknown, never, ''>

/**
 * The values that the cast of a kind converts to a wire value. Composites are cast member by member, from any object.
 */
interface CastValues {
  string: never
  email: never
  url: never
  uuid: never
  slug: never
  ip: never
  integer: bigint
  bigint: bigint
  decimal: bigint | string
  boolean: number
  dateTime: Date
  date: Date
  time: Date
  arrayList: never
  arrayHash: object
  map: object
  object: object
  oneOf: object
}

type ColumnOf<R> = keyof R & string

/** The value if the attribute can have it, else a sentence that the compiler shows as an error. */
type AllowedValue<Value, V, K extends AttributeKind> = Value extends V
  ? Value
  : CompileError<`${Printed<Value>} is not a value of a.${K}(): list only values that the attribute can hold.`>

type AllowedSet<Values, V, K extends AttributeKind> =
  Exclude<ValuesOf<Values>, V> extends never
    ? Values
    : CompileError<`${Printed<Exclude<ValuesOf<Values>, V>>} is not a value of a.${K}(): list only values that the attribute can hold.`>

/**
 * The validator if it accepts at least some values of the attribute, else a sentence that the compiler shows as an
 * error.
 */
type AllowedValidator<Validator extends StandardSchemaV1, V, K extends AttributeKind> =
  Overlaps<StandardSchemaV1.InferInput<Validator>, ValidatedValue<V>> extends true
    ? Validator
    : CompileError<`This validator accepts no value of a.${K}(): give one for values that the attribute can hold.`>

type Overlaps<Input, V> = [V] extends [Input]
  ? true
  : [Input] extends [readonly unknown[]]
    ? [Extract<V, readonly unknown[]>] extends [never]
      ? false
      : [Input] extends [V]
        ? true
        : false
    : [Extract<Input, V>] extends [never]
      ? false
      : true

/**
 * The type that a validator is compared with. A validator may define the items of a list of strings, and the members of
 * an object.
 */
type ValidatedValue<V> = V extends readonly (infer Item)[]
  ? string extends Item
    ? readonly unknown[]
    : V
  : V extends object
    ? object
    : V

/**
 * The values of an argument of `enum()`. A numeric TypeScript enum also maps numbers to names, under numeric keys:
 * these are excluded.
 */
type ValuesOf<Values> =
  Values extends Enumeration<infer Value>
    ? Value
    : Values extends readonly (infer Value)[]
      ? Value
      : Values[keyof Values & string]

type Printed<Value> = Value extends string
  ? `'${Value}'`
  : Value extends number | bigint | boolean | null
    ? `${Value}`
    : 'This'

/** The type of the attribute after a modifier. */
type Next<K extends AttributeKind, R, V, F extends AttributeFlag, C extends string> = AttributeKinds<R, V, F, C>[K]

/** A callback that returns the wire value, or a value that the cast converts to it. */
type Read<K extends AttributeKind, R, V, F extends AttributeFlag> = (
  row: R,
  context: RequestContext,
  name: string,
) => WireValue<V, 'read'> | CastValues[K] | NullOf<F>

/** The callback of `fillUsing`, else a sentence that the compiler shows as an error: a read-only attribute calls none. */
type CalledFill<R, F extends AttributeFlag> = [Extract<F, 'readOnly'>] extends [never]
  ? FillValue<R>
  : 'computed' extends F
    ? CompileError<'A computed attribute with a function is read-only: declare it as computed().extractUsing(…).fillUsing(…).'>
    : CompileError<'fillUsing() is never called for a read-only attribute: remove one of the two.'>

/** The modifiers of every attribute. */
export interface Attribute<K extends AttributeKind, R, V, F extends AttributeFlag, C extends string> {
  readonly [attributeState]: AttributeState<K, V, F, C>

  /**
   * The backing column, if it does not have the name of the attribute. After `on()` it is a column of the related row.
   */
  storedAs<const Column extends string = ColumnOf<R>>(column: Column): Next<K, R, V, F, Column>
  /** The attribute has no column. This function or `extractUsing` computes the value when it is rendered. */
  computed(): Next<K, R, V, F | 'computed', C>
  computed(read: Read<K, R, V, F>): Next<K, R, V, F | 'computed' | 'readOnly', C>
  computedUsing(read: Read<K, R, V, F>): Next<K, R, V, F | 'computed' | 'readOnly', C>
  /** The value is in a related row, at the end of a path of to-one relations: `on('artist')`, `on('album.artist')`. */
  on(path: string): Next<K, R, V, F | 'flattened', C>
  /** Reads the raw value; the cast of the kind still runs. */
  extractUsing(read: Read<K, R, V, F>): Next<K, R, V, F | 'customRead', C>
  /** Replaces the whole read, including the cast. */
  serializeUsing(
    read: (row: R, context: RequestContext, name: string) => WireValue<V, 'read'> | NullOf<F>,
  ): Next<K, R, V, F | 'customRead', C>
  /** Replaces the cast on write. */
  deserializeUsing(write: WriteValue): Next<K, R, V, F | 'customCast', C>
  /** Replaces the whole write: returns the columns to set. */
  fillUsing(fill: CalledFill<R, F>): Next<K, R, V, F | 'customWrite', C>

  /** Never rendered and never written. With a predicate: not rendered if it returns true. */
  hidden(): Next<K, R, V, F | 'hidden', C>
  hidden(predicate: RowPredicate<R>): Next<K, R, V, F | 'maybeHidden', C>
  /** Accepted and validated, but never rendered. */
  writeOnly(): Next<K, R, V, F | 'writeOnly', C>
  writeOnly(predicate: RequestPredicate): Next<K, R, V, F | 'maybeHidden', C>
  /** Rendered and written only in rows for which the caller has this ability of the policy. */
  visibleIf(ability: string): Next<K, R, V, F | 'maybeHidden', C>
  /** Never written by clients: a value that they send is ignored. */
  readOnly(): Next<K, R, V, F | 'readOnly', C>
  readOnly(predicate: RequestPredicate): this
  readOnlyOnCreate(): Next<K, R, V, F | 'readOnlyOnCreate', C>
  readOnlyOnCreate(predicate: RequestPredicate): this
  /** Writable on create, read-only on PATCH. */
  readOnlyOnUpdate(): Next<K, R, V, F | 'readOnlyOnUpdate', C>
  readOnlyOnUpdate(predicate: RequestPredicate): this
  /** Rendered even if `fields[type]` does not name it. */
  notSparseField(): this
  /** Rendered only if `fields[type]` names it. */
  sparseByDefault(): Next<K, R, V, F | 'onDemand', C>
  /** May be named in `sort`. */
  sortable(): Next<K, R, V, F | 'sortable', C>
  /** May be named in `sort` by requests that meet the condition. For all others it is not a sort key. */
  sortableIf(condition: UseCondition): Next<K, R, V, F | 'sortable', C>

  required(): Next<K, R, V, F | 'required', C>
  requiredOnCreate(): Next<K, R, V, F | 'requiredOnCreate', C>
  requiredOnUpdate(): this
  nullable(): Next<K, R, V, F | 'nullable', C>
  in<const Value = V>(values: readonly AllowedValue<Value, V, K>[]): Next<K, R, Value, F, C>
  /** An `enumeration()`, a list, or a TypeScript enum. */
  enum<const Values>(values: AllowedSet<Values, V, K>): Next<K, R, Extract<ValuesOf<Values>, V>, F, C>
  notIn(values: readonly V[]): this
  constrain(...constraints: readonly Constraint[]): this
  sequentially(...constraints: readonly Constraint[]): this
  atLeastOneOf(...alternatives: readonly Constraint[]): this
  /** The constraints that the callback adds apply only if the condition returns true. */
  when(condition: Condition, add: (field: this) => unknown): this
  /** The constraints that the callback adds apply to creates only. */
  onCreate(add: (field: this) => unknown): this
  /** The constraints that the callback adds apply to updates only. */
  onUpdate(add: (field: this) => unknown): this
  compareWith(attribute: string, operator: CompareOperator): this
  /** No two resources may have the same value. With `with`, the combination with these further attributes is unique. */
  unique(options?: { readonly with?: readonly string[]; readonly message?: string }): this
  /** Validates the value against raw JSON Schema members. */
  shape(schema: JsonSchema): this
  /**
   * Validates the value with any Standard Schema validator: Zod, Valibot, ArkType. The output of the validator is
   * ignored.
   */
  check<const Validator extends StandardSchemaV1>(validator: AllowedValidator<Validator, V, K>): this

  describedAs(description: string): this
  example(value: WireValue<V, 'read'> | null): this
  /** Clients should no longer use it. It works as before. API descriptions mark it, and `ashlar diff` accepts its removal after the sunset. */
  deprecated(options?: DeprecationOptions): this
}

interface TextMethods {
  minLength(limit: number): this
  maxLength(limit: number): this
  pattern(expression: RegExp | string): this
}

interface TextRefusals extends NotNumber, NotMoment, NotList, NotProperties, NotComposite {}

/**
 * A string attribute.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ title: string }>) => ({ title: a.string().required().maxLength(200) })
 * ```
 */
export interface StringAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'string', R, V, F, C>,
    TextMethods,
    TextRefusals {
  email(options?: { readonly strict?: boolean }): this
  url(schemes?: readonly string[]): this
  uuid(version?: number): this
  slug(expression?: RegExp | string): this
  ip(version?: 4 | 6): this
}

/**
 * A string attribute that holds an email address.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ contact: string | null }>) => ({ contact: a.email().strict().nullable() })
 * ```
 */
export interface EmailAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'email', R, V, F, C>,
    TextMethods,
    TextRefusals {
  /** Also checks the lengths and the dots that RFC 5321 prescribes. HTML forms do not check them. */
  strict(): this
}

/**
 * A string attribute that holds a URL.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ cover: string }>) => ({ cover: a.url().allowedSchemes('https') })
 * ```
 */
export interface UrlAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'url', R, V, F, C>,
    TextMethods,
    TextRefusals {
  allowedSchemes(...schemes: readonly string[]): this
}

/**
 * A string attribute that holds a UUID.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ recordingId: string }>) => ({ recordingId: a.uuid().version(4) })
 * ```
 */
export interface UuidAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'uuid', R, V, F, C>,
    TextMethods,
    TextRefusals {
  version(version: number): this
}

/**
 * A string attribute that holds a slug, such as `ok-computer`.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ slug: string }>) => ({ slug: a.slug().required().maxLength(80) })
 * ```
 */
export interface SlugAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'slug', R, V, F, C>,
    TextMethods,
    TextRefusals {}

/**
 * A string attribute that holds an IP address.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ uploadedFrom: string }>) => ({ uploadedFrom: a.ip().v4() })
 * ```
 */
export interface IpAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'ip', R, V, F, C>,
    TextMethods,
    TextRefusals {
  v4(): this
  v6(): this
  both(): this
}

/**
 * An attribute that holds an integer or a decimal number.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ position: number; price: number }>) => ({
 *   position: a.integer().min(1),
 *   price: a.decimal().exclusiveMin(0).multipleOf(0.01),
 * })
 * ```
 */
export interface NumberAttribute<K extends 'integer' | 'decimal', R, V, F extends AttributeFlag, C extends string>
  extends Attribute<K, R, V, F, C>,
    NotText,
    NotMoment,
    NotList,
    NotProperties,
    NotComposite {
  min(bound: number): this
  max(bound: number): this
  exclusiveMin(bound: number): this
  exclusiveMax(bound: number): this
  multipleOf(step: number): this
}

/**
 * An attribute that holds a whole number of eight bytes, as a string of digits.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ plays: bigint }>) => ({ plays: a.bigint().min(0n).sortable() })
 * ```
 */
export interface BigintAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'bigint', R, V, F, C>,
    NotText,
    NotMoment,
    NotList,
    NotProperties,
    NotComposite {
  min(bound: bigint): this
  max(bound: bigint): this
  exclusiveMin(bound: bigint): this
  exclusiveMax(bound: bigint): this
}

/**
 * A boolean attribute.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ explicit: boolean }>) => ({ explicit: a.boolean().required() })
 * ```
 */
export interface BooleanAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'boolean', R, V, F, C>,
    NotText,
    NotNumber,
    NotMoment,
    NotList,
    NotProperties,
    NotComposite {}

/**
 * An attribute that holds a date, a time, or both.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ releasedAt: Date; bornOn: string }>) => ({
 *   releasedAt: a.dateTime().after('1900-01-01T00:00:00Z').sortable(),
 *   bornOn: a.date().before(() => new Date()),
 * })
 * ```
 */
export interface MomentAttribute<
  K extends 'dateTime' | 'date' | 'time',
  R,
  V,
  F extends AttributeFlag,
  C extends string,
> extends Attribute<K, R, V, F, C>,
    NotText,
    NotNumber,
    NotList,
    NotProperties,
    NotComposite {
  /** The wire format. The tokens `YYYY MM DD HH mm ss SSS Z` are replaced. */
  format(pattern: string): this
  /** The time zone of a time that a client sends without an offset. */
  useTimezone(timezone: string): this
  before(bound: Moment): this
  after(bound: Moment): this
  between(from: Moment, to: Moment): this
}

interface ListItems {
  string: string
  integer: number
  bigint: string
  number: number
  boolean: boolean
}

/**
 * A list attribute. Its items are strings unless `of()` names another type.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ genres: string[]; ratings: number[] }>) => ({
 *   genres: a.arrayList().each(rule.maxLength(40)).uniqueItems(),
 *   ratings: a.arrayList().of('integer').maxItems(100),
 * })
 * ```
 */
export interface ListAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'arrayList', R, V, F, C>,
    NotText,
    NotNumber,
    NotMoment,
    NotProperties,
    NotComposite {
  of<Item extends 'string' | 'integer' | 'bigint' | 'number' | 'boolean'>(
    items: Item,
  ): ListAttribute<R, readonly ListItems[Item][], F, C>
  minItems(limit: number): this
  maxItems(limit: number): this
  uniqueItems(): this
  each(...constraints: readonly Constraint[]): this
  sorted(): this
}

/**
 * An object attribute with arbitrary keys.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ credits: Record<string, string> }>) => ({
 *   credits: a.arrayHash().maxProperties(20).sortKeys(),
 * })
 * ```
 */
export interface HashAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'arrayHash', R, V, F, C>,
    NotText,
    NotNumber,
    NotMoment,
    NotList,
    NotComposite {
  minProperties(limit: number): this
  maxProperties(limit: number): this
  sortKeys(): this
  sortValues(): this
}

interface CompositeRefusals extends NotText, NotNumber, NotMoment, NotList, NotProperties {}

/**
 * An object attribute with declared keys, each of which is a column of the row.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ minutes: number; seconds: number }>) => ({
 *   length: a.map().fields({ minutes: a.integer(), seconds: a.integer().max(59) }),
 * })
 * ```
 */
export interface MapAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'map', R, V, F, C>,
    CompositeRefusals {
  /** Each child is a column of the row. */
  fields<const Fields extends NamedAttributes>(
    children: Fields & CheckedAttributes<R, Fields>,
  ): MapAttribute<R, Members<Fields>, F, C>
}

/**
 * An object attribute with declared keys, all in one stored value.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ label: { name: string; country: string } }>) => ({
 *   label: a.object().fields({ name: a.string(), country: a.string().maxLength(2) }),
 * })
 * ```
 */
export interface ObjectAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'object', R, V, F, C>,
    CompositeRefusals {
  /** The children are the members of one stored value. */
  fields<const Fields extends NamedAttributes>(children: Fields): ObjectAttribute<R, Members<Fields>, F, C>
}

/**
 * An attribute that holds one of several object types, distinguished by a member.
 *
 * @example
 * ```ts
 * const attributes = (a: AttributeKit<{ medium: object }>) => ({
 *   medium: a
 *     .oneOf()
 *     .discriminator('kind')
 *     .variant('vinyl', { inches: a.integer() })
 *     .variant('stream', { url: a.url() }),
 * })
 * ```
 */
export interface OneOfAttribute<R, V, F extends AttributeFlag, C extends string>
  extends Attribute<'oneOf', R, V, F, C>,
    CompositeRefusals {
  /** The member that distinguishes the variants. Call this before the first `variant()`. Default: `type`. */
  discriminator<Property extends string>(property: Property): OneOfAttribute<R, Variants<Property, NoVariants>, F, C>
  variant<const Name extends string, const Fields extends NamedAttributes>(
    name: Name,
    children: Fields,
  ): OneOfAttribute<R, AddVariant<V, Name, Fields>, F, C>
}

export type NoVariants = Readonly<Record<never, never>>

type AddVariant<V, Name extends string, Fields extends NamedAttributes> =
  V extends Variants<infer Property, infer Named>
    ? Variants<Property, { [Other in keyof Named | Name]: Other extends keyof Named ? Named[Other] : Fields }>
    : never
