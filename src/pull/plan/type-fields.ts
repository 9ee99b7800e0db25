import type { SchemaColumn } from '../read/database-schema.js'
import type { PlanContext } from './plan-context.js'
import type { PlannedField } from './plan.js'
import type { MemberNames } from './row-members.js'
import type { ServedTable } from './served-tables.js'

/** A relation, with the columns by which it is read if no index serves that. */
export interface PlannedRelation extends PlannedField {
  readonly unindexed: { readonly table: string; readonly columns: readonly string[] } | null
  readonly join: ServedTable | null
  /** The columns of the type's own rows that hold it. */
  readonly columns: readonly SchemaColumn[]
}

/** The names of the fields of a type, and its relations. */
export interface TypeFields {
  readonly members: MemberNames
  /** The names of the attributes, by column. */
  readonly attributes: ReadonlyMap<SchemaColumn, string>
  readonly relations: readonly PlannedRelation[]
}

/** The names that relations can have, and the members that hold them. */
export interface FieldPlace extends PlanContext {
  membersOf(served: ServedTable): MemberNames
  /** Returns the first name that no other field of the type has, and takes it. */
  claim(served: ServedTable, choices: readonly string[]): string
}
