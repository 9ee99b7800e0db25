import { isComposite, keyIn } from '../../declare/resource/parts/key-columns.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { QueryColumn } from '../../declare/resource/querying/row-condition.js'
import type { RelationLink } from '../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'

/** A row that conditions and orders are evaluated on. */
export interface Candidate {
  readonly row: RowObject
  /** The join row that refers to it; `null` without one. */
  readonly pivot: RowObject | null
  /** The index of its type among the targets of the relation that it was reached by; 0 if there is only one type. */
  readonly type: number
}

/** Returns the members of a relation of one row, each once. */
export type RelatedCandidatesOf = (row: RowObject) => readonly Candidate[]

/** The request of a query, and access to related rows. */
export interface QueryContext {
  readonly context: RequestContext
  /** Called once for each relation of a query. The returned function is called for every row, so it must be fast. */
  related(relation: RelationLink): RelatedCandidatesOf
}

/** Returns a function that reads a column, or a composite key, of rows. */
export function columnReader({ of, name }: QueryColumn): (candidate: Candidate) => unknown {
  if (isComposite(name)) return ({ row, pivot }) => keyIn((of === 'row' ? row : pivot) ?? {}, name)
  return of === 'row' ? ({ row }) => row[name] : ({ pivot }) => pivot?.[name]
}
