import { idempotencyTable } from 'ashlar/sql'
import type { DerivedTable, SeedRow } from './derived-tables.js'
import { valueIn } from './held-values.js'
import { newFile } from './open-databases.js'
import type { TestDatabase } from './test-database.js'
import { heldOnSqlite, quoted, sqliteEmptied, sqliteInsert, sqliteRows, sqliteTable } from './table-statements.js'

/** In a file, so that there is a second connection to read on. */
export function sqliteDatabase(tables: readonly DerivedTable[], hasKeys = false): TestDatabase {
  const database = newFile()
  const change = (some: readonly DerivedTable[], begin: (table: DerivedTable) => string): void => {
    database.exec('begin immediate')
    for (const table of some) {
      database.exec(begin(table))
      const insert = database.prepare(sqliteInsert(table))
      for (const values of sqliteRows(table)) insert.run(...values)
    }
    database.exec('commit')
  }
  const add = (more: readonly DerivedTable[]): void => change(more, sqliteTable)
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  add(tables)
  if (hasKeys) for (const statement of idempotencyTable('sqlite')) database.exec(statement)
  return {
    database,
    schema: null,
    add,
    refill(all) {
      change(all, sqliteEmptied)
      return Promise.resolve()
    },
    rows({ name, key, columns }) {
      const order = key === null ? 'rowid' : quoted(key)
      const rows = database.prepare(`select * from ${quoted(name)} order by ${order}`).all() as readonly SeedRow[]
      const decoded = rows.map((row) =>
        Object.fromEntries(columns.map((column) => [column.name, valueIn(row[column.name], heldOnSqlite(column))])),
      )
      return Promise.resolve(decoded)
    },
  }
}
