import { fail } from '../../core/errors/json-api-error.js'
import { reachableTypes } from '../read/plan/reachable-types.js'
import type { RequestServices } from '../read/read-context.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { inTransaction } from './persist/in-transaction.js'

interface DryRun {
  /** The types of the server: functions of the application may write rows of any of them. */
  readonly types: readonly ServedType[]
  /** The type that is written; `null` for a batch, which may write all of them. */
  readonly primary: ServedType | null
  readonly services: RequestServices
  readonly context: RequestContext
}

/**
 * Runs work in transactions, and rolls them back. Returns the result of the work. Steps after a commit do not run. Fails with 400
 * if a store has no transactions, since its writes could not be rolled back.
 */
export async function rollBack<Result>(
  { types, primary, services, context }: DryRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const written = primary === null ? types : reachableTypes(primary)
  if (written.some(({ persister, transactions }) => persister !== null && transactions === null)) {
    fail('PREFERENCE_NOT_SUPPORTED', { preference: 'tx=rollback' }, { source: { header: 'Prefer' } })
  }
  return inTransaction<Result>(types, { services, context }, async (_, undo) => undo(await work()))
}
