import type { KeyObject } from 'node:crypto'
import type { CompileError } from './compile-error.js'

/** The names of the columns that hold values of type `Value`, or null. */
type ColumnOf<R, Value> = {
  [Column in keyof R & string]: [Value] extends [R[Column]] ? Column : never
}[keyof R & string]

/** The name of a column that holds a `Date`, for rows of type `R`. See {@link VersionOptions}. */
export type InstantColumn<R> = ColumnOf<R, Date>

type IntegerColumn<R> = ColumnOf<R, number> | ColumnOf<R, bigint>

/**
 * Options of the version of a type.
 *
 * @example
 * ```ts
 * const albums = defineResource('albums', {
 *   model: model<{ id: number; title: string; lockVersion: number }>('albums'),
 *   id: id(),
 *   attributes: (a) => ({ title: a.string() }),
 *   version: { column: 'lockVersion', required: true },
 * })
 * ```
 */
export interface VersionOptions {
  /** Whether writes without `If-Match` are refused with 428. Default: false. */
  readonly required?: boolean
  /** Whether every resource object shows its version as `meta.version`. Default: false. */
  readonly inMeta?: boolean
}

interface NumberedVersion<Column extends string> extends VersionOptions {
  readonly column: Column
  readonly as?: 'integer'
}

interface TimedVersion<Column extends string> extends VersionOptions {
  readonly column: Column
  readonly as: 'instant' | CompileError<"The column holds a Date: set as: 'instant'.">
}

interface HashedVersion extends VersionOptions {
  /** Uses a hash of the stored row, which needs the setting `secret` of the server. */
  readonly hash: true
}

interface OtherVersion extends VersionOptions {
  readonly column: CompileError<'Name a column that holds an integer or a Date.'>
}

/**
 * The value of `version` for rows of type `R`: a column of integers, `xmin` of PostgreSQL, {@link VersionOptions}, or
 * `null` for none, also if the server has a default.
 */
export type Version<R> =
  | IntegerColumn<R>
  | 'xmin'
  | NumberedVersion<IntegerColumn<R> | 'xmin'>
  | { [Column in ColumnOf<R, Date>]: TimedVersion<Column> }[ColumnOf<R, Date>]
  | HashedVersion
  | OtherVersion
  | null

/** The compiled version of a type. */
export type CompiledVersion = Readonly<Required<VersionOptions>> &
  (
    | {
        /**
         * How the column changes with each write. `integer`: by one. `instant`: to the time of the write. `xmin`: the
         * database changes it.
         */
        readonly kind: 'integer' | 'instant' | 'xmin'
        readonly column: string
      }
    | {
        /** A hash of the stored row, which no column holds. */
        readonly kind: 'hash'
        readonly column: null
        /** Without it, clients could compute the hash of a row and so test guesses about columns that they do not see. */
        readonly secret: KeyObject
      }
  )
