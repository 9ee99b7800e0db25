import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { ExplainedStatement, ReadExplanation } from '../../../server/explain/read-explanation.js'
import { callerIn } from '../caller-option.js'
import type { Command, Outcome, Output } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { counted } from '../counted.js'
import type { AnyServer } from '../load-server.js'
import { loadServer } from '../load-server.js'
import { callerOption, moduleNote, moduleParameter, serverOption } from '../shared-options.js'

/** `ashlar explain <module> <url>`: reports what a GET request costs and why, and which statements it runs. */
export const explain: Command = defineCommand(
  {
    name: 'explain',
    summary: 'reports what a request costs, and which statements it runs',
    description: [
      "Plans a GET request to the server that a module exports, for example '/albums?include=tracks', and prints its cost by the setting queryCost, or by the defaults if the server does not set it. Then it runs the read without middleware, and prints each statement with its rows and its time. A read beyond the budget is not run.",
      moduleNote,
    ],
    parameters: [moduleParameter, { name: 'url', noun: 'one URL', completes: 'nothing' }],
    options: {
      as: callerOption,
      server: { ...serverOption, description: 'the name of the server. Default: the server whose prefix the URL has' },
      profile: {
        kind: 'list',
        value: 'uri',
        description: 'a profile that the request applies',
        completes: 'nothing',
      },
      'cost-only': { kind: 'flag', description: 'reads nothing, and prints no statements' },
    },
    examples: [
      {
        call: "ashlar explain dist/server.js '/albums?include=tracks'",
        description: 'What do albums with their tracks cost, and which statements read them?',
      },
      {
        call: `ashlar explain dist/server.js /albums --as '{"id":1}' --cost-only`,
        description: 'What does a list cost for a caller? Needs no database.',
      },
    ],
    exitCodes: {
      0: 'The cost is within the budget, or there is no budget.',
      1: 'The cost is beyond the budget.',
      2: 'No result: the arguments are invalid, the server cannot be built, the URL is not the URL of a read, its query has an error, or the read fails.',
    },
  },
  async ({ module, url, as, server, profile: profiles, 'cost-only': isCostOnly }, output) => {
    const request = { url, as: callerIn(as ?? 'null'), profiles, statements: !isCostOnly }
    const question = server === null ? request : { ...request, server }
    const loaded = await loadServer(module, output)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return { code: 2, result: { error: loaded.reason } }
    }
    return print(loaded.server, question, output)
  },
)

interface Question {
  readonly url: string
  readonly as: unknown
  readonly server?: string
  readonly profiles: readonly string[]
  readonly statements: boolean
}

/** A failure must not look like a cost: without a result, the exit code is 2. */
async function print(server: AnyServer, question: Question, output: Output): Promise<Outcome> {
  try {
    const explanation = await server.explain(question)
    output.out(textOf(question.url, explanation))
    return { code: explanation.isWithinBudget ? 0 : 1, result: { url: question.url, ...explanation } }
  } catch (thrown) {
    // Compares the name, because the package may be installed twice.
    if (thrown instanceof Error && thrown.name === 'ReadQuestionError') {
      throw new UsageError(thrown.message, { cause: thrown })
    }
    const error = `No result: ${thrownMessage(thrown)}`
    output.err(error)
    return { code: 2, result: { error } }
  }
}

function textOf(url: string, { cost, budget, isWithinBudget, parts, statements, refusal }: ReadExplanation): string {
  const limit = budget === null ? 'without a limit' : `${isWithinBudget ? 'within' : 'beyond'} the budget of ${budget}`
  const width = Math.max(0, ...parts.map((part) => String(part.cost).length))
  const lines = parts.map(({ kind, name, parameter, cost: share }) => {
    return `  ${String(share).padStart(width)}  ${kind} ${name}${parameter === null ? '' : `  (${parameter})`}`
  })
  return [
    `GET ${url} costs ${cost}, ${limit}.`,
    ...lines,
    ...statementLines(statements),
    ...(refusal === null ? [] : [`There is no document: ${refusal}`]),
  ].join('\n')
}

function statementLines(statements: readonly ExplainedStatement[] | null): readonly string[] {
  if (statements === null) return []
  if (statements.length === 0) return ['', 'It runs no statements.']
  const lines = statements.flatMap(({ shape, rows, milliseconds, sql }, index) => [
    `  ${index + 1}. ${shape ?? 'of the application'}: ${counted(rows ?? 0, 'row')} in ${milliseconds.toFixed(1)} ms`,
    `     ${sql}`,
  ])
  return ['', `It runs ${counted(statements.length, 'statement')}:`, ...lines]
}
