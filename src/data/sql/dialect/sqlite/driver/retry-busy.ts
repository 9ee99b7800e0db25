import { isBusy, sqliteError } from './sqlite-faults.js'

/**
 * The longest pause between two attempts, in milliseconds. Another process that writes continuously frees the lock for moments only: many
 * attempts are needed to meet one. An attempt takes some microseconds.
 */
export const LONGEST_PAUSE = 5

export interface BusyRetries {
  /** The error of the first attempt. */
  readonly thrown: unknown
  /** Returns whether a transaction is open on the connection. */
  readonly isInTransaction: () => boolean
  /** Called after each attempt that another process has prevented. Throws to end the retries. */
  readonly check: (busy: unknown) => void
}

/**
 * Retries a statement while another process holds the lock of the file, without blocking: the wait of SQLite would block the process, and
 * possibly the code that holds the lock. That is safe, because a busy statement has changed nothing.
 */
export async function retryBusy<Result>(
  work: () => Result,
  { thrown, isInTransaction, check }: BusyRetries,
): Promise<Result> {
  let busy = thrown
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    check(busy)
    await sleep(pause * (0.5 + Math.random() / 2))
    try {
      return work()
    } catch (failure) {
      if (!isBusy(failure, isInTransaction)) throw failure
      busy = failure
    }
  }
}

/** Returns the error of a caller that has waited for another process for too long. It is not a conflict, which would be retried. */
export function heldTooLong(limit: number, busy?: unknown): Error {
  const message = `Another process held the lock of the SQLite database for longer than ${limit} ms.`
  return sqliteError({ kind: 'timeout' }, message, busy)
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
