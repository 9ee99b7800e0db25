import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'

/** An `Idempotency-Key` of one caller. */
export interface CallerKey {
  /** Identifies the server and the caller: a SHA-256 hash in hexadecimal digits. */
  readonly caller: string
  /** The value of the header: up to 255 characters. */
  readonly key: string
}

/** The response to a request with an `Idempotency-Key`, and the request that it belongs to. */
export interface KeyedResponse extends CallerKey {
  /** The method and the path with its query: `POST /albums`. */
  readonly request: string
  /** The SHA-256 hash of the body, in hexadecimal digits. */
  readonly bodyHash: string
  readonly status: number
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | null
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** The stored responses of one caller that have not expired. */
export interface KeyUsage {
  /** How many there are, up to the limit of the call. */
  readonly count: number
  /** When the first of them expires, in milliseconds since 1970; `null` if there are none. */
  readonly firstExpiresAt: number | null
}

/** The transaction of the write that a key belongs to. */
export interface KeyedWrite {
  readonly transaction: Transaction
  readonly context: RequestContext
  /** In milliseconds since 1970. Responses that have expired by then are absent. */
  readonly now: number
}

/**
 * Stores responses to requests with an `Idempotency-Key`, each in the transaction of its write: both are committed, or neither.
 */
export interface IdempotencyStore {
  /**
   * Returns the response that is stored under a key. Returns `'running'` if an open transaction of another process uses the key, unless the
   * store makes this transaction wait for the other one.
   */
  find(key: CallerKey, write: KeyedWrite): Promise<KeyedResponse | 'running' | null>
  /**
   * Stores a response, and may remove some that have expired. Returns false, and stores nothing, if another transaction has
   * stored a response under the key.
   */
  save(response: KeyedResponse, write: KeyedWrite): Promise<boolean>
  /**
   * Counts the stored responses of a caller, without those that have expired.
   *
   * @param limit the count at which the store may stop
   */
  usage(caller: string, limit: number, write: KeyedWrite): Promise<KeyUsage>
  /** Removes all responses that have expired. Returns how many there were. */
  removeExpired(now: number): Promise<number>
}
