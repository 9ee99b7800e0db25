import type { OpenMusic } from '../support/sql-music.js'

/** Clients that write to servers, and the results that they know of their writes. */
export interface Storm {
  /** How many writes servers have confirmed so far. */
  readonly confirmed: number
  /** Descriptions of responses that no client should get. */
  readonly faults: readonly string[]
  /** Writes by several clients at the same time, until the server ends. */
  writeTo(url: string): Promise<void>
  /** Throws if the database holds a write in parts, or if one is missing that a server has confirmed. */
  check(music: OpenMusic): Promise<void>
}

/** How many clients a storm has. */
export const clients = 4
