import type { DataSource } from '../../../stores/common/data-source.js'
import type {
  CallerKey,
  IdempotencyStore,
  KeyedResponse,
  KeyedWrite,
  KeyUsage,
} from '../../../stores/common/idempotency-store.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/** Direct access to the responses that a store has under keys, each call in a transaction at a time in milliseconds. */
export interface DirectKeys {
  find(key: CallerKey, transaction: Transaction, now: number): ReturnType<IdempotencyStore['find']>
  save(response: KeyedResponse, transaction: Transaction, now: number): Promise<boolean>
  usage(caller: string, limit: number, transaction: Transaction, now: number): Promise<KeyUsage>
  removeExpired(now: number): Promise<number>
}

const context: RequestContext = Object.freeze({
  server: 'default',
  type: 'playlists',
  operation: 'CreateResource',
  caller: null,
  request: null,
})

const write = (transaction: Transaction, now: number): KeyedWrite => ({ transaction, context, now })

export function directKeys({ idempotency }: Pick<DataSource, 'idempotency'>): DirectKeys {
  const store = (): IdempotencyStore => {
    if (idempotency === undefined) throw new Error("The store does not have 'idempotency'.")
    return idempotency
  }
  return {
    find: (key, transaction, now) => store().find(key, write(transaction, now)),
    save: (response, transaction, now) => store().save(response, write(transaction, now)),
    usage: (caller, limit, transaction, now) => store().usage(caller, limit, write(transaction, now)),
    removeExpired: (now) => store().removeExpired(now),
  }
}
