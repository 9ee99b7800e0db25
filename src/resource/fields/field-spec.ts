import type { DeclarationFault } from '../declaration-fault.js'
import type { RequestContext } from '../request-context.js'
import type { Constraint } from './constraint.js'

/** A row as callbacks receive it: values by column name. */
export type RowObject = Readonly<Record<string, unknown>>

/** Returns true if the restriction applies to this row in this request. */
export type RowPredicate<Row = RowObject> = (row: Row, context: RequestContext) => boolean

/** Returns true if the restriction applies in this request. */
export type RequestPredicate = (context: RequestContext) => boolean

/**
 * A restriction that applies never, always, or if a predicate returns true. API descriptions treat a predicate as no
 * restriction, because it depends on the request.
 */
export type Restriction<Predicate> = boolean | Predicate

/** Reads a value from the object behind a resource. */
export type ReadValue<Row = RowObject> = (row: Row, context: RequestContext, name: string) => unknown

/**
 * Returns the stored value for a wire value, or a promise of it. `attributes` are all attributes that the client sent.
 */
export type WriteValue = (value: unknown, attributes: Readonly<Record<string, unknown>>) => unknown

/** Replaces the whole write: returns the columns to set, `null` to set none, or a promise of either. */
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
  readonly readOnlyOnCreate: Restriction<RequestPredicate>
  readonly readOnlyOnUpdate: Restriction<RequestPredicate>
  readonly sparseness: Sparseness
  readonly constraints: readonly Constraint[]
  readonly extract: ReadValue | null
  readonly fill: FillValue | null
  readonly description: string | null
  /** Empty or a list of one example, so that the example `null` differs from no example. */
  readonly examples: readonly unknown[]
  readonly faults: readonly DeclarationFault[]
}

export const defaultFieldSpec: FieldSpec = Object.freeze({
  storedAs: null,
  hidden: false,
  writeOnly: false,
  readOnlyOnCreate: false,
  readOnlyOnUpdate: false,
  sparseness: 'usual',
  constraints: Object.freeze([]),
  extract: null,
  fill: null,
  description: null,
  examples: Object.freeze([]),
  faults: Object.freeze([]),
})
