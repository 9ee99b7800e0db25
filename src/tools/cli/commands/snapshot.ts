import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { declarationFiles, isDeclarationFile, isDirectory } from '../../../declare/discovery/declaration-files.js'
import {
  readSnapshot,
  type Snapshot,
  snapshotDifference,
  snapshotModule,
} from '../../../declare/discovery/snapshot-module.js'
import type { Command, Outcome, Output } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { reportStale } from '../report-stale.js'
import { shownPath } from '../shown-path.js'

/** `ashlar snapshot <directory>`: writes a module that imports the declaration files of a directory. */
export const snapshot: Command = defineCommand(
  {
    name: 'snapshot',
    summary: 'writes a module that imports the declaration files of a directory',
    description: [
      "Writes a module that imports the declaration files of a directory, and exports their declarations as 'resources'. A service that imports it reads no directory at startup. The command reads only the names of the files, and does not run them. The same files give the same bytes in any working directory.",
    ],
    parameters: [{ name: 'directory', noun: 'the path of one directory', completes: 'directory' }],
    options: {
      output: {
        kind: 'value',
        value: 'file',
        description:
          'the module: TypeScript or JavaScript, by its extension. Default: <directory>.snapshot.ts, or .js if the directory has no TypeScript',
        completes: 'file',
      },
      check: { kind: 'flag', description: 'writes nothing, and prints the files that were added or removed' },
      force: { kind: 'flag', description: 'overwrites a file that is not a snapshot' },
      'ts-extensions': {
        kind: 'flag',
        description:
          'imports TypeScript files as .ts, for projects that Node runs without a compiler. Default: by the names of the compiled files, albums.js for albums.ts',
      },
    },
    examples: [
      { call: 'ashlar snapshot src/resources', description: 'Writes src/resources.snapshot.ts.' },
      { call: 'ashlar snapshot src/resources --check', description: 'Is it up to date? For CI.' },
    ],
    exitCodes: {
      0: 'The snapshot is written, or is up to date.',
      1: 'With --check, the snapshot is stale or missing.',
      2: 'The arguments are invalid: unknown directory or option, no declaration files, or the file is not a snapshot.',
    },
  },
  async ({ directory: path, output: outputFile, check, force, 'ts-extensions': hasTsExtensions }, output) => {
    const directory = resolve(path)
    const files = await filesIn(directory)
    const file = resolve(outputFile ?? `${directory}.snapshot.${files.some(isTypeScript) ? 'ts' : 'js'}`)
    const made: Snapshot = {
      directory: slashed(relative(dirname(file), directory)) || '.',
      output: basename(file),
      hasTsExtensions,
      files,
    }
    checkNames(made, slashed(relative(directory, file)))
    const existing = existsSync(file) ? await readFile(file, 'utf8') : null
    if (existing !== null && readSnapshot(existing) === null && (check || !force)) {
      throw new UsageError(`'${shownPath(file)}' is not a snapshot: name another file, or overwrite it with --force.`)
    }
    return check ? compare(made, { file, existing }, output) : write(made, { file, existing }, output)
  },
)

async function filesIn(directory: string): Promise<readonly string[]> {
  if (!isDirectory(directory)) throw new UsageError(`There is no directory '${shownPath(directory)}'.`)
  const files = await declarationFiles(directory)
  if (files.length === 0) throw new UsageError(`There are no declaration files in '${shownPath(directory)}'.`)
  return files
}

/** Throws for names with which the module would not work. `path` is the path of the module, relative to the directory. */
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
  // In a specifier, these characters would have their meaning in URLs.
  const unusual = files.find((file) => /[%#?\\]/.test(file))
  if (unusual !== undefined) throw new UsageError(`'${unusual}' cannot be imported by this name: rename the file.`)
}

interface SnapshotFile {
  readonly file: string
  /** The text of the file, or null if there is none. */
  readonly existing: string | null
}

async function write(made: Snapshot, { file, existing }: SnapshotFile, output: Output): Promise<Outcome> {
  const text = snapshotModule(made)
  const files = counted(made.files.length, 'declaration file')
  if (text === existing) {
    output.out(`'${shownPath(file)}' is up to date: ${files}.`)
    return { code: 0, result: { file: shownPath(file), state: 'upToDate', files: made.files } }
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  output.out(`'${shownPath(file)}' is written: ${files}.`)
  return { code: 0, result: { file: shownPath(file), state: 'written', files: made.files } }
}

/** Compares the files, not the text: a formatter may have changed it. */
function compare(made: Snapshot, { file, existing }: SnapshotFile, output: Output): Outcome {
  const name = shownPath(file)
  const stored = existing === null ? null : readSnapshot(existing)
  if (stored === null || stored.directory !== made.directory) {
    output.err(`There is no snapshot of this directory in '${name}': write it without --check.`)
    return { code: 1, result: { file: name, state: 'missing' } }
  }
  const difference = snapshotDifference(stored, made.files)
  if (difference === null) {
    output.out(`'${name}' is up to date: ${counted(made.files.length, 'declaration file')}.`)
    return { code: 0, result: { file: name, state: 'upToDate', files: made.files } }
  }
  reportStale({ name, difference, remedy: 'run the command without --check.' }, output)
  return { code: 1, result: { file: name, state: 'stale', ...difference } }
}

function isTypeScript(file: string): boolean {
  return file.endsWith('ts')
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/')
}
