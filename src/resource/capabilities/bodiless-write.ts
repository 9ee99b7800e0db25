import { fail } from '../../errors/json-api-error.js'
import type { Awaitable } from '../../util/types.js'
import { isStoreConflict } from './store-conflict.js'

/**
 * Has a store write a row of a type for a request whose body says nothing of it, as one that deletes. What it refuses is
 * told without a place: 409 where other rows still point at the row, 422 where another row has what this one would have.
 */
export async function bodilessWrite<Result>(type: string, write: () => Awaitable<Result>): Promise<Result> {
  try {
    return await write()
  } catch (thrown) {
    const conflict = isStoreConflict(thrown) ? thrown.conflicts.find((each) => each.type === type) : undefined
    if (conflict?.kind === 'inUse') fail('RESOURCE_IN_USE', {}, { cause: thrown })
    if (conflict?.kind !== 'unique') throw thrown
    const message = 'Another resource has a value that only one may have.'
    fail('VALIDATION_FAILED', { message }, { cause: thrown })
  }
}
