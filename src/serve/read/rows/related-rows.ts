import type { RelatedGroup, RelatedMember } from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'

/** Related rows of one type. */
export interface RelatedSet {
  readonly served: ServedType
  readonly rows: RowSet
}

/** The checked rows that are related to several parents. */
export interface RelatedRows {
  readonly sets: readonly RelatedSet[]
  /** One group for each parent, in the order of the parents. */
  readonly groups: readonly RelatedGroup[]
  /** Whether the store guarantees that no row occurs twice. */
  readonly isVerified?: boolean
  /**
   * Set if there are more members than the criteria permit. Then they are left out, and the request must be refused. It
   * contains the number of different rows that were read.
   */
  readonly beyondLimit?: { readonly rows: number }
}

/**
 * Returns a function that reads members with the reader of their set. Every member has a row, because results of
 * providers are checked.
 *
 * @param readerOf called once for each set
 */
export function relatedMemberReader<Read>(
  { sets }: Pick<RelatedRows, 'sets'>,
  readerOf: (set: RelatedSet) => (row: Row, member: RelatedMember) => Read,
): (member: RelatedMember) => Read {
  const readers = sets.map((set) => ({ read: readerOf(set), rows: set.rows.rows }))
  return (member) => {
    const reader = readers[member.set]
    const row = reader?.rows[member.row]
    if (reader === undefined || row === undefined) return noRow()
    return reader.read(row, member)
  }
}

function noRow(): never {
  invariant(false, 'a member of a relation has no row')
}
