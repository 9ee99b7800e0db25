import type { Refusal } from './fields/refusals.js'

/** The columns that may be null or hold a moment. */
type MomentColumn<R> = {
  [Column in keyof R & string]: [null, Date] extends [R[Column], R[Column]] ? Column : never
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
  /** Whether clients may call the action `restore`. Default: where the type serves `Delete`. */
  readonly restore?: boolean
  /** Whether clients may call the action `force-delete`. Default: where the type serves `Delete`. */
  readonly forceDelete?: boolean
  /** The path of the action. Default: `restore`. */
  readonly restorePath?: string
  /** The path of the action. Default: `force-delete`. */
  readonly forcePath?: string
}

/** What `softDeletes` may say of rows `R`. */
export type SoftDeletes<R> =
  'deletedAt' extends MomentColumn<R>
    ? true | SoftDeleteOptions<MomentColumn<R>>
    :
        | Refusal<"The rows have no column 'deletedAt' that may be null or hold a date: name another one as the column.">
        | (SoftDeleteOptions<MomentColumn<R>> & { readonly column: MomentColumn<R> })

/** Rows that are deleted softly, as the rest of the service knows of them. */
export interface CompiledSoftDeletes {
  /** Holds when the row was deleted, null while it is not. */
  readonly column: string
}
