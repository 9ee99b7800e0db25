import type { RowObject } from '../resource/fields/field-spec.js'
import type { QueryColumn } from '../resource/querying/row-condition.js'
import type { RelationLink } from '../resource/relations/relation-link.js'
import type { RequestContext } from '../resource/request-context.js'

/** A row that a query looks at. */
export interface Candidate {
  readonly row: RowObject
  /** The join row that leads to it, where one does. */
  readonly pivot: RowObject | null
  /** The place of its type among the targets of the relation that leads to it; 0 where there is but one type. */
  readonly type: number
}

/** The rows that a relation leads to from a row, each once. */
export type RelatedCandidates = (row: RowObject) => readonly Candidate[]

/** What a query asks besides the rows that it is about. */
export interface QueryWorld {
  readonly context: RequestContext
  /** Asked once for each relation that a query names; its answer is asked for every row, and so must be quick. */
  related(relation: RelationLink): RelatedCandidates
}

export function columnValue({ row, pivot }: Candidate, { of, name }: QueryColumn): unknown {
  return of === 'row' ? row[name] : pivot?.[name]
}
