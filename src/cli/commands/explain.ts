import { thrownMessage } from '../../errors/describe-thrown.js'
import type { ReadExplanation } from '../../handler/read-explanation.js'
import { callerIn } from '../caller-option.js'
import type { Command, Outcome, Output } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import type { AnyServer } from '../load-server.js'
import { loadServer } from '../load-server.js'
import { callerOption, moduleNote, moduleParameter, serverOption } from '../shared-options.js'

/** `ashlar explain <module> <url>`: says what a GET request costs, and why. */
export const explain: Command = defineCommand(
  {
    name: 'explain',
    summary: 'says what a request costs, part by part',
    description: [
      "Plans a GET request to the server that a module exports, for example '/albums?include=tracks', and prints its cost by the setting queryCost, or by the defaults if the server has none. Nothing is read.",
      moduleNote,
    ],
    parameters: [moduleParameter, { name: 'url', noun: 'one URL', completes: 'nothing' }],
    options: {
      as: callerOption,
      server: { ...serverOption, description: 'the name of the server. Default: the one that the URL leads to' },
      profile: {
        kind: 'list',
        value: 'uri',
        description: 'a profile that the request applies',
        completes: 'nothing',
      },
    },
    examples: [
      {
        call: "ashlar explain dist/server.js '/albums?include=tracks'",
        says: 'What do albums with their tracks cost?',
      },
    ],
    exitCodes: {
      0: 'The cost is within the budget, or there is none.',
      1: 'It is beyond the budget.',
      2: 'There is no answer: the call was not understood, the server cannot be built, the URL is not that of a read, its query has an error.',
    },
  },
  async ({ module, url, as, server, profile: profiles }, output) => {
    const question = { url, as: callerIn(as ?? 'null'), profiles, ...(server === null ? {} : { server }) }
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
}

/** A failure must not look like a cost: without an answer, the exit code is 2. */
async function print(server: AnyServer, question: Question, output: Output): Promise<Outcome> {
  try {
    const explanation = await server.explain(question)
    output.out(textOf(question.url, explanation))
    return { code: explanation.isWithinBudget ? 0 : 1, result: { url: question.url, ...explanation } }
  } catch (thrown) {
    // By its name: the package may be installed twice.
    if (thrown instanceof Error && thrown.name === 'ReadQuestionError') {
      throw new UsageError(thrown.message, { cause: thrown })
    }
    const error = `There is no answer: ${thrownMessage(thrown)}`
    output.err(error)
    return { code: 2, result: { error } }
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
