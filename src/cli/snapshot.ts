import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { declarationFiles, isDeclarationFile, isDirectory } from '../discovery/declaration-files.js'
import { readSnapshot, type Snapshot, snapshotDifference, snapshotModule } from '../discovery/snapshot-module.js'
import { thrownMessage } from '../errors/describe-thrown.js'
import type { Command, ExitCode, Output } from './command.js'
import { UsageError } from './command.js'
import { counted } from './counted.js'
import { reportStale } from './report-stale.js'
import { shownPath } from './shown-path.js'

/** `ashlar snapshot <directory>`: writes a module that imports the declaration files of a directory. */
export const snapshot: Command = Object.freeze({
  name: 'snapshot',
  summary: 'writes a module that imports the declaration files of a directory',
  help: `Usage: ashlar snapshot <directory> [--output <file>] [--check] [--force] [--ts-extensions]

Writes a module that imports the declaration files of a directory, and exports their declarations as 'resources'. A service
that is started from it reads no directory. The files are not run: only their names are read.

  --output <file>  the module. Default: <directory>.snapshot.ts, or .js if the directory has no TypeScript
  --check          writes nothing, and prints the files that were added or removed since
  --force          overwrites a file that is not a snapshot
  --ts-extensions  imports TypeScript files by their own names. Default: by those of the compiled files, albums.js for albums.ts
  --help           prints this help

Exit code: 0 if the snapshot is up to date now, 1 if --check finds that it is not, 2 if the arguments are not valid.`,
  async run(args, output) {
    const { directory, isCheck, isForced, ...options } = readArgs(args)
    const files = await filesIn(directory)
    const file = resolve(options.output ?? `${directory}.snapshot.${files.some(isTypeScript) ? 'ts' : 'js'}`)
    const made: Snapshot = {
      directory: slashed(relative(dirname(file), directory)) || '.',
      output: basename(file),
      hasTsExtensions: options.hasTsExtensions,
      files,
    }
    checkNames(made, slashed(relative(directory, file)))
    const existing = existsSync(file) ? await readFile(file, 'utf8') : null
    if (existing !== null && readSnapshot(existing) === null && (isCheck || !isForced)) {
      throw new UsageError(`'${shownPath(file)}' is not a snapshot: name another file, or overwrite it with --force.`)
    }
    return isCheck ? compare(made, { file, existing }, output) : write(made, { file, existing }, output)
  },
} satisfies Command)

interface Options {
  readonly directory: string
  readonly output: string | undefined
  readonly isCheck: boolean
  readonly isForced: boolean
  readonly hasTsExtensions: boolean
}

function readArgs(args: readonly string[]): Options {
  const { values, positionals } = parsed(args)
  const [directory, ...others] = positionals
  if (directory === undefined || others.length > 0) throw new UsageError('snapshot needs the path of one directory.')
  return {
    directory: resolve(directory),
    output: values.output,
    isCheck: values.check === true,
    isForced: values.force === true,
    hasTsExtensions: values['ts-extensions'] === true,
  }
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean' } as const
  const options = { output: { type: 'string' }, check: flag, force: flag, 'ts-extensions': flag } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}

async function filesIn(directory: string): Promise<readonly string[]> {
  if (!isDirectory(directory)) throw new UsageError(`There is no directory '${shownPath(directory)}'.`)
  const files = await declarationFiles(directory)
  if (files.length === 0) throw new UsageError(`There are no declaration files in '${shownPath(directory)}'.`)
  return files
}

/** Refuses names with which the module would not work. `path` is that of the module, relative to the directory. */
function checkNames({ output, files, hasTsExtensions }: Snapshot, path: string): void {
  if (!/\.m?[jt]s$/.test(output))
    throw new UsageError(`'${output}' is not the name of a module: end it with .ts or .js.`)
  if (!path.startsWith('../') && isDeclarationFile(path)) {
    throw new UsageError(`'${output}' would be a declaration file of the directory itself: name it '*.snapshot.ts'.`)
  }
  const source = files.find(isTypeScript)
  if (source !== undefined && !isTypeScript(output) && !hasTsExtensions) {
    throw new UsageError(`'${source}' is TypeScript: write the snapshot to a .ts file, or compile the directory first.`)
  }
  // In a specifier, these characters would have the meaning that they have in URLs.
  const unusual = files.find((file) => /[%#?\\]/.test(file))
  if (unusual !== undefined) throw new UsageError(`'${unusual}' cannot be imported by this name: rename the file.`)
}

interface Place {
  readonly file: string
  /** The text of the file, or null if there is none. */
  readonly existing: string | null
}

async function write(made: Snapshot, { file, existing }: Place, output: Output): Promise<ExitCode> {
  const text = snapshotModule(made)
  const files = counted(made.files.length, 'declaration file')
  if (text === existing) {
    output.out(`'${shownPath(file)}' is up to date: ${files}.`)
    return 0
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  output.out(`'${shownPath(file)}' is written: ${files}.`)
  return 0
}

/** Compares the files, not the text: a formatter may have changed it. */
function compare(made: Snapshot, { file, existing }: Place, output: Output): ExitCode {
  const stored = existing === null ? null : readSnapshot(existing)
  if (stored === null || stored.directory !== made.directory) {
    output.err(`There is no snapshot of this directory in '${shownPath(file)}': write it without --check.`)
    return 1
  }
  const difference = snapshotDifference(stored, made.files)
  if (difference === null) {
    output.out(`'${shownPath(file)}' is up to date: ${counted(made.files.length, 'declaration file')}.`)
    return 0
  }
  reportStale({ name: shownPath(file), difference, remedy: 'run the command without --check.' }, output)
  return 1
}

function isTypeScript(file: string): boolean {
  return file.endsWith('ts')
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/')
}
