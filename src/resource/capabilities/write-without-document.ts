import { fail } from '../../errors/json-api-error.js'
import type { Awaitable } from '../../util/types.js'
import type { Conflict } from './store-conflict.js'
import { isStoreConflict } from './store-conflict.js'

/**
 * Runs a write of one row for a request without a document for that row, such as a delete. Converts a store conflict to
 * an error without a pointer: 409 if other rows still point at the row, 422 if the row would violate a unique or a
 * check constraint of the store.
 */
export async function writeWithoutDocument<Result>(type: string, write: () => Awaitable<Result>): Promise<Result> {
  try {
    return await write()
  } catch (thrown) {
    const conflict = isStoreConflict(thrown) ? thrown.conflicts.find((found) => found.type === type) : undefined
    if (conflict?.kind === 'inUse') fail('RESOURCE_IN_USE', {}, { cause: thrown })
    const message = conflict === undefined ? undefined : messages[conflict.kind]
    if (message === undefined) throw thrown
    fail('VALIDATION_FAILED', { message }, { cause: thrown })
  }
}

const messages: { readonly [Kind in Conflict['kind']]?: string } = Object.freeze({
  unique: 'Another resource has a value that only one may have.',
  check: 'This breaks a rule that holds for its values.',
})
