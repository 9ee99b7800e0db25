import type { SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import type { PlanContext } from './plan-context.js'
import type { PlannedField } from './plan.js'
import type { MemberNames } from './row-members.js'
import type { ServedTable } from './served-tables.js'

/** A relation, with its columns if no index serves its reads. */
export interface PlannedRelation extends PlannedField {
  readonly unindexed: { readonly table: SchemaTable; readonly columns: readonly string[] } | null
  readonly join: ServedTable | null
  /** The columns of the type's own rows that store it. */
  readonly columns: readonly SchemaColumn[]
}

/** The names of the fields of a type, and its relations. */
export interface TypeFields {
  readonly members: MemberNames
  /** The names of the attributes, by column. */
  readonly attributes: ReadonlyMap<SchemaColumn, string>
  readonly relations: readonly PlannedRelation[]
}

/** The context of relations: the members of rows, and the names that are not taken. */
export interface FieldContext extends PlanContext {
  membersOf(served: ServedTable): MemberNames
  /** Returns the first free name of a field of the type, and marks it as taken. */
  claim(served: ServedTable, choices: readonly string[]): string
}
