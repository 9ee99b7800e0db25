import { isMarked, markError } from '../../errors/error-mark.js'

/** What a row would come into conflict with. Columns and keys, as the store has them: what a client sent is not its business. */
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

/** A write that a store refuses because of other rows. Nothing of it is written. */
export interface StoreConflict extends Error {
  /** At least one; a store that finds one at a time tells that one. */
  readonly conflicts: readonly Conflict[]
}

/**
 * Makes the error that a persister throws where a unique index or a foreign key stops a write. The service tells its client
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
 * Whether a store refused a write because of other rows. Knows the errors of another copy of the package too.
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
  }
}
