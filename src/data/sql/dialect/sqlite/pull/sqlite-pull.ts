import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PullRules } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'
import { openSqlite } from '../driver/open-sqlite.js'
import { hasSpacedInstants, readSqliteDetails, withSampledTypes } from './read-sqlite-details.js'

export const sqlitePull: PullRules = Object.freeze<PullRules>({
  title: 'SQLite',
  namesSchemas: false,
  withoutTables: '',
  packages: ['@photostructure/sqlite', 'node:sqlite', 'better-sqlite3'],
  /** The path of a file may look like anything. */
  accepts: () => true,
  async open(address) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !address.startsWith('file:')) {
      const [scheme] = address.split(':')
      throw new OpenError(`'${scheme}' is not a known kind of database: use postgres:// or an SQLite file.`)
    }
    const file = address.startsWith('file:') ? fileURLToPath(address) : resolve(address)
    if (!existsSync(file) || !statSync(file).isFile()) throw new OpenError(`There is no file '${address}'.`)
    // Opened as read-only, because the store would change the file to a write-ahead log.
    const opened = await openSqlite(file, { isReadOnly: true })
    if (opened.database === null) throw new OpenError(opened.remedy)
    const { database, package: name } = opened
    return { database, package: name, file, close: async () => void database.close() }
  },
  readOrigin({ dialect }, { file, schemas }) {
    const other = schemas.find((schema) => schema !== 'main')
    if (other !== undefined) {
      const message = `An SQLite file has only the schema 'main', not '${other}'. Leave out --schema.`
      return Promise.reject(new OpenError(message))
    }
    return Promise.resolve({ engine: dialect.name, name: basename(file ?? '') })
  },
  readDetails: readSqliteDetails,
  views: {
    definition: ({ name }) => ({
      sql: `select sql from sqlite_schema where type = 'view' and name = ?`,
      values: [name],
    }),
    hasArrays: false,
  },
  typedColumns: withSampledTypes,
  hasSpacedInstants,
  serverLines({ package: name, file }) {
    const isBetter = name === 'better-sqlite3'
    return {
      imports: [[isBetter ? `import Database from '${name}'` : `import { DatabaseSync } from '${name}'`], []],
      open: [
        `const connection = new ${isBetter ? 'Database' : 'DatabaseSync'}(process.env['DATABASE_FILE'] ?? ${file}, { timeout: 5000 })`,
      ],
      close: ['  async close() {', '    data.close()', '    connection.close()', '  },'],
      options: [],
    }
  },
})
