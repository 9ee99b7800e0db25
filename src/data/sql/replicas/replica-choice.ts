import type { LogPosition, PrimaryPositions, Replica } from './replica.js'

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
