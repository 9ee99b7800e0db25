import { memoize } from '../../../../../util/memoize.js'
import type { PgQueryClass, PreparedQueryClass } from './prepared-query.js'
import { preparedQueryClass } from './prepared-query.js'
import type { SessionQueryClass } from './session-query.js'
import { sessionQueryClass } from './session-query.js'

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
  return hasKnownHandlers(Query) ? classesOf(Query) : null
}

const classesOf: (Query: PgQueryClass) => QueryClasses = memoize((Query) => {
  const PreparedQuery = preparedQueryClass(Query)
  return {
    PreparedQuery,
    SessionPreparedQuery: sessionQueryClass(PreparedQuery),
    SessionPlainQuery: sessionQueryClass(Query),
  }
})

function hasKnownHandlers(Query: unknown): Query is PgQueryClass {
  if (typeof Query !== 'function') return false
  const { prototype } = Query as { readonly prototype?: unknown }
  if (typeof prototype !== 'object' || prototype === null || !('submit' in prototype)) return false
  const handlers = Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('handle'))
  return handlers.length === knownHandlers.size && handlers.every((name) => knownHandlers.has(name))
}
