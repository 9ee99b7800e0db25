import { fail } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { SentenceRule } from '../../../core/errors/sentence.js'
import type { Awaitable } from '../../../core/util/types.js'
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
    const rule = conflict === undefined ? undefined : rules[conflict.kind]
    if (rule === undefined) throw thrown
    fail('VALIDATION_FAILED', { message: sentence(rule) }, { cause: thrown })
  }
}

const rules: { readonly [Kind in Conflict['kind']]?: SentenceRule } = Object.freeze({
  unique: 'uniqueElsewhere',
  check: 'check',
})
