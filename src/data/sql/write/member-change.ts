import type { MemberValues, RelationshipChange } from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import type { JoinPair } from '../query/join-pair.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { GivenRow } from './given-rows.js'
import type { Pointing } from './pointing.js'

/** What becomes of the members of an owner. */
export interface Mutation {
  /** The owner's row. */
  readonly owner: RowObject
  readonly change: RelationshipChange
}

/** The members of one type that get, or lose, the key of their owner. */
export interface KeyChange {
  readonly target: CompiledType
  readonly table: SqlTable
  readonly toOwner: Pointing
  readonly added: readonly unknown[]
  readonly removed: readonly unknown[]
}

/** The join rows of one owner. */
export interface OwnJoins {
  readonly table: SqlTable
  readonly fromOwner: Pointing
  /** The column with the key of the member, and the one with its type where members differ in type. */
  readonly toMember: readonly SqlColumn[]
  /** The columns by which an owner and a member are joined. */
  readonly pair: JoinPair
  /** Whether an insert can leave it to a unique index which of them are joined already. */
  readonly isArbitrated: boolean
}

/** A join row that is to be there, and the member that it leads to. */
export interface JoinRow {
  readonly member: MemberValues
  readonly set: GivenRow
}
