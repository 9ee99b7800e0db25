import { pauseRequest } from '../../../../../core/http/admission.js'
import type { RequestContext } from '../../../../../declare/resource/request/request-context.js'
import type { Awaitable } from '../../../../../core/util/types.js'
import { hasCommitted } from '../../../driver/committed-requests.js'
import { isBusy, sqliteError } from './sqlite-faults.js'

/**
 * The longest pause between two attempts, in milliseconds. Another process that writes continuously frees the lock for moments only: many
 * attempts are needed to meet one. An attempt takes some microseconds.
 */
const LONGEST_PAUSE = 5

/** How long a caller waits for its turn, in milliseconds. */
export interface LockLimits {
  /** For other callers of this process. */
  readonly lockTimeout: number
  /** For another process that holds the lock of the file. */
  readonly busyTimeout: number
}

/** A caller that wants the write connection. */
export interface LockCaller {
  /** The request that waits. If its client disconnects, it waits no longer. Null if there is none. */
  readonly context: RequestContext | null
  readonly limits: LockLimits
}

/** The turn of one caller, which has the write connection until it releases it. */
export interface WriterTurn {
  /** Runs work synchronously. Only if another process holds the lock of the file, returns a promise of retries. */
  run<Result>(work: () => Result): Awaitable<Result>
  /** Only the first call has an effect. */
  release(): void
}

/** The lock of the write connection: callers get their turns in the order of their calls. */
export interface WriterLock {
  /** Returns the turn if the connection is free, else waits for it. */
  acquire(caller: LockCaller): Awaitable<WriterTurn>
}

/** A caller, and when it has begun to wait; 0 if it did not have to. */
interface Waiting {
  readonly caller: LockCaller
  readonly since: number
}

/** A caller in the queue. */
interface Queued extends Waiting {
  readonly begin: () => void
  readonly fail: (error: Error) => void
}

/**
 * How long this process takes one turn after the other, in milliseconds. SQLite has no queue of processes: without a pause, another one
 * could wait for as long as there are callers here.
 */
const LONGEST_USE = 200

/** How long this process then leaves the lock to others, in milliseconds: until each of them has tried. */
const PAUSE_FOR_OTHERS = LONGEST_PAUSE + 1

/** @param isInTransaction returns whether a transaction is open on the write connection */
export function writerLock(isInTransaction: () => boolean): WriterLock {
  const queue = new Set<Queued>()
  let isHeld = false
  /** Since when another process holds the lock of the file. All callers wait for it, not only the one whose turn it is. */
  let busySince: number | null = null
  /** Since when there has been a caller in the queue at the end of each turn. */
  let usedSince: number | null = null

  function isLate({ caller, since }: Waiting): boolean {
    return performance.now() >= Math.max(busySince ?? since, since) + caller.limits.busyTimeout
  }

  function turnOf(waiting: Waiting): WriterTurn {
    isHeld = true
    let isReleased = false
    return {
      run(work) {
        try {
          return attempt(work)
        } catch (thrown) {
          if (!isBusy(thrown, isInTransaction)) throw thrown
          return retry(work, waiting, thrown)
        }
      },
      release() {
        if (isReleased) return
        isReleased = true
        if (queue.size > 0 && isUsedForLong()) setTimeout(beginNext, PAUSE_FOR_OTHERS)
        else beginNext()
      },
    }
  }

  function beginNext(): void {
    isHeld = false
    if (queue.size === 0) usedSince = null
    const [next] = queue
    next?.begin()
  }

  /** Returns whether the turns have followed each other for long. The next period begins then. */
  function isUsedForLong(): boolean {
    const now = performance.now()
    usedSince ??= now
    if (now - usedSince < LONGEST_USE) return false
    usedSince = null
    return true
  }

  /** Runs work. Unless it is busy, no other process holds the lock any more. */
  function attempt<Result>(work: () => Result): Result {
    try {
      const result = work()
      busySince = null
      return result
    } catch (thrown) {
      if (!isBusy(thrown, isInTransaction)) busySince = null
      throw thrown
    }
  }

  async function retry<Result>(work: () => Result, waiting: Waiting, thrown: unknown): Promise<Result> {
    const { caller } = waiting
    const wait = waitOf(caller)
    busySince ??= performance.now()
    usedSince = null
    const check = (busy: unknown): void => {
      for (const queued of queue) if (isLate(queued)) queued.fail(heldTooLong(queued.caller.limits.busyTimeout))
      if (wait.isAborted()) throw clientIsGone()
      if (isLate(waiting)) throw heldTooLong(caller.limits.busyTimeout, busy)
    }
    try {
      return await retryBusy(() => attempt(work), { thrown, isInTransaction, check })
    } finally {
      wait.end()
    }
  }

  function enqueue(caller: LockCaller): Promise<WriterTurn> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const { lockTimeout } = caller.limits
      const leave = (): void => {
        clearTimeout(timer)
        queue.delete(queued)
        wait?.end()
      }
      const fail = (error: Error): void => {
        leave()
        reject(error)
      }
      const begin = (): void => {
        leave()
        resolve(turnOf({ caller, since }))
      }
      const message = `Other transactions held the database for longer than ${lockTimeout} ms.`
      const timer = setTimeout(() => fail(sqliteError({ kind: 'unavailable' }, message)), lockTimeout)
      const queued: Queued = { caller, since, begin, fail }
      queue.add(queued)
      let wait: Wait | null = null
      wait = waitOf(caller, () => fail(clientIsGone()))
      // The client was gone already, so that the listener was called before there was something to end.
      if (wait.isAborted()) wait.end()
    })
  }

  return { acquire: (caller) => (isHeld ? enqueue(caller) : turnOf({ caller, since: 0 })) }
}

/** The wait of a request for the lock. */
interface Wait {
  isAborted(): boolean
  end(): void
}

/**
 * Starts the wait of a request, until its client disconnects or its deadline passes. A request that has committed a write is finished in
 * any case. In the meantime the request does not count as running: writers that wait must not keep reads from being served.
 */
function waitOf({ context }: LockCaller, onAbort?: () => void): Wait {
  const request = context?.request ?? null
  let isAborted = false
  const abort = (): void => {
    isAborted = true
    onAbort?.()
  }
  const resume = pauseRequest(request)
  const unlisten = hasCommitted(context) ? undefined : request?.onAbort?.(abort)
  return {
    isAborted: () => isAborted,
    end() {
      resume()
      unlisten?.()
    },
  }
}

function clientIsGone(): Error {
  return sqliteError({ kind: 'cancelled' }, 'The client has disconnected before the write had its turn.')
}

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
