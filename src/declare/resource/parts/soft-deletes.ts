import type { CompileError } from './compile-error.js'

/** The names of the nullable columns that hold values of type `Value`. */
type ColumnOf<R, Value> = {
  [Column in keyof R & string]: [null, Value] extends [R[Column], R[Column]] ? Column : never
}[keyof R & string]

/**
 * Options of soft deletes: rows are marked as deleted, and can be restored.
 *
 * @example
 * ```ts
 * const playlists = defineResource('playlists', {
 *   model: model<{ id: number; title: string; removedAt: Date | null }>('playlists'),
 *   id: id(),
 *   attributes: (a) => ({ title: a.string() }),
 *   softDeletes: { column: 'removedAt', forceDelete: false },
 * })
 * ```
 */
export interface SoftDeleteOptions<Column extends string> {
  /** The column that holds the time of the deletion, null in a row that is not deleted. Default: `deletedAt`. */
  readonly column?: Column
  /** How the column stores the time: as a `Date`, or as a string such as `2026-01-31T12:00:00.000Z`. Default: `date`. */
  readonly as?: 'date' | 'text'
  /** Whether clients may call the action `restore`. Default: true if the type serves `Delete`. */
  readonly restore?: boolean
  /** Whether clients may call the action `force-delete`. Default: true if the type serves `Delete`. */
  readonly forceDelete?: boolean
  /** The ability of the policy that `restore` needs, `false` for none. Default: `restore`. */
  readonly restoreAbility?: string | false
  /** The ability of the policy that `force-delete` needs, `false` for none. Default: `forceDelete`. */
  readonly forceDeleteAbility?: string | false
  /** The path of the action that restores a row. Default: `restore`. */
  readonly restorePath?: string
  /** The path of the action that removes a row from the store. Default: `force-delete`. */
  readonly forcePath?: string
}

interface DateColumn<Column extends string> {
  readonly column: Column
  readonly as?: 'date'
}

interface TextColumn<Column extends string, Sentence extends string> {
  readonly column: Column
  readonly as: 'text' | CompileError<Sentence>
}

interface OtherColumn<Sentence extends string> {
  readonly column: CompileError<Sentence>
}

type SetText = "The column holds strings: set as: 'text'."

type NamedColumn<R> =
  | { [Column in ColumnOf<R, Date>]: DateColumn<Column> }[ColumnOf<R, Date>]
  | { [Column in ColumnOf<R, string>]: TextColumn<Column, SetText> }[ColumnOf<R, string>]
  | OtherColumn<'Name a nullable column that holds a Date or a string.'>

/** Makes `column` optional if the rows have the default column. */
type DefaultColumn<R> =
  'deletedAt' extends ColumnOf<R, Date>
    ? Partial<DateColumn<'deletedAt'>>
    : 'deletedAt' extends ColumnOf<R, string>
      ? Omit<TextColumn<'deletedAt', SetText>, 'column'> & { readonly column?: 'deletedAt' }
      : never

type Options<R> = Omit<SoftDeleteOptions<string>, 'column' | 'as'> & (DefaultColumn<R> | NamedColumn<R>)

/** The value of `softDeletes` for rows of type `R`: `true`, or {@link SoftDeleteOptions}. */
export type SoftDeletes<R> =
  'deletedAt' extends ColumnOf<R, Date>
    ? true | Options<R>
    : 'deletedAt' extends ColumnOf<R, string>
      ? CompileError<"The column 'deletedAt' holds strings: set softDeletes: { as: 'text' }."> | Options<R>
      :
          | CompileError<"The rows have no nullable column 'deletedAt' that holds a Date: name another column with 'column'.">
          | Options<R>

/** The compiled options of soft deletes. */
export interface CompiledSoftDeletes {
  /** The column that holds the time of the deletion, null in a row that is not deleted. */
  readonly column: string
  readonly as: 'date' | 'text'
  /** The abilities of the policy that the actions need; `false` for none. */
  readonly abilities: Readonly<Record<'restore' | 'forceDelete', string | false>>
}
