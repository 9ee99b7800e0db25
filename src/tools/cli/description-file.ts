import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { Outcome, Output, Shell } from './command.js'
import { UsageError } from './command.js'
import type { AnyServer } from './load-server.js'
import { loadServer } from './load-server.js'
import { shownPath } from './shown-path.js'

/** The file of a description. */
export const outputOption = {
  kind: 'value',
  value: 'file',
  description: 'writes to a file. Default: the standard output',
  completes: 'file',
} as const

export const checkOption = { kind: 'flag', description: 'writes nothing, and prints how the file differs' } as const

/** The exit codes of commands that print a description of a server. */
export const exitCodes = {
  0: 'The text is printed or written, or the file is up to date.',
  1: 'With --check, the file differs or is missing. Or the server cannot be built.',
  2: 'The arguments are invalid: unknown command, option, module or server. Or the file cannot be read or written.',
} as const

/** A description of a server, as a command prints it. */
export interface PrintedDescription {
  /** Without a line break at its end. */
  readonly text: string
  /** The description as data, for `--json`. */
  readonly result: unknown
  /** The members of the `--json` result, besides the name of the file. */
  readonly kind: object
  /** Returns how the text of a file differs. */
  readonly differences: (text: string, existing: string, shown: string) => readonly string[]
}

interface DescriptionArguments {
  readonly module: string
  readonly output: string | null
  readonly check: boolean
}

/** Prints the description of the server that a module exports, writes it to a file, or compares it with the file. */
export async function printDescription(
  args: DescriptionArguments,
  output: Shell,
  describe: (server: AnyServer) => PrintedDescription,
): Promise<Outcome> {
  if (args.check && args.output === null) throw new UsageError('--check needs --output <file>.')
  const loaded = await loadServer(args.module, output)
  if (loaded.kind === 'failed') {
    output.err(loaded.reason)
    return { code: 1, result: { error: loaded.reason } }
  }
  const description = describedBy(() => describe(loaded.server))
  if (args.output === null) {
    output.out(description.text)
    return { code: 0, result: description.result }
  }
  const path = resolve(args.output)
  const existing = existsSync(path) ? await readFile(path, 'utf8') : null
  const file = { path, shown: shownPath(path), existing }
  return args.check ? checkFile(description, file, output) : writeDescription(description, file, output)
}

interface DescriptionFile {
  /** An absolute path. */
  readonly path: string
  /** The path for messages. */
  readonly shown: string
  /** The text of the file; null if there is none. */
  readonly existing: string | null
}

async function writeDescription(
  { text, kind }: PrintedDescription,
  { path, shown, existing }: DescriptionFile,
  output: Output,
): Promise<Outcome> {
  const isWritten = `${text}\n` !== existing
  if (isWritten) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${text}\n`)
  }
  output.out(isWritten ? `'${shown}' is written.` : `'${shown}' is up to date.`)
  return { code: 0, result: { file: shown, ...kind } }
}

function checkFile(description: PrintedDescription, { shown, existing }: DescriptionFile, output: Output): Outcome {
  const { text, kind } = description
  if (existing === null) {
    output.err(`There is no '${shown}': write it without --check.`)
    return { code: 1, result: { file: shown, ...kind, differences: null } }
  }
  const differences = description.differences(`${text}\n`, existing, shown)
  if (differences.length === 0) output.out(`'${shown}' is up to date.`)
  else {
    output.err(`'${shown}' does not match the server:`)
    for (const difference of differences) output.err(`  - ${difference}`)
    output.err('Remedy: run the command without --check.')
  }
  return { code: differences.length === 0 ? 0 : 1, result: { file: shown, ...kind, differences } }
}

/** Returns a sentence with the first line that differs; no sentence if the texts are equal. */
export function firstDifference(text: string, existing: string): readonly string[] {
  if (text === existing) return []
  const [lines, stored] = [text.split('\n'), existing.split('\n')]
  return [`line ${lines.findIndex((line, index) => line !== stored[index]) + 1} is the first that differs.`]
}

/** Converts the `TypeError` for a server that does not exist. */
function describedBy(describe: () => PrintedDescription): PrintedDescription {
  try {
    return describe()
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}
