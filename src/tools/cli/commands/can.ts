import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { explainAccess, readQuestion } from '../../testing/explain-access.js'
import { callerIn } from '../caller-option.js'
import type { Command, Outcome, Output } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import type { AnyServer } from '../load-server.js'
import { loadServer } from '../load-server.js'
import { callerOption, moduleNote, moduleParameter, serverOption } from '../shared-options.js'

/** `ashlar can <module> <question>`: reports whether the policies of a server permit something to a caller, and why. */
export const can: Command = defineCommand(
  {
    name: 'can',
    summary: 'reports whether a caller may do something, and which rule decides',
    description: [
      'Evaluates the policies of the server that a module exports, for example albums:update:1 or albums:viewAny. albums.owner:view:1 checks whether a field is shown, albums.owner:update:1 whether it can be changed. albums:filter lists the filters that the caller may use, albums.margin:filter checks one of them. Nothing is written.',
      moduleNote,
    ],
    parameters: [
      moduleParameter,
      {
        name: 'question',
        noun: 'one question',
        forms: ['<type>[.<field>]:<ability>[:<id>]', '<type>[/<relation>][.<key>]:filter|sort|include'],
        completes: 'nothing',
      },
    ],
    options: { as: callerOption, server: serverOption },
    examples: [
      { call: `ashlar can dist/server.js albums:update:1 --as '{"id":2}'`, description: 'May user 2 change album 1?' },
      {
        call: 'ashlar can dist/server.js albums:filter',
        description: 'Which filters may a request without a caller use?',
      },
    ],
    exitCodes: {
      0: 'It is permitted.',
      1: 'It is denied.',
      2: 'No result: the arguments are invalid, the server cannot be built, the database cannot be reached, or a policy throws.',
    },
  },
  async ({ module, question, ...options }, output) => {
    if (readQuestion(question) === null) {
      throw new UsageError(`'${question}' is not a valid question: write type:ability or type:ability:id.`)
    }
    const request = { as: callerIn(options.as ?? 'null'), server: options.server ?? 'default' }
    const loaded = await loadServer(module, output)
    if (loaded.kind === 'failed') {
      output.err(loaded.reason)
      return { code: 2, result: { error: loaded.reason } }
    }
    return explain(loaded.server, question, request, output)
  },
)

interface AccessRequest {
  readonly as: unknown
  readonly server: string
}

/** A failure must not look like a denial: without a result, the exit code is 2. */
async function explain(server: AnyServer, question: string, request: AccessRequest, output: Output): Promise<Outcome> {
  try {
    const { text, ...result } = await explainAccess(server, question, request)
    output.out(text)
    return { code: result.permitted ? 0 : 1, result: { question, ...result } }
  } catch (thrown) {
    // Compares the name, because the package may be installed twice.
    if (thrown instanceof Error && thrown.name === 'AccessQuestionError') {
      throw new UsageError(thrown.message, { cause: thrown })
    }
    const error = `No result: ${thrownMessage(thrown)}`
    output.err(error)
    return { code: 2, result: { error } }
  }
}
