import type { Sentence } from '../../../core/errors/sentence.js'
import { isMarked, markError } from '../../../core/errors/error-mark.js'

/**
 * A conflict of a row with other rows, or with a constraint of the store. It names columns and keys of the store, not
 * members of the request document.
 */
export type Conflict =
  /** Another row of the type has the same values in these columns. */
  | {
      readonly kind: 'unique'
      readonly type: string
      readonly columns: readonly string[]
      /** The key of the row (`referenceColumn`), if `mutateRelationship` writes several rows. */
      readonly key?: unknown
    }
  /** Another row of the type has the same key, or the same value in the column of the id. */
  | { readonly kind: 'key'; readonly type: string; readonly key: unknown }
  /** Other rows still point at the row. */
  | { readonly kind: 'inUse'; readonly type: string }
  /** These columns of the row point at a missing row. */
  | RefusedColumns<'reference'>
  /** A column that must have a value is null. */
  | RefusedColumns<'null'>
  /**
   * A check constraint of the store is violated. `columns` are the columns of the constraint, as far as they are known.
   */
  | (RefusedColumns<'check'> & {
      /** The name of the constraint, for logs only: it is never sent to a client. */
      readonly name: string | null
    })
  /** A value does not fit into its column. `columns` is empty if the store does not report which one. */
  | RefusedColumns<'value'>

interface RefusedColumns<Kind> {
  readonly kind: Kind
  readonly type: string
  readonly columns: readonly string[]
  /** The key of the row (`referenceColumn`), if `mutateRelationship` writes several rows. */
  readonly key?: unknown
  /** A sentence for the client: which values are allowed. Only if the conflict is about one column. */
  readonly allowed?: Sentence | string
}

/** The error of a write that a store refuses because of a conflict. Nothing is written. */
export interface StoreConflict extends Error {
  /** At least one conflict. A store that finds only one at a time reports that one. */
  readonly conflicts: readonly Conflict[]
}

/**
 * Creates the error that a persister throws if a unique index, a foreign key or another constraint stops a write. The
 * server reports it to the client with a pointer to the member of the request document. User-defined code that wrote
 * the row may catch it.
 *
 * @example
 * ```ts
 * const refuse = (type: string) => {
 *   throw storeConflict({ kind: 'unique', type, columns: ['title', 'artistId'] })
 * }
 * ```
 */
export function storeConflict(...conflicts: readonly [Conflict, ...Conflict[]]): StoreConflict {
  const error = Object.assign(new Error(conflicts.map(describe).join(' ')), {
    name: 'StoreConflict',
    conflicts: Object.freeze([...conflicts]),
  })
  markError(error, 'store-conflict')
  return error
}

/**
 * Returns whether an error is a store conflict. Also recognizes the errors of another copy of the package.
 *
 * @example
 * ```ts
 * const addLabel = async (context: WorkContext, name: string) => {
 *   try {
 *     await context.rows('labels').create({ name })
 *   } catch (thrown) {
 *     if (!isStoreConflict(thrown)) throw thrown
 *     fail('VALIDATION_FAILED', { message: 'This label already exists.' })
 *   }
 * }
 * ```
 */
export function isStoreConflict(thrown: unknown): thrown is StoreConflict {
  return typeof thrown === 'object' && thrown !== null && isMarked(thrown, 'store-conflict')
}

/** Returns a description for logs: names of types and columns, no values. */
function describe(conflict: Conflict): string {
  const { type } = conflict
  switch (conflict.kind) {
    case 'unique':
      return `Another row of '${type}' has the same value for ${conflict.columns.join(', ')}.`
    case 'key':
      return `Another row of '${type}' has this key.`
    case 'inUse':
      return `Other rows still point at this row of '${type}'.`
    case 'reference':
      return `A row of '${type}' points at a missing row${inColumns(conflict.columns)}.`
    case 'null':
      return `A row of '${type}' has no value for ${conflict.columns.join(', ')}.`
    case 'check':
      return `A row of '${type}' violates ${checkName(conflict.name)}${inColumns(conflict.columns)}.`
    case 'value':
      return `A row of '${type}' has a value that does not fit${inColumns(conflict.columns)}.`
  }
}

function checkName(name: string | null): string {
  return name === null ? 'a check constraint' : `the check constraint ${name}`
}

function inColumns(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` (${columns.join(', ')})`
}
