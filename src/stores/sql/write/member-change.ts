import type { MemberValues, RelationshipChange } from '../../../declare/resource/capabilities/persister.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import type { JoinPair } from '../query/related-source.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SetColumns } from './statement-target.js'
import type { OwnerKey } from './sql-writing.js'

/** A change of the members of an owner. */
export interface Mutation {
  /** The owner's row. */
  readonly owner: RowObject
  readonly change: RelationshipChange
}

/** The members of one type that get, or lose, the key of their owner. */
export interface KeyChange {
  readonly target: CompiledType
  readonly table: SqlTable
  readonly ownerKey: OwnerKey
  /** The columns that removed members get. */
  readonly cleared: ReadonlyMap<SqlColumn, null>
  readonly added: readonly unknown[]
  readonly removed: readonly unknown[]
}

/** The join rows of one owner. */
export interface OwnerJoins {
  readonly relation: RelationLink
  readonly table: SqlTable
  readonly ownerKey: OwnerKey
  /** The column, or the composite key, that refers to the member. */
  readonly memberKey: SqlColumn
  /** The columns with the key of the member, and the column with its type if the relation is polymorphic. */
  readonly memberColumns: readonly SqlColumn[]
  /** The columns that refer to the owner and to the member. */
  readonly pair: JoinPair
  /** Whether a unique index on the pair exists, so that an insert can use `on conflict`. */
  readonly isArbitrated: boolean
}

/** A join row to write, and its member. */
export interface JoinRow {
  readonly member: MemberValues
  readonly set: SetColumns
  /** Whether the member is added. Else only its join row gets values. */
  readonly isAdded: boolean
}
