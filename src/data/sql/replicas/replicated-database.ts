import type { PostgresPool } from '../driver/postgres/postgres-pool.js'
import { isPostgresPool } from '../driver/postgres/postgres-pool.js'

/**
 * A PostgreSQL database with read replicas. Requests that only read are sent to a replica.
 *
 * @example
 * ```ts
 * import { type ReplicatedDatabase, sqlData } from 'ashlar/sql'
 * import { Pool } from 'pg'
 *
 * const database: ReplicatedDatabase = {
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
   * How old the rows of a replica may be, in milliseconds: one that is further behind is not read from. From 2,000 on, or
   * `Infinity`. Default: 10,000.
   */
  readonly maxLag?: number
}

/** What is known about a read replica. */
export interface ReplicaState {
  /** Why the replica is not read from; null if it is. */
  readonly problem: unknown
  /** By how many milliseconds its rows are out of date at most; null if that is unknown. */
  readonly lag: number | null
}

export const defaultMaxLag = 10_000

const members: ReadonlySet<string> = new Set<keyof ReplicatedDatabase>(['primary', 'replicas', 'maxLag'])

/** Whether a value was meant as a database with replicas. */
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
  if (replicas.includes(primary)) refuse("has its 'primary' in 'replicas', too: take it out there.")
  if (typeof maxLag !== 'number' || !(maxLag >= 2000)) {
    refuse("needs a number of milliseconds from 2,000 on as 'maxLag', or Infinity: replicas are asked once a second.")
  }
}

const withoutReplicas = 'For SQLite, pass the database itself.'

function refuse(reason: string): never {
  throw new TypeError(`sqlData({ primary, replicas }) ${reason}`)
}
