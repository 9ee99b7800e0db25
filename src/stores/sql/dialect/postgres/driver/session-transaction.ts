import type { SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import type { SessionValues } from './session-settings.js'

/** The part of a lease that a transaction needs. */
interface TransactionLease {
  run(statement: SqlStatement): Promise<SqlResult>
  /** Sets values until the end of the open transaction. */
  set(values: SessionValues): Promise<SqlResult>
  /** Sends the statements that the work starts to the server in one write. */
  batch(work: () => void): void
  /** Excludes the client from further use. */
  abandon(): void
}

/**
 * Runs a statement with the values of a session in a separate transaction, by four statements: for clients that are not pg's, and for texts
 * with several statements. `sessionQueryClass` sends all of it in one write.
 */
export async function runInOwnTransaction(
  lease: TransactionLease,
  statement: SqlStatement,
  session: SessionValues,
): Promise<SqlResult> {
  try {
    await beginWith(lease, unnamed('begin'), session)
    const result = await lease.run(statement)
    await lease.run(unnamed('commit'))
    return result
  } catch (thrown) {
    await lease.run(unnamed('rollback')).catch(() => lease.abandon())
    throw thrown
  }
}

/**
 * Begins a transaction and sets values for all of it, in one round trip. If `begin` fails, the values are gone with
 * their own implicit transaction.
 */
export async function beginWith(
  lease: Pick<TransactionLease, 'run' | 'set' | 'batch'>,
  begin: SqlStatement,
  session: SessionValues,
): Promise<SqlResult> {
  const [begun] = await sentTogether(lease, () => [lease.run(begin), lease.set(session)])
  return begun as SqlResult
}

/** Sends statements in one write. When all have ended, rejects with the first error in their order. */
export async function sentTogether(
  lease: Pick<TransactionLease, 'batch'>,
  start: () => readonly Promise<SqlResult>[],
): Promise<readonly SqlResult[]> {
  let sent: readonly Promise<SqlResult>[] = []
  lease.batch(() => (sent = start()))
  await Promise.allSettled(sent)
  return Promise.all(sent)
}
