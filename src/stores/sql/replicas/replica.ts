import { invariant } from '../../../core/util/invariant.js'
import type { LogRules } from '../dialect/dialect.js'
import type { LimitedDriver, SqlDriver } from '../driver/sql-driver.js'
import type { RunOptions, SqlResult, SqlStatement } from '../driver/sql-statement.js'

/** The known state of a read replica. Times are those of `performance.now()`. */
interface KnownState {
  /** How far it has replayed the log of the primary database; null if that is unknown. */
  readonly position: LogPosition | null
  /** The time of the last poll. */
  readonly polledAt: number
  /** The time up to which it is known to have all commits. */
  readonly freshAt: number
  /** The error because of which it is not used; null if it is used. */
  readonly problem: unknown
}

export interface Replica {
  readonly driver: LimitedDriver
  readonly state: KnownState
  /** Returns whether it should be polled: it has no problem, or the pause after its failure is over. */
  isPollDue(now: number): boolean
  /** Queries its position. Never rejects. Concurrent calls share one query. */
  poll(): Promise<void>
  /** Runs a read on the replica. Rejects immediately if a poll shows that the replica does not respond. */
  read(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
}

/** How long a failed replica is not polled, in milliseconds. */
const pauseAfterFailure = 5000

/** How often a replica is polled while reads wait for it, in milliseconds. */
const watchInterval = 1000

export function replicaOn(driver: LimitedDriver, primary: PrimaryPositions): Replica {
  const log = logOf(driver)
  const state: { -readonly [Member in keyof KnownState]: KnownState[Member] } = {
    position: null,
    polledAt: -Infinity,
    freshAt: -Infinity,
    problem: null,
  }
  let pausedUntil = -Infinity
  let polling: Promise<void> | null = null

  /** The reads that are running. */
  const reads = new Set<(thrown: unknown) => void>()

  const exclude = (thrown: unknown): void => {
    state.problem = thrown
    pausedUntil = performance.now() + pauseAfterFailure
    for (const reject of reads) reject(thrown)
  }

  let isWatched = false
  /** Polls at intervals while there are reads. One timer serves all reads, and stops after the last one. */
  const watch = (): void => {
    if (isWatched) return
    isWatched = true
    const check = (): void => {
      isWatched = false
      if (reads.size === 0) return
      void poll()
      watch()
    }
    setTimeout(check, watchInterval).unref()
  }

  const poll = (): Promise<void> => (polling ??= pollNow())

  async function pollNow(): Promise<void> {
    state.polledAt = performance.now()
    try {
      const [row] = (await pollDatabase(driver, log.replayed)).rows
      // It may have been promoted, and then has another history than the primary database.
      if (row?.[0] !== true) throw new Error(log.notReplica)
      const position = log.readPosition(row[1])
      const freshAt = position === null ? -Infinity : primary.timeOf(position)
      Object.assign(state, { position, freshAt, problem: null })
    } catch (thrown) {
      exclude(thrown)
    } finally {
      polling = null
    }
  }

  return {
    driver,
    state,
    isPollDue: (now) => state.problem === null || now >= pausedUntil,
    poll,
    read: (statement, options) =>
      new Promise((resolve, reject) => {
        reads.add(reject)
        watch()
        const end = (): unknown => reads.delete(reject)
        driver.read(statement, options).finally(end).then(resolve, reject)
      }),
  }
}

/** The positions of the log of the primary database over time, to compute the lag of replicas. */
export interface PrimaryPositions {
  /** Whether the primary database did not respond to the last query. */
  readonly isDown: boolean
  /** Queries the current position. Never rejects. Concurrent calls share one query. */
  sample(): Promise<void>
  /** Returns the last time at which the log had not passed a position; `-Infinity` if that is unknown. */
  timeOf(position: LogPosition): number
}

/** @param retention how long a position is needed, in milliseconds */
export function primaryPositions(driver: LimitedDriver, retention: number): PrimaryPositions {
  let samples: readonly { readonly at: number; readonly position: LogPosition }[] = []
  const log = logOf(driver)
  let isDown = false
  let sampling: Promise<void> | null = null

  async function takeSample(): Promise<void> {
    // Everything committed before this time is at the position, or before it.
    const at = performance.now()
    try {
      const { rows } = await pollDatabase(driver, log.written)
      const position = log.readPosition(rows[0]?.[0])
      isDown = false
      if (position !== null) samples = [...samples.filter((each) => each.at > at - retention), { at, position }]
    } catch {
      isDown = true
    } finally {
      sampling = null
    }
  }

  return {
    get isDown() {
      return isDown
    },
    sample: () => (sampling ??= takeSample()),
    timeOf: (position) => samples.findLast((each) => each.position <= position)?.at ?? -Infinity,
  }
}

/** A position in the log of the primary database, which replicas replay. Each write is at a larger one. */
export type LogPosition = bigint

/** Returns how the engine of a database with replicas reads positions. */
function logOf({ dialect: { log } }: SqlDriver): LogRules {
  invariant(log !== null, 'a database has replicas, but its engine has no log')
  return log
}

const digits = /^[0-9a-f]{1,16}$/

/** Writes a position for clients: `16b374d848`. */
export function positionText(position: LogPosition): string {
  return position.toString(16)
}

/** Parses a position that a client sends back; null for any other text. */
export function parsePosition(text: string): LogPosition | null {
  return digits.test(text) ? BigInt(`0x${text}`) : null
}

/** How many milliseconds a database may take to return its position. */
const limit = 2000

/** Runs a statement on a database. Rejects if there is no result in time, including the wait for a connection. */
function pollDatabase(driver: LimitedDriver, statement: SqlStatement): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    // If this process was busy, the result may have arrived already: the next step of the event loop reads it.
    const giveUp = (): unknown => setImmediate(() => reject(new Error(`It has not responded within ${limit} ms.`)))
    const timer = setTimeout(giveUp, limit)
    const end = (): void => clearTimeout(timer)
    driver.runWithin(statement, limit).finally(end).then(resolve, reject)
  })
}

