import type { SqlStatement } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import { isStalePlan, postgresFault, SessionRefused } from '../driver/postgres-fault.js'
import type { SessionValues } from '../driver/session-settings.js'
import type { StatementNames } from '../driver/statement-names.js'
import { executionHead, executionMessage, parseMessage, unsynced } from './prepared-query.js'

/** Names and values are parameters, so the text depends on their number only. */
function settingText(length: number): string {
  const calls = Array.from({ length: length / 2 }, (_, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, true)`)
  return `select ${calls.join(', ')}`
}

/** The statement and the messages that set the values of a session until the end of a transaction. */
export interface SessionMessages {
  /** Returns the name of the prepared statement that the messages use; null if they contain the text. */
  nameOf(values: SessionValues): string | null
  /** Returns the statement that sets values in an open transaction. */
  statementOf(values: SessionValues): SqlStatement
  /** Returns the messages that set values in the implicit transaction of the statement that is sent after them. */
  messageOf(values: SessionValues): Uint8Array
}

/** @param prepares whether connections may prepare statements. Without it, each message contains the text. */
export function sessionMessages(names: StatementNames, prepares: boolean): SessionMessages {
  const texts = memoized(settingText)
  const parses = memoized((length: number) => parseMessage(texts(length)))
  const heads = memoized((length: number) => executionHead('', length))
  if (!prepares) {
    return {
      nameOf: () => null,
      statementOf: (values) => unnamed(texts(values.length), values),
      messageOf: (values) =>
        Buffer.concat([parses(values.length), executionMessage(heads(values.length), values, unsynced)]),
    }
  }
  const firstName = memoized((length: number) => `ashlar_session_${length}`)
  const nameOf = ({ length }: SessionValues): string => names.nameOf(firstName(length))
  const headOf = memoized(executionHead)
  return {
    nameOf,
    statementOf: (values) => ({ sql: texts(values.length), values, name: firstName(values.length) }),
    messageOf: (values) => executionMessage(headOf(nameOf(values), values.length), values, unsynced),
  }
}

/** Caches results by the first parameter, on which the second one depends. There are few: most requests set the same settings. */
function memoized<Key, Result>(resultOf: (key: Key, length: number) => Result): (key: Key, length?: number) => Result {
  const known = new Map<Key, Result>()
  return (key, length = 0) => {
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const result = resultOf(key, length)
    known.set(key, result)
    return result
  }
}

/**
 * Returns the error for values that PostgreSQL refused. They come from the application, so the error must not look like an invalid value or
 * a missing permission of the client.
 */
export function sessionError(thrown: unknown): unknown {
  const kind = postgresFault(thrown)?.kind
  const isOfDatabase = kind === 'unavailable' || kind === 'timeout' || kind === 'conflict' || isStalePlan(thrown)
  return kind === undefined || isOfDatabase ? thrown : new SessionRefused(thrown)
}

/**
 * Returns whether a text may have several statements, which only the simple query protocol runs. They cannot be sent together
 * with values.
 */
export function mayBeSeveral({ sql, values, name }: SqlStatement): boolean {
  return name === null && values.length === 0 && /;\s*\S/.test(sql)
}
