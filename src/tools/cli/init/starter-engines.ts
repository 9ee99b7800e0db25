// The bundle contains the texts of the starter. The example is checked like all sources.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../describe/viewer/raw-text.d.ts" />
import sqliteDatabase from '../../../../examples/starter/src/database.ts?raw'
import sqliteMigrations from '../../../../examples/starter/src/migrations.ts?raw'
import postgresDatabase from '../../../../examples/starter/src/postgres/database.ts?raw'
import postgresMigrations from '../../../../examples/starter/src/postgres/migrations.ts?raw'
import type { ToolEngineName } from '../../../core/util/engine-name.js'

/** What a new service has for its engine. */
interface StarterEngine {
  readonly files: Readonly<Record<string, string>>
  readonly libraries: readonly string[]
  /** Parts of README.md: about the database, the variables, and how to empty the database. */
  readonly readme: readonly [database: string, variables: string, emptied: string]
  /** The commands before the service can be started. */
  readonly next: readonly string[]
}

/** The engines of new services. The first one is the default. */
export const starterEngines: Readonly<Record<ToolEngineName, StarterEngine>> = {
  sqlite: {
    files: { 'src/database.ts': sqliteDatabase, 'src/migrations.ts': sqliteMigrations },
    libraries: ['@photostructure/sqlite', 'kysely', 'swagger-ui-dist'],
    readme: [
      'The rows are in a file of SQLite, `music.db`. The variable `DATABASE_FILE` names another one.',
      '`API_TOKEN`, `SECRET`, `DATABASE_FILE`, `HOST` (127.0.0.1), `PORT` (3000) and `WORKERS` (1), also from the file `.env`',
      'an empty database: stop the service, delete `music.db*`, and start it.',
    ],
    next: [],
  },
  postgres: {
    files: { 'src/database.ts': postgresDatabase, 'src/migrations.ts': postgresMigrations },
    libraries: ['pg', 'kysely', 'swagger-ui-dist'],
    readme: [
      'The rows are in a database of PostgreSQL. The variable `DATABASE_URL` has its address. Add it to the file `.env`:\n\n```sh\nDATABASE_URL=postgres://user:password@127.0.0.1:5432/music\n```',
      '`API_TOKEN`, `SECRET`, `DATABASE_URL`, `HOST` (127.0.0.1), `PORT` (3000) and `WORKERS` (1), also from the file `.env`',
      'an empty database: stop the service, drop and create the database, and start it.',
    ],
    next: ['export DATABASE_URL=postgres://user:password@127.0.0.1:5432/music'],
  },
}
