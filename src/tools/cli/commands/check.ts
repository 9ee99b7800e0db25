import { withName } from '../../../server/assembly/inspect-stores.js'
import type { Inspection } from '../../../stores/common/data-source.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { checkSnapshots } from '../check-snapshots.js'
import type { Command, Outcome, Shell } from '../command.js'
import { defineCommand } from '../command.js'
import { counted } from '../counted.js'
import type { AnyServer } from '../load-server.js'
import { loadServer } from '../load-server.js'
import { withProgress } from '../progress.js'
import { moduleNote, moduleParameter } from '../shared-options.js'

/**
 * `ashlar check <module>`: checks whether the server can be built, and whether its databases match its declarations.
 */
export const check: Command = defineCommand(
  {
    name: 'check',
    summary: 'builds a server and prints its faults',
    description: [
      'Builds the server that a module exports, and prints every fault of its declarations. Snapshots that the module imports must be up to date.',
      moduleNote,
    ],
    parameters: [moduleParameter],
    options: {
      database: {
        kind: 'flag',
        description:
          'also compares the databases with the declarations, and prints missing tables, columns and indexes',
      },
    },
    examples: [
      { call: 'ashlar check dist/server.js', description: 'Are the declarations valid?' },
      { call: 'ashlar check dist/server.js --database', description: 'Do the databases match them?' },
    ],
    exitCodes: {
      0: 'No faults.',
      1: 'The server cannot be built, a snapshot is stale, or a database cannot be reached or lacks something.',
      2: 'The arguments are invalid: unknown command, option or module. Or a file cannot be read or written.',
    },
  },
  async ({ module, database }, output) => {
    const loaded = await withProgress(output, 'Building the server', () => loadServer(module, output))
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      // A stale snapshot may be the reason.
      const { result: snapshots } = await checkSnapshots(module, output)
      return { code: 1, result: { error: loaded.reason, snapshots } }
    }
    const { types } = loaded.server
    const routes = loaded.server.routes()
    output.out(`${counted(types.length, 'type')}, ${counted(routes.length, 'route')}: no faults.`)
    const snapshots = await checkSnapshots(module, output)
    const databases = database ? await checkDatabase(loaded.server, output) : { code: 0 as const, result: null }
    return {
      code: snapshots.code === 0 ? databases.code : snapshots.code,
      result: { types, routes: routes.length, snapshots: snapshots.result, database: databases.result },
    }
  },
)

async function checkDatabase(server: AnyServer, output: Shell): Promise<Outcome> {
  let inspection: Inspection
  try {
    inspection = await withProgress(output, 'Reading the databases', () => server.inspect())
  } catch (thrown) {
    const error = thrownMessage(thrown)
    output.err(error)
    return { code: 1, result: { error } }
  }
  const { missing, unsound, advice, named = [] } = inspection
  for (const { sentence, waivedFor, name } of named) {
    if (waivedFor !== null) output.out(`Waived: ${sentence} [${name}] Reason: ${waivedFor}`)
  }
  for (const sentence of advice) output.out(`Advice: ${withName(sentence, inspection)}`)
  const problems = [...missing, ...unsound]
  const result = { problems, advice, findings: named }
  if (problems.length === 0) {
    output.out('The databases match the declarations.')
    return { code: 0, result }
  }
  output.err(`The databases have ${counted(problems.length, 'problem')}:`)
  for (const sentence of problems) output.err(`  - ${withName(sentence, inspection)}`)
  return { code: 1, result }
}
