import type { SqlDriver } from './driver/sql-driver.js'

/**
 * Writes what is there already, and takes it back: an SQLite database whose file or folder is write-protected can be opened
 * and read, and says so only then. One that another process is writing to at the moment can be written to.
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
