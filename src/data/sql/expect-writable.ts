import type { SqlDriver } from './driver/sql-driver.js'

/**
 * Throws if an SQLite database is write-protected. Such a database can be opened and read, and fails on the first
 * write, so this writes the present `user_version` again and rolls back. A database that another process is writing to
 * right now counts as writable.
 */
export async function expectWritable(driver: SqlDriver): Promise<void> {
  if (driver.engine !== 'sqlite') return
  const held = await driver.hold({ context: null })
  const run = (sql: string) => held.run({ sql, values: [], name: null })
  try {
    await run('begin immediate')
    const [row] = (await run('pragma user_version')).rows
    await run(`pragma user_version = ${Number(row?.[0] ?? 0)}`)
  } catch (thrown) {
    if (driver.faultOf(thrown)?.kind !== 'conflict') throw thrown
  } finally {
    await run('rollback').catch(() => undefined)
    held.release(false)
  }
}
