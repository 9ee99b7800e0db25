import type { DeclarationFault } from '../parts/declaration-fault.js'
import type { Deprecation } from '../parts/deprecation.js'
import type { RequestContext } from '../request/request-context.js'
import type { Constraint } from './constraint.js'
import type { FieldGuard } from './field-guard.js'

/** A row as callbacks receive it: values by column name. */
export type RowObject = Readonly<Record<string, unknown>>

/**
 * Decides by the row and the request. Returns true if the restriction applies to this row in this request.
 *
 * @example
 * ```ts
 * const unreleased = (row: { releasedAt: Date | null }) => row.releasedAt === null
 * const attributes = (a: AttributeKit<{ releasedAt: Date | null; label: string }>) => ({
 *   label: a.string().hidden(unreleased),
 * })
 * ```
 */
export type RowPredicate<Row = RowObject> = (row: Row, context: RequestContext) => boolean

/**
 * Decides by the request. Returns true if the restriction applies in this request.
 *
 * @example
 * ```ts
 * const notStaff = (context: RequestContext) => context.request?.header('x-staff') !== 'yes'
 * const attributes = (a: AttributeKit<{ price: number }>) => ({ price: a.decimal().readOnly(notStaff) })
 * ```
 */
export type RequestPredicate = (context: RequestContext) => boolean

/**
 * A restriction that applies never, always, or if a predicate returns true. API descriptions treat a predicate as no
 * restriction, because it depends on the request.
 */
export type Restriction<Predicate> = boolean | Predicate

/**
 * Reads a value from the object behind a resource, for `extractUsing()` of a relation.
 *
 * @example
 * ```ts
 * const closest = () => [{ id: 4, name: 'Thom Yorke' }]
 * const relations = { similarArtists: hasMany('artists').extractUsing(closest).readOnly() }
 * ```
 */
export type ReadValue<Row = RowObject> = (row: Row, context: RequestContext, name: string) => unknown

/**
 * Returns the stored value for a wire value, or a promise of it. `attributes` are all attributes that the client sent.
 *
 * @example
 * ```ts
 * const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
 * const attributes = (a: AttributeKit<{ title: string }>) => ({ title: a.string().deserializeUsing(trimmed) })
 * ```
 */
export type WriteValue = (value: unknown, attributes: Readonly<Record<string, unknown>>) => unknown

/**
 * Replaces the whole write: returns the columns to set, `null` to set none, or a promise of either.
 *
 * @example
 * ```ts
 * interface TrackRow { minutes: number; seconds: number }
 * const fillLength = (_row: TrackRow, value: unknown) => {
 *   const [minutes, seconds] = String(value).split(':').map(Number)
 *   return { minutes: minutes ?? 0, seconds: seconds ?? 0 }
 * }
 * const attributes = (a: AttributeKit<TrackRow>) => ({
 *   length: a.string().extractUsing((row) => `${row.minutes}:${row.seconds}`).fillUsing(fillLength),
 * })
 * ```
 */
export type FillValue<Row = RowObject> = (
  row: Row,
  value: unknown,
  attributes: Readonly<Record<string, unknown>>,
  name: string,
) => Readonly<Partial<Row>> | null | Promise<Readonly<Partial<Row>> | null>

/** How sparse fieldsets affect the rendering of a field. */
export type Sparseness =
  /** Rendered unless there is a fieldset that does not name it. */
  | 'usual'
  /** Rendered even if the fieldset does not name it: `notSparseField()`. */
  | 'always'
  /** Rendered only if a fieldset names it: `sparseByDefault()`. */
  | 'onDemand'

/** The properties that attributes and relations have in common. */
export interface FieldSpec {
  /** The backing column or stored relation, if it does not have the name of the field. */
  readonly storedAs: string | null
  readonly hidden: Restriction<RowPredicate>
  readonly writeOnly: Restriction<RequestPredicate>
  /** The ability that a caller needs to see the field of a row; `null` if everybody sees it. */
  readonly visibleIf: string | null
  /** The guard of `visibleIf`. Set when the type is compiled. */
  readonly guard: FieldGuard | null
  /** The guard of `security({ read })` of a relation. Set when the type is compiled. */
  readonly readGuard: FieldGuard | null
  readonly readOnlyOnCreate: Restriction<RequestPredicate>
  readonly readOnlyOnUpdate: Restriction<RequestPredicate>
  readonly sparseness: Sparseness
  readonly constraints: readonly Constraint[]
  readonly extract: ReadValue | null
  readonly fill: FillValue | null
  readonly description: string | null
  /** Empty or a list of one example, so that the example `null` differs from no example. */
  readonly examples: readonly unknown[]
  /** `null` if the field is not deprecated. */
  readonly deprecation: Deprecation | null
  readonly faults: readonly DeclarationFault[]
}

export const defaultFieldSpec: FieldSpec = Object.freeze({
  storedAs: null,
  hidden: false,
  writeOnly: false,
  visibleIf: null,
  guard: null,
  readGuard: null,
  readOnlyOnCreate: false,
  readOnlyOnUpdate: false,
  sparseness: 'usual',
  constraints: Object.freeze([]),
  extract: null,
  fill: null,
  description: null,
  examples: Object.freeze([]),
  deprecation: null,
  faults: Object.freeze([]),
})
