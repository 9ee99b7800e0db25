import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { ColumnType } from '../../../stores/sql/schema/column-type.js'

/** A field of a declaration: its name, and the calls that declare it: `a.string()`, `required()`. */
export interface PlannedField {
  readonly name: string
  readonly calls: readonly string[]
}

/** A member of the type of rows, with its TypeScript type. */
export interface RowMember {
  readonly name: string
  readonly type: string
}

/** A column that the model must declare, because the naming does not find its name, or because it has another type. */
export interface DeclaredColumn {
  readonly member: string
  readonly name: string | null
  readonly type: ColumnType | null
}

/** A model of rows, as `table()` declares it. */
export interface PlannedModel {
  readonly rowName: string
  readonly row: readonly RowMember[]
  readonly table: string
  /** The schema, if the name of the table contains a dot. */
  readonly schema: string | null
  readonly key: readonly string[]
  readonly columns: readonly DeclaredColumn[]
}

/** A type that is served, with the content of its declaration. */
export interface PlannedType {
  readonly type: string
  /** The name of the file, without its extension. */
  readonly file: string
  readonly constant: string
  readonly comment: string | null
  readonly model: PlannedModel
  readonly id: readonly string[]
  readonly attributes: readonly PlannedField[]
  readonly relations: readonly PlannedField[]
  readonly filters: readonly PlannedField[]
  /** The attributes that are left out, because their columns look like secrets. */
  readonly secrets: readonly PlannedField[]
  /** The members of rows with times that the service fills when it creates, or creates and updates, a row. */
  readonly filled: { readonly created: readonly string[]; readonly updated: readonly string[] }
  /** The models of join rows that the relations name. */
  readonly joins: readonly { readonly constant: string; readonly file: string }[]
  /** The name of the type in columns with the types of related rows; null if it is the type. */
  readonly storedType: string | null
  readonly isReadOnly: boolean
  /** Whether clients can create resources: the database requires no value that is left out. */
  readonly isCreatable: boolean
}

/** A table of join rows, which has a model and no type. */
export interface PlannedJoin {
  readonly file: string
  readonly constant: string
  readonly comment: string | null
  readonly model: PlannedModel
}

/** A sentence about a table or a column that is not served, or served in an unexpected form. */
export interface PullNote {
  /** Whether it is not served at all, served in another form, left out as a secret, or a relation without a foreign key. */
  readonly kind: 'notServed' | 'note' | 'secret' | 'byName'
  /** The table, or a column of it: `film.fulltext`. */
  readonly subject: string
  readonly sentence: string
}

export function noteText({ subject, sentence }: PullNote): string {
  return `${subject}: ${sentence}`
}

/** A column that looks like a secret, and is not served. */
export interface SecretColumn {
  readonly table: string
  readonly column: string
  /** The attribute that would serve it; null for a column of join rows. */
  readonly attribute: { readonly file: string; readonly constant: string; readonly name: string } | null
  /** Whether a new row needs a value of it. */
  readonly isNeeded: boolean
}

/** The content of all files that `ashlar pull` writes. */
export interface Plan {
  readonly engine: ToolEngineName
  readonly schema: string | null
  readonly hasSpacedInstants: boolean
  readonly types: readonly PlannedType[]
  readonly joins: readonly PlannedJoin[]
  /** The expected findings of `ashlar check --database`, with the reasons. */
  readonly waivers: Readonly<Record<string, string>>
  readonly notes: readonly PullNote[]
  readonly secrets: readonly SecretColumn[]
}
