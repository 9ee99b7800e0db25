import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openSqlite } from '../../../stores/sql/dialect/sqlite/driver/open-sqlite.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { AnyResource } from '../../../declare/resource/define/resource-types.js'
import { createServer } from '../../../server/journey/create-server.js'
import { importInstalled } from '../../../core/util/import-installed.js'
import { viewerFolder } from '../../../describe/viewer/viewer-package.js'
import type { AnyServer } from '../load-server.js'
import { shownPath } from '../shown-path.js'
import { ServeError } from './load-failure.js'

/**
 * Builds a server over declarations, with their rows in a file of SQLite, and makes it ready. The database gets the tables that the
 * declarations need.
 */
export async function embeddedService(resources: readonly AnyResource[], file: string): Promise<AnyServer> {
  if ((await importInstalled('kysely')) === null) {
    throw new ServeError("The embedded database needs the package 'kysely': npm install kysely @photostructure/sqlite.")
  }
  makeFolder(file)
  const opened = await openSqlite(file)
  if (opened.database === null) throw new ServeError(opened.remedy)
  // Imported here, because it needs the package.
  const { embeddedData } = await import('./embedded-data.js')
  const embedded = embeddedData(opened.database, resources)
  const server = createServer({ resources, data: embedded.data, openapi: { viewer: viewerFolder() !== null } })
  try {
    await embedded.createTables()
    await server.ready()
    return server
  } catch (thrown) {
    const remedy = file === ':memory:' ? '' : `\nIf you do not need its data, remove '${shownPath(file)}'.`
    throw new ServeError(`The embedded database does not fit the declarations: ${thrownMessage(thrown)}${remedy}`, {
      cause: thrown,
    })
  }
}

/** Creates the folder of the database. The default folder gets a .gitignore file, because it does not belong in a repository. */
function makeFolder(file: string): void {
  if (file === ':memory:') return
  const folder = dirname(file)
  const isNew = mkdirSync(folder, { recursive: true }) !== undefined
  if (isNew && basename(folder) === '.ashlar') writeFileSync(join(folder, '.gitignore'), '*\n')
}
