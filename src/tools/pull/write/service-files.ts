// The bundle contains the texts of the starter. The example is checked like all sources.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../describe/viewer/raw-text.d.ts" />
import authentication from '../../../../examples/starter/src/authentication.ts?raw'
import environment from '../../../../examples/starter/src/environment.ts?raw'
import main from '../../../../examples/starter/src/main.ts?raw'
import type { PulledFiles } from './pulled-files.js'
import { type ServerDatabase, serverText } from './server-text.js'

/** Returns the files next to the directory of the declarations. All but the server are those of `ashlar init`. */
export function serviceFiles(database: ServerDatabase): PulledFiles {
  return new Map([
    ['../authentication.ts', authentication],
    ['../environment.ts', environment],
    // The tables exist already.
    [
      '../main.ts',
      main.replace('database, migrate, server', 'database, server').replace('    prepare: migrate,\n', ''),
    ],
    ['../server.ts', serverText(database)],
  ])
}
