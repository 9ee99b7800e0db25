import { setTimeout as sleep } from 'node:timers/promises'
import { postgresDialect } from '../../../../src/stores/sql/dialect/postgres/postgres-dialect.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlFault } from '../../../../src/stores/sql/driver/sql-statement.js'

/** A database with scripted errors. */
export function scripted(script: Readonly<Record<string, readonly SqlFault[]>>): {
  readonly driver: SqlDriver
  readonly log: string[]
} {
  const log: string[] = []
  const faults = new WeakMap<object, SqlFault>()
  const left = new Map(Object.entries(script).map(([sql, list]) => [sql, [...list]]))
  const throwScripted = (what: string): void => {
    log.push(what)
    const fault = left.get(what)?.shift()
    if (fault === undefined) return
    const error = new Error(`${what}: ${fault.kind}`)
    faults.set(error, fault)
    throw error
  }
  const driver: SqlDriver = {
    dialect: postgresDialect,
    read: () => Promise.reject(new Error('No reads are expected.')),
    write: () => Promise.reject(new Error('No autocommit writes are expected.')),
    ping: () => Promise.resolve(),
    async hold() {
      await sleep(0)
      throwScripted('hold')
      return {
        raw: null,
        async run({ sql }) {
          await sleep(0)
          throwScripted(sql)
          return { columns: [], rows: [], changes: 0 }
        },
        release: (broken) => void log.push(broken ? 'broken' : 'release'),
      }
    },
    faultOf: (thrown) => (typeof thrown === 'object' && thrown !== null ? (faults.get(thrown) ?? null) : null),
  }
  return { driver, log }
}
