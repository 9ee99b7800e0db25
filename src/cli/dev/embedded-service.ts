import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { openSqlite, sqliteRemedy } from '../../data/sql/driver/sqlite/open-sqlite.js'
import type { AnyResource } from '../../resource/resource-types.js'
import { createServer } from '../../server/create-server.js'
import { importInstalled } from '../../util/import-installed.js'
import { viewerFolder } from '../../viewer/viewer-package.js'
import type { AnyServer } from '../load-server.js'
import { ServeError } from './load-failure.js'

/** Builds a server over declarations, with their rows in a file of SQLite. Its tables are made by the declarations. */
export async function embeddedService(resources: readonly AnyResource[], file: string): Promise<AnyServer> {
  if ((await importInstalled('kysely')) === null) {
    throw new ServeError("The embedded database needs the package 'kysely': npm install kysely @photostructure/sqlite.")
  }
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const opened = await openSqlite(file)
  if (opened === null) throw new ServeError(sqliteRemedy)
  // Loaded here, because it needs the package.
  const { embeddedData } = await import('./embedded-data.js')
  const embedded = embeddedData(opened.database, resources)
  const server = createServer({ resources, data: embedded.data, openapi: { viewer: viewerFolder() !== null } })
  try {
    await embedded.createTables()
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new ServeError(
      `The embedded database cannot get the tables of the declarations: ${reason} If nothing in it matters, remove '${file}'.`,
      { cause: thrown },
    )
  }
  return server
}
