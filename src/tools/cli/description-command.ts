import { extname } from 'node:path'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { Command, CommandDescription, Options } from './command.js'
import { defineCommand, UsageError } from './command.js'
import { checkOption, exitCodes, firstDifference, outputOption, printDescription } from './description-file.js'
import { documentDifferences } from './document-differences.js'
import type { AnyServer } from './load-server.js'
import { moduleNote, moduleParameter, serverOption } from './shared-options.js'
import { yamlText } from './yaml-text.js'

const formats = ['json', 'yaml'] as const

/** The options of commands that print a description of a server. */
const options = {
  output: outputOption,
  format: {
    kind: 'value',
    value: 'json|yaml',
    description: 'the format. Default: by the extension of the file, else json',
    completes: formats,
  },
  server: serverOption,
  check: checkOption,
} as const satisfies Options

/** Creates a command that prints a description of the server that a module exports, or writes it to a file. */
export function descriptionCommand(
  command: Pick<CommandDescription, 'name' | 'summary' | 'examples'> & {
    /** The first sentence of the help. */
    readonly description: string
    /** Its own options, before those of all descriptions. */
    readonly options?: Options
  },
  describe: (server: AnyServer, name: string, args: Readonly<Record<string, unknown>>) => unknown,
): Command {
  const { description, options: own = {}, ...rest } = command
  const all: typeof options = { ...own, ...options }
  return defineCommand(
    { ...rest, description: [description, moduleNote], parameters: [moduleParameter], options: all, exitCodes },
    (args, output) => {
      const format = args.format ?? (/\.ya?ml$/.test(extname(args.output ?? '')) ? 'yaml' : 'json')
      return printDescription(args, output, (server) => {
        const described = describe(server, args.server ?? 'default', args)
        return {
          text: format === 'yaml' ? yamlText(described) : JSON.stringify(described, null, 2),
          result: described,
          kind: { format },
          differences: (text, existing, shown) => differencesOf(text, existing, { shown, format }),
        }
      })
    },
  )
}

/** JSON is compared by its values, since a formatter may have changed the text. YAML is compared by its lines. */
function differencesOf(
  text: string,
  existing: string,
  { shown, format }: { readonly shown: string; readonly format: string },
): readonly string[] {
  return format === 'json'
    ? documentDifferences(jsonIn(existing, shown), JSON.parse(text))
    : firstDifference(text, existing)
}

function jsonIn(text: string, shown: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new UsageError(`'${shown}' is not JSON: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}
