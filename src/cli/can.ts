import { parseArgs } from 'node:util'
import { thrownMessage } from '../errors/describe-thrown.js'
import { explainAccess, readQuestion } from '../testing/explain-access.js'
import { callerIn } from './caller-option.js'
import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'

/** `ashlar can <module> <question>`: says whether the policies of a server permit something to a caller, and why. */
export const can: Command = Object.freeze({
  name: 'can',
  summary: 'says whether a caller may do something, and which rule decides',
  help: `Usage: ashlar can <module> <type>[.<field>]:<ability>[:<id>] [--as <json>] [--server <name>]
       ashlar can <module> <type>[/<relation>][.<key>]:filter|sort|include [--as <json>] [--server <name>]

Asks the policies of the server that a module exports, for example albums:update:1 or albums:viewAny. albums.owner:view:1
asks whether a field is shown, albums.owner:update:1 whether it can be changed. albums:filter asks which filters the caller may
use, albums.margin:filter about one of them. The module exports the server, or a function that
creates it, as default or as 'server'. Nothing is written.

  --as <json>      the caller, as your middleware sets it: --as '{"id":1}'. Default: nobody
  --server <name>  the name of the server. Default: default
  --help           prints this help

Exit code: 0 if it is permitted, 1 if it is denied, 2 if there is no answer.`,
  async run(args, output) {
    const { path, question, ...options } = readArgs(args)
    const loaded = await loadServer(path)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return 2
    }
    return explain(loaded.server, question, options, output)
  },
} satisfies Command)

interface Options {
  readonly as: unknown
  readonly server: string
}

/** A failure must not look like a denial: without an answer, the exit code is 2. */
async function explain(
  server: AnyServer,
  question: string,
  { as, server: name }: Options,
  output: Output,
): Promise<ExitCode> {
  try {
    const { permitted, text } = await explainAccess(server, question, { as, server: name })
    output.out(text)
    return permitted ? 0 : 1
  } catch (thrown) {
    // By its name: the package may be installed twice.
    if (thrown instanceof Error && thrown.name === 'AccessQuestionError') {
      throw new UsageError(thrown.message, { cause: thrown })
    }
    output.err(`There is no answer: ${thrownMessage(thrown)}`)
    return 2
  }
}

function readArgs(args: readonly string[]): Options & { readonly path: string; readonly question: string } {
  const { values, positionals } = parsed(args)
  const [path, question, ...others] = positionals
  if (path === undefined || question === undefined || others.length > 0) {
    throw new UsageError('can needs the path of a module and one question.')
  }
  if (readQuestion(question) === null) {
    throw new UsageError(`'${question}' is no question: write type:ability or type:ability:id.`)
  }
  return { path, question, as: callerIn(values.as ?? 'null'), server: values.server ?? 'default' }
}

function parsed(args: readonly string[]) {
  const options = { as: { type: 'string' }, server: { type: 'string' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}
