import type { RelatedGroup, RelatedMember } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Row, RowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'

/** Related rows of one type. */
export interface RelatedSet {
  readonly served: ServedType
  readonly rows: RowSet
}

/** The rows related to several parents, past the border to providers. */
export interface RelatedRows {
  readonly sets: readonly RelatedSet[]
  /** One for each parent, in their order. */
  readonly groups: readonly RelatedGroup[]
  /** Whether the store guarantees that no row came twice. */
  readonly isVerified?: boolean
}

/**
 * Reads members by what was made ready for each set. That each of them has its row was seen to at the border.
 *
 * @param readerOf asked once for each set
 */
export function relatedMemberReader<Read>(
  { sets }: Pick<RelatedRows, 'sets'>,
  readerOf: (set: RelatedSet) => (row: Row, member: RelatedMember) => Read,
): (member: RelatedMember) => Read {
  const readers = sets.map((set) => ({ read: readerOf(set), rows: set.rows.rows }))
  return (member) => {
    const reader = readers[member.set]
    const row = reader?.rows[member.row]
    invariant(reader !== undefined && row !== undefined, 'a member of a relation has no row')
    return reader.read(row, member)
  }
}
