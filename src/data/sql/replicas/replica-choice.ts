import type { PrimaryPositions } from './primary-positions.js'
import type { Replica } from './replica.js'
import type { WalPosition } from './wal-position.js'

/** Where a request reads: on a replica, or on the primary database. */
export type ReadChoice = Replica | 'primary'

export interface ReplicaChoice {
  /**
   * Returns a replica that has what was written up to a position, or the primary database. Immediately, if what is known about the
   * replicas suffices.
   */
  choose(wanted: WalPosition): ReadChoice | Promise<ReadChoice>
  /** Asks all replicas how far they are, but for those that have failed lately, unless `everyOne` is true. */
  refresh(everyOne?: boolean): Promise<void>
}

interface ChoiceParts {
  readonly log: PrimaryPositions
  readonly replicas: readonly Replica[]
  /** How old the rows of a replica may be, in milliseconds. */
  readonly maxLag: number
}

/** How often replicas are asked how far they are while there are requests, in milliseconds. */
const interval = 1000

export function replicaChoice({ log, replicas, maxLag }: ChoiceParts): ReplicaChoice {
  let turn = 0
  let nextRefresh = -Infinity

  /** Without the primary database nobody knows how old the rows are, and nobody has newer ones. */
  const isFresh = ({ freshAt }: Replica, now: number): boolean =>
    maxLag === Infinity || log.isDown || now - freshAt <= maxLag

  const isUsable = (replica: Replica, wanted: WalPosition, now: number): boolean =>
    replica.problem === null && replica.position !== null && replica.position >= wanted && isFresh(replica, now)

  /** Takes turns among the replicas that have all that a request wants to see. */
  const find = (wanted: WalPosition, now: number): Replica | null => {
    turn += 1
    for (let offset = 0; offset < replicas.length; offset += 1) {
      const replica = replicas[(turn + offset) % replicas.length]
      if (replica !== undefined && isUsable(replica, wanted, now)) return replica
    }
    return null
  }

  /** Whether to ask a replica again may show that it can be read from. One that is far behind stays so for a while. */
  const isUncertain = (replica: Replica, now: number): boolean =>
    replica.problem === null && (isFresh(replica, now) || now - replica.askedAt >= interval)

  /** What is known may be out of date. Asks one replica, and chooses the primary database if that does not help. */
  const askAndChoose = (wanted: WalPosition, now: number): ReadChoice | Promise<ReadChoice> => {
    const uncertain = replicas.filter((each) => isUncertain(each, now))
    const replica = uncertain[turn % uncertain.length]
    if (replica === undefined) return 'primary'
    const asked = isFresh(replica, now) ? replica.ask() : log.sample().then(() => replica.ask())
    return asked.then(() => (isUsable(replica, wanted, performance.now()) ? replica : 'primary'))
  }

  const refresh = async (everyOne = false): Promise<void> => {
    const now = performance.now()
    // Replicas are compared with where the primary database was before.
    if (maxLag !== Infinity) await log.sample()
    await Promise.all(replicas.filter((each) => everyOne || each.isWorthAsking(now)).map((each) => each.ask()))
  }

  return {
    choose(wanted) {
      const now = performance.now()
      const found = find(wanted, now)
      if (now >= nextRefresh) {
        nextRefresh = now + interval
        void refresh()
      }
      return found ?? askAndChoose(wanted, now)
    },
    refresh,
  }
}
