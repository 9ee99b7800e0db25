import { parseArgs } from 'node:util'
import { withName } from '../build/inspect-stores.js'
import type { Inspection } from '../data/data-source.js'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import { checkSnapshots } from './check-snapshots.js'
import { counted } from './counted.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'

/**
 * `ashlar check <module>`: checks whether the server can be built, and whether its databases match its declarations.
 */
export const check: Command = Object.freeze({
  name: 'check',
  summary: 'builds a server and prints its faults',
  help: `Usage: ashlar check <module> [--database]

Builds the server that a module exports and prints every fault of its declarations. The module exports the server,
or a function that creates it, as default or as 'server'. If it imports a snapshot, the snapshot must be up to date.

  --database  also checks the databases, and prints the tables, columns and indexes that are missing
  --help      prints this help

Exit code: 0 if there are no faults, 1 if there are, 2 if the arguments are not valid.`,
  async run(args, output) {
    const { path, database } = readArgs(args)
    const loaded = await loadServer(path)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      // It may be the reason.
      await checkSnapshots(path, output)
      return 1
    }
    const { types } = loaded.server
    const routes = loaded.server.routes()
    output.out(`${counted(types.length, 'type')}, ${counted(routes.length, 'route')}: no faults.`)
    const snapshots = await checkSnapshots(path, output)
    const databases = database ? await checkDatabase(loaded.server, output) : 0
    return snapshots === 0 ? databases : snapshots
  },
} satisfies Command)

function readArgs(args: readonly string[]): { readonly path: string; readonly database: boolean } {
  const { values, positionals } = parsed(args)
  const [path, ...others] = positionals
  if (path === undefined) throw new UsageError('check needs the path of a module.')
  if (others.length > 0) throw new UsageError(`check takes one module, but was given ${positionals.length}.`)
  return { path, database: values.database === true }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { database: { type: 'boolean' } }, allowPositionals: true })
  } catch (thrown) {
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}

async function checkDatabase(server: AnyServer, output: Output): Promise<ExitCode> {
  let inspection: Inspection
  try {
    inspection = await server.inspect()
  } catch (thrown) {
    output.err(thrownMessage(thrown))
    return 1
  }
  const { missing, unsound, advice, named = [] } = inspection
  for (const { sentence, waivedFor, name } of named) {
    if (waivedFor !== null) output.out(`Waived: ${sentence} [${name}] Reason: ${waivedFor}`)
  }
  for (const sentence of advice) output.out(`Advice: ${withName(sentence, inspection)}`)
  const problems = [...missing, ...unsound]
  if (problems.length === 0) {
    output.out('The databases match the declarations.')
    return 0
  }
  output.err(`The databases have ${counted(problems.length, 'problem')}:`)
  for (const sentence of problems) output.err(`  - ${withName(sentence, inspection)}`)
  return 1
}
