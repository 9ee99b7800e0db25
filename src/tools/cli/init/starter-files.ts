// The bundle contains the texts of the starter. The example is checked like all sources.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../describe/viewer/raw-text.d.ts" />
import { randomBytes } from 'node:crypto'
import authentication from '../../../../examples/starter/src/authentication.ts?raw'
import environment from '../../../../examples/starter/src/environment.ts?raw'
import main from '../../../../examples/starter/src/main.ts?raw'
import albums from '../../../../examples/starter/src/resources/albums.ts?raw'
import artists from '../../../../examples/starter/src/resources/artists.ts?raw'
import server from '../../../../examples/starter/src/server.ts?raw'
import serviceTest from '../../../../examples/starter/src/service.test.ts?raw'
import service from '../../../../examples/starter/src/service.ts?raw'
import type { Starter } from './starter.js'
import { starterEngines } from './starter-engines.js'
import { manifestText, tsconfigText } from './starter-manifest.js'
import { readmeText } from './starter-readme.js'

/** Returns the variables of a new service, which has its own secrets. */
export function variablesText(): string {
  return `# The token of callers: Authorization: Bearer …\nAPI_TOKEN=${randomText()}\n# Encrypts cursors.\nSECRET=${randomText()}\n`
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** The text of `.gitignore`. */
export const ignoredText: string = [
  'node_modules/',
  'dist/',
  '.ashlar/',
  '.env',
  '*.db',
  '*.db-shm',
  '*.db-wal',
  '',
].join('\n')

/** Returns the texts of the files of a new service, by path. */
export function starterFiles(starter: Starter): Readonly<Record<string, string>> {
  const { files, libraries } = starterEngines[starter.engine]
  return {
    '.env': variablesText(),
    '.gitignore': ignoredText,
    'README.md': readmeText(starter),
    'package.json': manifestText({ ...starter, libraries, hasTests: true }),
    'tsconfig.json': tsconfigText(),
    ...files,
    'src/authentication.ts': authentication,
    'src/environment.ts': environment,
    'src/main.ts': main,
    'src/resources/albums.ts': albums,
    'src/resources/artists.ts': artists,
    'src/server.ts': server,
    'src/service.test.ts': serviceTest,
    'src/service.ts': service,
  }
}
