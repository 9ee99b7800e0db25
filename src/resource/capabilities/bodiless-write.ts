import { fail } from '../../errors/json-api-error.js'
import type { Awaitable } from '../../util/types.js'
import type { Conflict } from './store-conflict.js'
import { isStoreConflict } from './store-conflict.js'

/**
 * Has a store write a row of a type for a request whose body says nothing of it, as one that deletes. What it refuses is
 * told without a place: 409 where other rows still point at the row, 422 where another row has what this one would have,
 * or where a rule of the store's own stands against it.
 */
export async function bodilessWrite<Result>(type: string, write: () => Awaitable<Result>): Promise<Result> {
  try {
    return await write()
  } catch (thrown) {
    const conflict = isStoreConflict(thrown) ? thrown.conflicts.find((each) => each.type === type) : undefined
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
