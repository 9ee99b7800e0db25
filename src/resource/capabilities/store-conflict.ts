import { isMarked, markError } from '../../errors/error-mark.js'

/**
 * What a row would come into conflict with: other rows, or what the store itself demands of rows. Columns and keys, as the
 * store has them: what a client sent is not its business.
 */
export type Conflict =
  /** Another row of the type holds the same values in these columns. */
  | {
      readonly kind: 'unique'
      readonly type: string
      readonly columns: readonly string[]
      /** Which row it was (`referenceColumn`), where `mutateRelationship` writes several. */
      readonly key?: unknown
    }
  /** Another row of the type has the key, or what its id stands for. */
  | { readonly kind: 'key'; readonly type: string; readonly key: unknown }
  /** Other rows still point at the row. */
  | { readonly kind: 'inUse'; readonly type: string }
  /** The row points at one that is not there, by these columns. */
  | RefusedColumns<'reference'>
  /** A column has no value that must have one. */
  | RefusedColumns<'null'>
  /** A rule of the store's own does not hold. `columns` are those that it looks at, as far as they are known. */
  | (RefusedColumns<'check'> & {
      /** Of the rule, for logs: no client is told. */
      readonly name: string | null
    })
  /** A value does not fit into its column; none where the store does not say which. */
  | RefusedColumns<'value'>

interface RefusedColumns<Kind> {
  readonly kind: Kind
  readonly type: string
  readonly columns: readonly string[]
  /** Which row it was (`referenceColumn`), where `mutateRelationship` writes several. */
  readonly key?: unknown
}

/** A write that a store refuses because of what it holds. Nothing of it is written. */
export interface StoreConflict extends Error {
  /** At least one; a store that finds one at a time tells that one. */
  readonly conflicts: readonly Conflict[]
}

/**
 * Makes the error that a persister throws where a unique index, a foreign key or another constraint stops a write. The service tells its client
 * at which member of the body; an author's code that wrote the row may catch it.
 *
 * @example
 * ```ts
 * const refuse = (type: string) => {
 *   throw storeConflict({ kind: 'unique', type, columns: ['title', 'artistId'] })
 * }
 * ```
 */
export function storeConflict(...conflicts: readonly [Conflict, ...Conflict[]]): StoreConflict {
  const error = Object.assign(new Error(conflicts.map(described).join(' ')), {
    name: 'StoreConflict',
    conflicts: Object.freeze([...conflicts]),
  })
  markError(error, 'store-conflict')
  return error
}

/**
 * Whether a store refused a write because of what it holds. Knows the errors of another copy of the package too.
 *
 * @example
 * ```ts
 * const addLabel = async (context: WorkContext, name: string) => {
 *   try {
 *     await context.rows('labels').create({ name })
 *   } catch (thrown) {
 *     if (!isStoreConflict(thrown)) throw thrown
 *     fail('VALIDATION_FAILED', { message: 'There is such a label.' })
 *   }
 * }
 * ```
 */
export function isStoreConflict(thrown: unknown): thrown is StoreConflict {
  return typeof thrown === 'object' && thrown !== null && isMarked(thrown, 'store-conflict')
}

/** For logs: names, and no values. */
function described(conflict: Conflict): string {
  const { type } = conflict
  switch (conflict.kind) {
    case 'unique':
      return `Another row of '${type}' has the same ${conflict.columns.join(', ')}.`
    case 'key':
      return `Another row of '${type}' has this key.`
    case 'inUse':
      return `Other rows still point at this row of '${type}'.`
    case 'reference':
      return `A row of '${type}' points at none${by(conflict.columns)}.`
    case 'null':
      return `A row of '${type}' has no ${conflict.columns.join(', ')}.`
    case 'check':
      return `A row of '${type}' breaks the rule ${conflict.name ?? 'of its store'}${by(conflict.columns)}.`
    case 'value':
      return `A row of '${type}' has a value that does not fit${by(conflict.columns)}.`
  }
}

function by(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` (${columns.join(', ')})`
}