/** The database that a request reads from: a replica, or the primary database. */
export type ReadChoice = Replica | 'primary'

export interface ReplicaChoice {
  /**
   * Returns a replica that has all writes up to a position, or the primary database. Returns a promise only if a replica must be polled
   * first.
   */
  choose(wanted: LogPosition): ReadChoice | Promise<ReadChoice>
  /** Polls the replicas. Skips those that have failed a short time ago, unless `includesFailed` is true. */
  refresh(includesFailed?: boolean): Promise<void>
}

interface ChoiceParts {
  readonly log: PrimaryPositions
  readonly replicas: readonly Replica[]
  /** How old the rows of a replica may be, in milliseconds. */
  readonly maxLag: number
}

/** How often replicas are polled while there are requests, in milliseconds. */
const interval = 1000

export function replicaChoice({ log, replicas, maxLag }: ChoiceParts): ReplicaChoice {
  let turn = 0
  let nextRefresh = -Infinity

  /** If the primary database is down, the age of the rows is unknown, and no database has newer ones. */
  const isFresh = ({ state }: Replica, now: number): boolean =>
    maxLag === Infinity || log.isDown || now - state.freshAt <= maxLag

  const isUsable = (replica: Replica, wanted: LogPosition, now: number): boolean => {
    const { problem, position } = replica.state
    return problem === null && position !== null && position >= wanted && isFresh(replica, now)
  }

  /** Takes turns among the replicas that have the required position. */
  const find = (wanted: LogPosition, now: number): Replica | null => {
    turn += 1
    for (let offset = 0; offset < replicas.length; offset += 1) {
      const replica = replicas[(turn + offset) % replicas.length]
      if (replica !== undefined && isUsable(replica, wanted, now)) return replica
    }
    return null
  }

  /** Returns whether another poll may show that a replica is usable. A replica with a large lag is polled once in the interval. */
  const isUncertain = (replica: Replica, now: number): boolean =>
    replica.state.problem === null && (isFresh(replica, now) || now - replica.state.polledAt >= interval)

  /** Polls one replica, because its known state may be out of date. Chooses the primary database if the replica is still not usable. */
  const pollAndChoose = (wanted: LogPosition, now: number): ReadChoice | Promise<ReadChoice> => {
    const uncertain = replicas.filter((each) => isUncertain(each, now))
    const replica = uncertain[turn % uncertain.length]
    if (replica === undefined) return 'primary'
    const polled = isFresh(replica, now) ? replica.poll() : log.sample().then(() => replica.poll())
    return polled.then(() => (isUsable(replica, wanted, performance.now()) ? replica : 'primary'))
  }

  const refresh = async (includesFailed = false): Promise<void> => {
    const now = performance.now()
    // The lag of replicas is computed from earlier positions of the primary database.
    if (maxLag !== Infinity) await log.sample()
    await Promise.all(replicas.filter((each) => includesFailed || each.isPollDue(now)).map((each) => each.poll()))
  }

  return {
    choose(wanted) {
      const now = performance.now()
      const found = find(wanted, now)
      if (now >= nextRefresh) {
        nextRefresh = now + interval
        void refresh()
      }
      return found ?? pollAndChoose(wanted, now)
    },
    refresh,
  }
}
