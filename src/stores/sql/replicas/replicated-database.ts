import type { PostgresPool } from '../dialect/postgres/driver/postgres-pool.js'
import { isPostgresPool } from '../dialect/postgres/driver/postgres-pool.js'

/**
 * A PostgreSQL database with read replicas. Requests that only read are sent to a replica.
 *
 * @example
 * ```ts
 * import { sqlData } from 'ashlar/sql'
 * import { Pool } from 'pg'
 *
 * const database = {
 *   primary: new Pool({ host: 'primary.db.example' }),
 *   replicas: [new Pool({ host: 'replica-1.db.example' }), new Pool({ host: 'replica-2.db.example' })],
 * }
 * const data = sqlData(database)
 * ```
 */
export interface ReplicatedDatabase {
  /** Takes all writes, and the reads that belong to them. */
  readonly primary: PostgresPool
  /** Servers that replay the log of the primary database: physical replicas, in recovery. They may lag behind. */
  readonly replicas: readonly PostgresPool[]
  /**
   * How old the rows of a replica may be, in milliseconds: a replica with a larger lag is not used. At least 2,000, or `Infinity`. Default:
   * 10,000.
   */
  readonly maxLag?: number
}

/** The known state of a read replica. */
export interface ReplicaState {
  /** The error because of which the replica is not used; null if it is used. */
  readonly problem: unknown
  /** The maximum age of its rows in milliseconds; null if that is unknown. */
  readonly lag: number | null
}

export const defaultMaxLag = 10_000

const members: ReadonlySet<string> = new Set<keyof ReplicatedDatabase>(['primary', 'replicas', 'maxLag'])

/** Returns whether a value has a member of a database with replicas. */
export function isReplicated(database: object): database is ReplicatedDatabase {
  return Object.hasOwn(database, 'primary') || Object.hasOwn(database, 'replicas')
}

/** Checks the members at run time, for JavaScript code too. */
export function checkReplicated(database: ReplicatedDatabase): void {
  const {
    primary,
    replicas,
    maxLag = defaultMaxLag,
  } = database as { readonly [Name in keyof ReplicatedDatabase]: unknown }
  const unknown = Object.keys(database).find((name) => !members.has(name))
  if (unknown !== undefined) refuse(`has no member '${unknown}': use one of ${[...members].join(', ')}.`)
  if (!isPostgresPool(primary)) refuse(`needs PostgreSQL: 'primary' must be a Pool of pg. ${withoutReplicas}`)
  if (!Array.isArray(replicas) || !replicas.every(isPostgresPool)) {
    refuse(`needs PostgreSQL: 'replicas' must be an array of Pools of pg. ${withoutReplicas}`)
  }
  if (replicas.includes(primary)) refuse("has its 'primary' in 'replicas' too: remove it there.")
  if (typeof maxLag !== 'number' || !(maxLag >= 2000)) {
    refuse("needs a number of at least 2,000 milliseconds as 'maxLag', or Infinity: replicas are polled once a second.")
  }
}

const withoutReplicas = 'For SQLite, pass the database itself.'

function refuse(reason: string): never {
  throw new TypeError(`sqlData({ primary, replicas }) ${reason}`)
}
