import { HttpError } from '../errors/http-error.js'
import { JsonApiError } from '../errors/json-api-error.js'
import type { VersionMatch } from '../negotiate/preconditions.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { writeTransaction } from '../read/open-transactions.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import type { ShortcutCapabilities } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { isStoreConflict } from '../resource/capabilities/store-conflict.js'
import type { Transaction } from '../resource/capabilities/transactions.js'
import type { RowCondition } from '../resource/querying/row-condition.js'
import type { RequestContext } from '../resource/request-context.js'
import { permittedConditions } from './persist/permitted-writes.js'
import { versionConditions } from './persist/check-version.js'

/*
 * What the writes by one statement share. Each returns `null` if the write needs several steps, if anything is wrong with it, and if
 * the statement did nothing. Nothing is stored in that case. A create in steps takes 2.4 times the CPU time (W5 on SQLite).
 */

/** How a shortcut of a persister is called in a request. */
export interface ShortcutCall {
  /** The transaction that the statement is a part of; `null` to commit by itself. */
  readonly transaction: Transaction | null
  readonly acceptsScopes: boolean
}

/** Returns how a shortcut is called; `null` if the strategy of the write, or the open transaction, does not permit it. */
export function shortcutCall(
  served: ServedType,
  reason: string | null,
  { acceptsScopes = false, joinsTransactions = false }: ShortcutCapabilities = none,
  open: OpenTransactions | null,
): ShortcutCall | null {
  if (reason !== null) return null
  if (open === null) return { transaction: null, acceptsScopes }
  // In a transaction of another store, or after its end, the steps decide when the row is committed.
  const transaction = joinsTransactions && open.isOpen ? writeTransaction(served, open) : null
  return transaction === null ? null : { transaction, acceptsScopes }
}

const none: ShortcutCapabilities = Object.freeze({})

/**
 * Returns the conditions under which a statement writes a row that exists: it is visible, the policy permits the write, and it has one of
 * the versions that the request names. Returns `null` if more than these decide.
 */
export function rowConditions(
  served: ServedType,
  { ability, ifMatch }: { readonly ability: string; readonly ifMatch: VersionMatch | null },
  { acceptsScopes }: ShortcutCall,
  context: RequestContext,
): readonly RowCondition[] | null {
  const permitted = permittedConditions(served, ability, context)
  const versions = versionConditions(served, ifMatch)
  if (permitted === null || versions === null) return null
  const visible = scopeConditions(served)
  const conditions = permitted.length === 0 ? visible : [...visible, ...permitted]
  return [...conditionsFor(acceptsScopes, conditions, context), ...versions]
}

/** Returns the conditions for a shortcut of a persister: with conditions of the request instead of scopes, unless it accepts scopes. */
export function conditionsFor(
  acceptsScopes: boolean,
  conditions: readonly RowCondition[],
  context: RequestContext,
): readonly RowCondition[] {
  return acceptsScopes ? conditions : withScopes({ conditions, context }).conditions
}

/**
 * Returns `null` for an error for the client: the steps, or the operation by itself, report it. Other errors, such as a lost
 * connection, end the write.
 */
export function leaveToSteps(thrown: unknown): null {
  if (JsonApiError.is(thrown) || HttpError.is(thrown) || isStoreConflict(thrown)) return null
  throw thrown
}
