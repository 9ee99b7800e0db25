import type { PgQuery, PgQueryClass, PreparedQueryClass, QueryConnection } from './prepared-query.js'
import { preparedQueryClass } from './prepared-query.js'
import { sessionError } from './session-statement.js'

/** The query classes of the fast paths, for one version of pg. */
export interface QueryClasses {
  readonly PreparedQuery: PreparedQueryClass
  /** The classes of queries that set values first. */
  readonly SessionPreparedQuery: SessionQueryClass
  readonly SessionPlainQuery: SessionQueryClass
}

/**
 * The handlers of pg's queries. Those that the fast paths do not replace are inherited, so an unknown one could use what
 * only the constructor of pg's queries creates.
 */
const knownHandlers: ReadonlySet<string> = new Set([
  'handleRowDescription',
  'handleDataRow',
  'handlePortalSuspended',
  'handleCommandComplete',
  'handleEmptyQuery',
  'handleCopyInResponse',
  'handleCopyData',
  'handleReadyForQuery',
  'handleError',
])

/** Returns the classes for pg's class of queries. Null if its handlers are unknown. */
export function queryClassesOf(Query: unknown): QueryClasses | null {
  if (!hasKnownHandlers(Query)) return null
  const PreparedQuery = preparedQueryClass(Query)
  return {
    PreparedQuery,
    SessionPreparedQuery: sessionQueryClass(PreparedQuery),
    SessionPlainQuery: sessionQueryClass(Query),
  }
}

function hasKnownHandlers(Query: unknown): Query is PgQueryClass {
  if (typeof Query !== 'function') return false
  const { prototype } = Query as { readonly prototype?: unknown }
  if (typeof prototype !== 'object' || prototype === null || !('submit' in prototype)) return false
  const handlers = Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('handle'))
  return handlers.length === knownHandlers.size && handlers.every((name) => knownHandlers.has(name))
}

/** A query that sets values first. They apply to its statement only: both are one implicit transaction. */
export interface SessionQuery extends PgQuery {
  /** The messages that set the values, without a `Sync`. */
  settings: Uint8Array | null
  /** Whether the query itself was sent, not a copy of it. */
  readonly isSubmitted: boolean
}

export type SessionQueryClass = new (...parameters: ConstructorParameters<PgQueryClass>) => SessionQuery

/**
 * Returns a class of queries that send the settings before the statement, in the same write. The result of the settings
 * precedes that of the statement, and is skipped. Fast path of `runInOwnTransaction`: without it, one resource takes 71 %
 * more instructions (W1 with a session).
 */
function sessionQueryClass(Query: PgQueryClass): SessionQueryClass {
  return class extends Query implements SessionQuery {
    settings: Uint8Array | null = null
    isSubmitted = false
    #isSet = false

    override submit(connection: QueryConnection): Error | null {
      const { stream } = connection
      this.isSubmitted = true
      if (this.settings === null || !stream.writable) {
        this.#isSet = true
        return super.submit(connection)
      }
      stream.cork?.()
      try {
        stream.write(this.settings)
        const refused = super.submit(connection)
        // The settings were sent without a statement: the next one must not run with them.
        if (refused !== null) stream.destroy?.()
        return refused
      } finally {
        stream.uncork?.()
      }
    }

    override handleDataRow(message: Parameters<PgQuery['handleDataRow']>[0]): void {
      if (this.#isSet) super.handleDataRow(message)
    }

    override parseRow(bytes: Buffer, start: number): void {
      if (this.#isSet) super.parseRow?.(bytes, start)
    }

    override handleCommandComplete(message: Parameters<PgQuery['handleCommandComplete']>[0]): void {
      if (this.#isSet) super.handleCommandComplete(message)
      else this.#isSet = true
    }

    override handleError(error: unknown): void {
      super.handleError(this.#isSet ? error : sessionError(error))
    }
  }
}
