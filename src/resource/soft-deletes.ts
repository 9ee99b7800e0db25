import type { Refusal } from './fields/refusals.js'

/** The columns that may be null, or hold such a value. */
type ColumnOf<R, Value> = {
  [Column in keyof R & string]: [null, Value] extends [R[Column], R[Column]] ? Column : never
}[keyof R & string]

/**
 * How rows are deleted so that they can come back.
 *
 * @example
 * ```ts
 * const notes = defineResource('notes', {
 *   model: model<{ id: number; text: string; removedAt: Date | null }>('notes'),
 *   id: id(),
 *   attributes: (a) => ({ text: a.string() }),
 *   softDeletes: { column: 'removedAt', forceDelete: false },
 * })
 * ```
 */
export interface SoftDeleteOptions<Column extends string> {
  /** Holds when the row was deleted, null while it is not. Default: `deletedAt`. */
  readonly column?: Column
  /** How the column holds it: as a `Date`, or as the text of one, `2026-01-31T12:00:00.000Z`. Default: `date`. */
  readonly as?: 'date' | 'text'
  /** Whether clients may call the action `restore`. Default: where the type serves `Delete`. */
  readonly restore?: boolean
  /** Whether clients may call the action `force-delete`. Default: where the type serves `Delete`. */
  readonly forceDelete?: boolean
  /** The path of the action. Default: `restore`. */
  readonly restorePath?: string
  /** The path of the action. Default: `force-delete`. */
  readonly forcePath?: string
}

interface InDates<Column extends string> {
  readonly column: Column
  readonly as?: 'date'
}

interface InTexts<Column extends string, Sentence extends string> {
  readonly column: Column
  readonly as: 'text' | Refusal<Sentence>
}

interface InNone<Sentence extends string> {
  readonly column: Refusal<Sentence>
}

type HoldsTexts = "The column holds texts: say as: 'text'."

type NamedColumn<R> =
  | { [Column in ColumnOf<R, Date>]: InDates<Column> }[ColumnOf<R, Date>]
  | { [Column in ColumnOf<R, string>]: InTexts<Column, HoldsTexts> }[ColumnOf<R, string>]
  | InNone<'Name a column of the rows that may be null, and else holds a Date or a text.'>

/** What may be left out where the rows have the usual column. */
type UsualColumn<R> =
  'deletedAt' extends ColumnOf<R, Date>
    ? Partial<InDates<'deletedAt'>>
    : 'deletedAt' extends ColumnOf<R, string>
      ? Omit<InTexts<'deletedAt', HoldsTexts>, 'column'> & { readonly column?: 'deletedAt' }
      : never

type Options<R> = Omit<SoftDeleteOptions<string>, 'column' | 'as'> & (UsualColumn<R> | NamedColumn<R>)

/** What `softDeletes` may say of rows `R`. */
export type SoftDeletes<R> =
  'deletedAt' extends ColumnOf<R, Date>
    ? true | Options<R>
    : 'deletedAt' extends ColumnOf<R, string>
      ? Refusal<"The column 'deletedAt' holds texts: say softDeletes: { as: 'text' }."> | Options<R>
      :
          | Refusal<"The rows have no column 'deletedAt' that may be null or hold a date: name another one as the column.">
          | Options<R>

/** Rows that are deleted softly, as the rest of the service knows of them. */
export interface CompiledSoftDeletes {
  /** Holds when the row was deleted, null while it is not. */
  readonly column: string
  readonly as: 'date' | 'text'
}
