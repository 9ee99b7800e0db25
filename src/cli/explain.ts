import { parseArgs } from 'node:util'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { ReadExplanation } from '../handler/read-explanation.js'
import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'
import { callerIn } from './caller-option.js'

/** `ashlar explain <module> <url>`: says what a GET request costs, and why. */
export const explain: Command = Object.freeze({
  name: 'explain',
  summary: 'says what a request costs, part by part',
  help: `Usage: ashlar explain <module> <url> [--as <json>] [--server <name>] [--profile <uri>]...

Plans a GET request to the server that a module exports, for example '/albums?include=tracks', and prints its cost by the
setting queryCost, or by the defaults if the server has none. The module exports the server, or a function that creates it, as
default or as 'server'. Nothing is read.

  --as <json>      the caller, as your middleware sets it: --as '{"id":1}'. Default: nobody
  --server <name>  the name of the server. Default: the one that the URL leads to
  --profile <uri>  a profile that the request applies
  --help           prints this help

Exit code: 0 if the cost is within the budget, 1 if it is not, 2 if there is no answer.`,
  async run(args, output) {
    const { path, ...question } = readArgs(args)
    const loaded = await loadServer(path)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return 2
    }
    return print(loaded.server, question, output)
  },
} satisfies Command)

interface Question {
  readonly url: string
  readonly as: unknown
  readonly server?: string
  readonly profiles: readonly string[]
}

/** A failure must not look like a cost: without an answer, the exit code is 2. */
async function print(server: AnyServer, question: Question, output: Output): Promise<ExitCode> {
  try {
    const explanation = await server.explain(question)
    output.out(textOf(question.url, explanation))
    return explanation.isWithinBudget ? 0 : 1
  } catch (thrown) {
    // By its name: the package may be installed twice.
    if (thrown instanceof Error && thrown.name === 'ReadQuestionError') {
      throw new UsageError(thrown.message, { cause: thrown })
    }
    output.err(`There is no answer: ${thrownMessage(thrown)}`)
    return 2
  }
}

function textOf(url: string, { cost, budget, isWithinBudget, parts }: ReadExplanation): string {
  const limit = budget === null ? 'without a limit' : `${isWithinBudget ? 'within' : 'beyond'} the budget of ${budget}`
  const width = Math.max(0, ...parts.map((part) => String(part.cost).length))
  const lines = parts.map(({ kind, name, parameter, cost: share }) => {
    return `  ${String(share).padStart(width)}  ${kind} ${name}${parameter === null ? '' : `  (${parameter})`}`
  })
  return [`GET ${url} costs ${cost}, ${limit}.`, ...lines].join('\n')
}

function readArgs(args: readonly string[]): Question & { readonly path: string } {
  const { values, positionals } = parsed(args)
  const [path, url, ...others] = positionals
  if (path === undefined || url === undefined || others.length > 0) {
    throw new UsageError('explain needs the path of a module and one URL.')
  }
  const { server, profile: profiles = [] } = values
  return { path, url, as: callerIn(values.as ?? 'null'), profiles, ...(server === undefined ? {} : { server }) }
}

function parsed(args: readonly string[]) {
  const options = {
    as: { type: 'string' },
    server: { type: 'string' },
    profile: { type: 'string', multiple: true },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}
