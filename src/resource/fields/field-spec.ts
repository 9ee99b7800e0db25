import type { DeclarationFault } from '../declaration-fault.js'
import type { RequestContext } from '../request-context.js'
import type { Constraint } from './constraint.js'

/** A row as callbacks see it: named members. */
export type RowObject = Readonly<Record<string, unknown>>

/** True when the restriction applies to this row in this request. */
export type RowPredicate<Row = RowObject> = (row: Row, context: RequestContext) => boolean

/** True when the restriction applies in this request. */
export type RequestPredicate = (context: RequestContext) => boolean

/** A restriction: never, always, or as a predicate says. What depends on the request counts as open in every contract. */
export type Restriction<Predicate> = boolean | Predicate

/** Reads a value from the object behind a resource. */
export type ReadValue<Row = RowObject> = (row: Row, context: RequestContext, name: string) => unknown

/** Makes the stored value from the wire value, at once or later; `attributes` are all that the client sent. */
export type WriteValue = (value: unknown, attributes: Readonly<Record<string, unknown>>) => unknown

/** Takes over the whole write: returns the columns to set, or `null` to set none, at once or later. */
export type FillValue<Row = RowObject> = (
  row: Row,
  value: unknown,
  attributes: Readonly<Record<string, unknown>>,
  name: string,
) => Readonly<Partial<Row>> | null | Promise<Readonly<Partial<Row>> | null>

/** How a member stands to sparse fieldsets. */
export type Sparseness =
  /** Rendered unless a fieldset leaves it out. */
  | 'usual'
  /** Rendered whatever the fieldset says: `notSparseField()`. */
  | 'always'
  /** Rendered only when a fieldset names it: `sparseByDefault()`. */
  | 'onDemand'

/** What attributes and relations have in common. */
export interface FieldSpec {
  /** The backing member where it is not called like the field. */
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
  /** A list of one, so that an explicit `null` example counts. */
  readonly examples: readonly unknown[]
  readonly faults: readonly DeclarationFault[]
}

export const plainField: FieldSpec = Object.freeze({
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
