import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { Options, Outcome, Output } from './command.js'
import { UsageError } from './command.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'
import { serverOption } from './shared-options.js'
import { shownPath } from './shown-path.js'
import { yamlText } from './yaml-text.js'

const formats = ['json', 'yaml'] as const

/** The options of commands that print a description of a server. */
export const descriptionOptions = {
  output: {
    kind: 'value',
    value: 'file',
    description: 'writes to a file. Default: to the standard output',
    completes: 'file',
  },
  format: {
    kind: 'value',
    value: 'json|yaml',
    description: 'Default: by the ending of the file, else json',
    completes: formats,
  },
  server: serverOption,
} as const satisfies Options

export const descriptionExitCodes = {
  0: 'It is printed or written.',
  1: 'The server cannot be built.',
  2: 'The call was not understood: no such command, option, module or server. Or the file cannot be written.',
} as const

interface DescriptionArguments {
  readonly module: string
  readonly output: string | null
  readonly format: string | null
  readonly server: string | null
}

/** Prints a description of the server that a module exports, or writes it to a file. */
export async function printDescription(
  args: DescriptionArguments,
  describe: (server: AnyServer, name: string) => unknown,
  output: Output,
): Promise<Outcome> {
  const loaded = await loadServer(args.module)
  if (loaded.kind === 'failed') {
    output.err(loaded.reason)
    return { code: 1, result: { error: loaded.reason } }
  }
  const description = describedBy(() => describe(loaded.server, args.server ?? 'default'))
  const format = args.format ?? (/\.ya?ml$/.test(extname(args.output ?? '')) ? 'yaml' : 'json')
  const text = format === 'yaml' ? yamlText(description) : JSON.stringify(description, null, 2)
  if (args.output === null) {
    output.out(text)
    return { code: 0, result: description }
  }
  const file = resolve(args.output)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${text}\n`)
  output.out(`'${shownPath(file)}' is written.`)
  return { code: 0, result: { file: shownPath(file), format } }
}

/** A server that does not exist is a `TypeError`. */
function describedBy(describe: () => unknown): unknown {
  try {
    return describe()
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}
