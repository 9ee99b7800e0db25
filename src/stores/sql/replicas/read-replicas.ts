import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { StorePositions } from '../../common/data-source.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { hasCommitted, requestIdentity } from '../driver/committed-requests.js'
import type { LimitedDriver, SqlDriver } from '../driver/sql-driver.js'
import type { RunOptions, SqlFault, SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { LogPosition, ReadChoice } from './replica.js'
import { parsePosition, positionText, primaryPositions, replicaChoice, replicaOn } from './replica.js'
import type { ReplicaState } from './replicated-database.js'

/** The read replicas of a store. */
export interface ReadReplicas {
  /** Runs a read of a request that only reads: on a replica, or on the primary database if no replica can serve it. */
  read(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
  /** The positions that requests require, and those that their writes have reached. */
  readonly positions: StorePositions
  /** Polls all replicas, and returns their states. */
  poll(): Promise<readonly ReplicaState[]>
  states(): readonly ReplicaState[]
  readonly drivers: readonly SqlDriver[]
}

export interface ReplicaParts {
  readonly primary: LimitedDriver
  readonly replicas: readonly LimitedDriver[]
  /** How old the rows of a replica may be, in milliseconds. */
  readonly maxLag: number
  /** The positions of the log that the writes of requests have reached, by request. */
  readonly reached: WeakMap<object, LogPosition>
}

export function readReplicas({ primary, replicas: drivers, maxLag, reached }: ReplicaParts): ReadReplicas {
  const log = primaryPositions(primary, maxLag)
  const replicas = drivers.map((driver) => replicaOn(driver, log))
  const choices = replicaChoice({ log, replicas, maxLag })
  /** The positions that the reads of requests must see. */
  const required = new WeakMap<object, LogPosition>()
  /** The database that a request reads from, so that all its reads see the same state. */
  const chosen = new WeakMap<object, ReadChoice | Promise<ReadChoice>>()

  /** A read that fails because of the replica is repeated on the primary database. Later reads of the request run there too. */
  const readFrom = async (choice: ReadChoice, statement: SqlStatement, options: RunOptions): Promise<SqlResult> => {
    if (choice === 'primary') return primary.read(statement, options)
    try {
      return await choice.read(statement, options)
    } catch (thrown) {
      const kind = choice.driver.faultOf(thrown)?.kind
      // One connection may be lost, or the whole server. A statement may be slow, or the server may hang.
      if (kind === 'unavailable' || kind === 'timeout') void choice.poll()
      if (choice.state.problem === null && (kind === undefined || !faultsOfReplica.has(kind))) throw thrown
      const request = requestIdentity(options.context)
      if (request !== null) chosen.set(request, 'primary')
      return primary.read(statement, options)
    }
  }

  const states = (): readonly ReplicaState[] =>
    replicas.map(({ state: { problem, freshAt, position } }) => ({
      problem,
      lag: position === null || freshAt === -Infinity ? null : Math.max(0, Math.round(performance.now() - freshAt)),
    }))

  return {
    read(statement, options) {
      const request = requestIdentity(options.context)
      if (request === null) return primary.read(statement, options)
      let choice = chosen.get(request)
      if (choice === undefined) {
        choice = choices.choose(required.get(request) ?? 0n)
        chosen.set(request, choice)
      }
      if (choice instanceof Promise) return choice.then((each) => readFrom(each, statement, options))
      return readFrom(choice, statement, options)
    },
    positions: {
      require(request, text) {
        const position = parsePosition(text)
        if (position === null) return false
        if (position > (required.get(request) ?? 0n)) required.set(request, position)
        return true
      },
      reachedBy(request) {
        const position = reached.get(request)
        return position === undefined || !hasCommitted({ request }) ? null : positionText(position)
      },
    },
    async poll() {
      await choices.refresh(true)
      return states()
    },
    states,
    drivers,
  }
}

/**
 * The faults after which a statement may succeed on the primary database. `conflict`: the replay of the log has removed rows that the
 * statement could see. `other`: the replica does not have a new table or column yet.
 */
const faultsOfReplica: ReadonlySet<SqlFault['kind']> = new Set(['unavailable', 'conflict', 'other'])

/** Returns a sentence for each replica that is not used. The tables of replicas are not checked: they are copies. */
export function replicaProblems(states: readonly ReplicaState[], { schema }: SqlDialect): readonly string[] {
  return states.flatMap(({ problem }, index) => {
    if (problem === null) return []
    return [`Nothing is read from replicas[${index}]: ${schema.describeFailure(problem) ?? thrownMessage(problem)}`]
  })
}
