// The bundle contains the texts of the starter. The example is checked like all sources.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../viewer/raw-text.d.ts" />
import { randomBytes } from 'node:crypto'
import authentication from '../../../examples/starter/src/authentication.ts?raw'
import sqliteDatabase from '../../../examples/starter/src/database.ts?raw'
import main from '../../../examples/starter/src/main.ts?raw'
import sqliteMigrations from '../../../examples/starter/src/migrations.ts?raw'
import postgresDatabase from '../../../examples/starter/src/postgres/database.ts?raw'
import postgresMigrations from '../../../examples/starter/src/postgres/migrations.ts?raw'
import albums from '../../../examples/starter/src/resources/albums.ts?raw'
import artists from '../../../examples/starter/src/resources/artists.ts?raw'
import server from '../../../examples/starter/src/server.ts?raw'
import serviceTest from '../../../examples/starter/src/service.test.ts?raw'
import service from '../../../examples/starter/src/service.ts?raw'
import type { Engine, Starter } from './starter.js'
import { manifestText, tsconfigText } from './starter-manifest.js'
import { readmeText } from './starter-readme.js'

const ofEngine: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  sqlite: { 'src/database.ts': sqliteDatabase, 'src/migrations.ts': sqliteMigrations },
  postgres: { 'src/database.ts': postgresDatabase, 'src/migrations.ts': postgresMigrations },
}

const ignored = ['node_modules/', 'dist/', '.ashlar/', '.env', '*.db', '*.db-shm', '*.db-wal']

/** Returns the variables of a new service, which has its own secrets. */
function variablesText(): string {
  return `# Callers with this token may write: Authorization: Bearer …\nAPI_TOKEN=${secret()}\n# Encrypts cursors.\nSECRET=${secret()}\n`
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the texts of the files of a new service, by path. */
export function starterFiles(starter: Starter): Readonly<Record<string, string>> {
  return {
    '.env': variablesText(),
    '.gitignore': `${ignored.join('\n')}\n`,
    'README.md': readmeText(starter),
    'package.json': manifestText(starter),
    'tsconfig.json': tsconfigText(),
    ...ofEngine[starter.engine],
    'src/authentication.ts': authentication,
    'src/main.ts': main,
    'src/resources/albums.ts': albums,
    'src/resources/artists.ts': artists,
    'src/server.ts': server,
    'src/service.test.ts': serviceTest,
    'src/service.ts': service,
  }
}
