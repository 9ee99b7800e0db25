import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CallerKey, IdempotencyStore, KeyedResponse } from '../common/idempotency-store.js'
import { allRows } from './layered-rows.js'
import type { MemoryStore } from './memory-store.js'
import { draftOf, findTableRow, insertInto, removeFrom } from './memory-table.js'

/** The table of the responses. No model has a line break in its name. */
const model = Object.freeze({ name: '\nidempotency', key: 'id' })

/**
 * Stores responses in a table of the memory store. Transactions run one after the other, so no other transaction can use the same key.
 */
export function memoryIdempotency(store: MemoryStore): IdempotencyStore {
  function removeExpired(now: number, transaction: Transaction): number {
    const draft = draftOf(store.table(model, transaction))
    const expired = allRows(draft.rows).filter((row) => responseIn(row).expiresAt <= now)
    for (const { id } of expired) {
      const entry = findTableRow(draft, model.key, id)
      if (entry !== undefined) removeFrom(draft, entry)
    }
    if (expired.length > 0) store.write(model.name, draft, transaction)
    return expired.length
  }

  return Object.freeze<IdempotencyStore>({
    async find(key, { transaction, now }) {
      const entry = findTableRow(store.table(model, transaction), model.key, idOf(key))
      const response = entry === undefined ? null : responseIn(entry.row)
      return response === null || response.expiresAt <= now ? null : response
    },
    async save(response, { transaction, now }) {
      removeExpired(now, transaction)
      const draft = draftOf(store.table(model, transaction))
      if (findTableRow(draft, model.key, idOf(response)) !== undefined) return false
      insertInto(draft, { id: idOf(response), response }, 'any')
      store.write(model.name, draft, transaction)
      return true
    },
    async usage(caller, limit, { transaction, now }) {
      const expiries = allRows(store.table(model, transaction).rows)
        .map(responseIn)
        .filter((response) => response.caller === caller && response.expiresAt > now)
        .slice(0, limit)
        .map(({ expiresAt }) => expiresAt)
      const firstExpiresAt = expiries.reduce<number | null>((first, at) => Math.min(first ?? at, at), null)
      return { count: expiries.length, firstExpiresAt }
    },
    removeExpired: (now) => store.run(async (transaction) => removeExpired(now, transaction)),
  })
}

function idOf({ caller, key }: CallerKey): string {
  return `${caller} ${key}`
}

function responseIn(row: Readonly<Record<string, unknown>>): KeyedResponse {
  return row['response'] as KeyedResponse
}
