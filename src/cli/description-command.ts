import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { Command, CommandDescription, Options, Outcome, Output, Shell } from './command.js'
import { defineCommand, UsageError } from './command.js'
import { documentDifferences } from './document-differences.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'
import { moduleNote, moduleParameter, serverOption } from './shared-options.js'
import { shownPath } from './shown-path.js'
import { yamlText } from './yaml-text.js'

const formats = ['json', 'yaml'] as const

/** The options of commands that print a description of a server. */
const options = {
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
  check: { kind: 'flag', description: 'writes nothing, and prints how the file differs' },
} as const satisfies Options

const exitCodes = {
  0: 'It is printed or written, or the file is up to date.',
  1: '--check finds a difference, or no file. Or the server cannot be built.',
  2: 'The call was not understood: no such command, option, module or server. Or the file cannot be read or written.',
} as const

/** Creates a command that prints a description of the server that a module exports, or writes it to a file. */
export function descriptionCommand(
  description: Pick<CommandDescription, 'name' | 'summary' | 'examples'> & {
    /** The first sentence of the help. */
    readonly says: string
  },
  describe: (server: AnyServer, name: string) => unknown,
): Command {
  const { says, ...rest } = description
  return defineCommand(
    { ...rest, description: [says, moduleNote], parameters: [moduleParameter], options, exitCodes },
    (args, output) => printDescription(args, describe, output),
  )
}

interface DescriptionArguments {
  readonly module: string
  readonly output: string | null
  readonly format: string | null
  readonly server: string | null
  readonly check: boolean
}

async function printDescription(
  args: DescriptionArguments,
  describe: (server: AnyServer, name: string) => unknown,
  output: Shell,
): Promise<Outcome> {
  if (args.check && args.output === null) throw new UsageError('--check needs --output <file>.')
  const loaded = await loadServer(args.module, output)
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
  const path = resolve(args.output)
  const existing = existsSync(path) ? await readFile(path, 'utf8') : null
  const file = { path, shown: shownPath(path), format, existing }
  return args.check ? checkFile(`${text}\n`, file, output) : writeDescription(`${text}\n`, file, output)
}

interface DescriptionFile {
  /** An absolute path. */
  readonly path: string
  /** The path for messages. */
  readonly shown: string
  readonly format: string
  /** The text of the file; null if there is none. */
  readonly existing: string | null
}

async function writeDescription(
  text: string,
  { path, shown, format, existing }: DescriptionFile,
  output: Output,
): Promise<Outcome> {
  const isWritten = text !== existing
  if (isWritten) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  output.out(isWritten ? `'${shown}' is written.` : `'${shown}' is up to date.`)
  return { code: 0, result: { file: shown, format } }
}

function checkFile(text: string, file: DescriptionFile, output: Output): Outcome {
  const { shown, format, existing } = file
  if (existing === null) {
    output.err(`There is no '${shown}': write it without --check.`)
    return { code: 1, result: { file: shown, format, differences: null } }
  }
  const differences = differencesOf(text, existing, file)
  if (differences.length === 0) output.out(`'${shown}' is up to date.`)
  else {
    output.err(`'${shown}' is not what the server describes now:`)
    for (const difference of differences) output.err(`  - ${difference}`)
    output.err('Remedy: run the command without --check.')
  }
  return { code: differences.length === 0 ? 0 : 1, result: { file: shown, format, differences } }
}

/** JSON is compared by its values, since a formatter may have changed the text. YAML is compared by its lines. */
function differencesOf(text: string, existing: string, { shown, format }: DescriptionFile): readonly string[] {
  if (format === 'json') return documentDifferences(jsonIn(existing, shown), JSON.parse(text))
  if (text === existing) return []
  const [lines, stored] = [text.split('\n'), existing.split('\n')]
  return [`line ${lines.findIndex((line, index) => line !== stored[index]) + 1} is the first that differs.`]
}

function jsonIn(text: string, shown: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new UsageError(`'${shown}' is no JSON: ${thrownMessage(thrown)}`, { cause: thrown })
  }
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
