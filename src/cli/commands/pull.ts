import { join } from 'node:path'
import type { ChangedFile } from '../../pull/changed-files.js'
import type { Pulled } from '../../pull/pull.js'
import { type DiffLine, diffLines } from '../../pull/merge/diff-text.js'
import { type Casing, casings } from '../../pull/plan/words.js'
import type { Command, Outcome, Output, Shell } from '../command.js'
import { defineCommand } from '../command.js'
import { counted } from '../counted.js'
import { paintFor } from '../paint.js'
import { withProgress } from '../progress.js'
import { shownPath } from '../shown-path.js'

/** The number of files that are removed without a prompt, as after a migration. More of them may be a mistake. */
const silentRemovals = 3

/** `ashlar pull <database>`: writes declarations of the tables of a database. */
export const pullCommand: Command = defineCommand(
  {
    name: 'pull',
    summary: 'writes declarations of the tables of a database',
    description: [
      'Reads the schema of a PostgreSQL or SQLite database. Writes a declaration file for each table, with the types of rows, keys, attributes, constraints and relations, and a server that serves them. Prints what is not served, and why. The database is not changed.',
      'A second run updates the files to changes of the database, and prints the changes. Your edits stay: statements, members and calls are compared with the last pull, which pulled.json in the directory records. If you and the database changed the same thing, your version stays, and the command prints it.',
      `Nothing is changed if the database has no such schema or no tables, or is not the one of the last pull. If more than ${silentRemovals} files would be removed, the command prompts, or needs --yes.`,
    ],
    parameters: [
      {
        name: 'database',
        noun: 'the URL of a database, or the path of a file',
        forms: ['<url or file>'],
        completes: 'file',
      },
    ],
    options: {
      output: {
        kind: 'value',
        value: 'directory',
        description: 'the directory of the declarations. server.ts and main.ts are next to it. Default: src/resources',
        completes: 'directory',
      },
      casing: {
        kind: 'value',
        value: 'casing',
        description: `the casing of attributes and relations: ${casings.join(', ')}. Default: as in the last pull, else camelCase`,
        completes: casings,
      },
      schema: {
        kind: 'value',
        value: 'name',
        description: 'the schema of PostgreSQL. Default: as in the last pull, else the first schema of the search path',
        completes: 'nothing',
      },
      exclude: {
        kind: 'list',
        value: 'table',
        description: "a table or view to leave out, or '' for none. Default: as in the last pull",
        completes: 'nothing',
      },
      check: { kind: 'flag', description: 'writes nothing, and prints what a pull would change' },
      yes: { kind: 'flag', description: `also removes more than ${silentRemovals} files, without a prompt` },
    },
    examples: [
      { call: 'ashlar pull catalogue.db', description: 'From a SQLite file.' },
      {
        call: 'ashlar pull "$DATABASE_URL" --schema shop --exclude audit_log',
        description: 'From a schema of PostgreSQL.',
      },
      { call: 'ashlar pull "$DATABASE_URL" --check', description: 'Has the database changed? For CI.' },
    ],
    exitCodes: {
      0: 'The files are written, or match the database.',
      1: 'With --check, the files do not match. Or you and the database changed the same thing, and you must resolve it. Or files would be removed, and nothing is changed.',
      2: 'The arguments are invalid, or the database cannot be read, or is another one. Nothing is changed.',
    },
  },
  async ({ database, output: directory, casing, schema, exclude, check, yes }, output) => {
    // Imported here: other commands do not need database packages.
    const { pull } = await import('../../pull/pull.js')
    const target = directory ?? 'src/resources'
    const options = {
      address: database,
      directory: target,
      casing: casing as Casing | null,
      schema,
      excluded: exclude.length === 0 ? null : exclude.filter((name) => name !== ''),
    }
    let pulled: Pulled
    try {
      pulled = await withProgress(output, 'Reading the schema', () => pull(options))
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name !== 'OpenError') throw thrown
      output.err(thrown.message)
      return { code: 2, result: { error: thrown.message } }
    }
    if (!check) {
      const removals = pulled.files
        .filter(({ state }) => state === 'removed')
        .map(({ path }) => shownPath(join(target, path)))
      if (!yes && !(await mayRemove(removals, output))) return refuseRemovals(removals, output)
      await pulled.write()
    }
    return report(pulled, { directory: target, isCheck: check }, output)
  },
)

/** Returns whether files may be removed: a few, or those that the user has confirmed. */
async function mayRemove(removals: readonly string[], shell: Shell): Promise<boolean> {
  if (removals.length <= silentRemovals) return true
  if (shell.ask === undefined) return false
  for (const path of removals) shell.out(`  - ${path}`)
  return /^y(?:es)?$/i.test(await shell.ask(`Remove ${counted(removals.length, 'file')}? (y/N): `))
}

function refuseRemovals(removals: readonly string[], output: Output): Outcome {
  const error = `Nothing is changed, because ${counted(removals.length, 'file')} would be removed: the database does not have their tables any more, or they are not served.`
  output.err(error)
  for (const path of removals) output.err(`  - ${path}`)
  output.err('Remedy: if that is intended, repeat the command with --yes.')
  return { code: 1, result: { error, removals } }
}

interface PullReportOptions {
  readonly directory: string
  readonly isCheck: boolean
}

function report({ types, files, notes }: Pulled, { directory, isCheck }: PullReportOptions, output: Output): Outcome {
  const changed = files.filter(({ state }) => state !== 'unchanged' && state !== 'skipped')
  const conflicts = files.flatMap(({ path, conflicts: found }) =>
    found.map((conflict) => ({ file: path, ...conflict })),
  )
  for (const file of files) printFile(file, directory, output)
  printNotes(notes, output)
  for (const { file, path, pulled } of conflicts) {
    const now = pulled === null ? 'the pull leaves it out.' : `the database has ${pulled.trim()}`
    output.err(`${shownPath(join(directory, file))}: both sides have changed ${path.join(' > ')}. Yours stays; ${now}`)
  }
  const verb = isCheck ? 'would change' : 'changed'
  output.out(`${counted(types.length, 'type')}, ${counted(changed.length, 'file')} ${verb}.`)
  const code = conflicts.length > 0 || (isCheck && changed.length > 0) ? 1 : 0
  return { code, result: { types, files: files.map(fileResult), notes } }
}

function printFile(file: ChangedFile, directory: string, output: Output): void {
  const paint = paintFor(output)
  const name = shownPath(join(directory, file.path))
  switch (file.state) {
    case 'unchanged':
      return
    case 'skipped':
      output.out(`${paint('yellow', 'skipped')}  ${name}: ${file.reason}`)
      return
    case 'added':
      output.out(`${paint('green', 'added')}    ${name}`)
      return
    case 'removed':
      output.out(`${paint('red', 'removed')}  ${name}`)
      return
    case 'changed':
      output.out(`${paint('bold', 'changed')}  ${name}`)
      for (const line of diffLines(file.before ?? '', file.after ?? '')) output.out(`  ${painted(line, output)}`)
  }
}

function painted({ sign, text }: DiffLine, output: Output): string {
  const line = `${sign} ${text}`
  return sign === ' ' ? line : paintFor(output)(sign === '+' ? 'green' : 'red', line)
}

function printNotes(notes: Pulled['notes'], output: Output): void {
  const groups = [
    ['Left out, because they look like secrets:', notes.filter(({ kind }) => kind === 'secret')],
    ['Not served:', notes.filter(({ kind }) => kind === 'notServed')],
    ['Served, but:', notes.filter(({ kind }) => kind === 'note')],
  ] as const
  for (const [title, group] of groups) {
    if (group.length === 0) continue
    output.out(paintFor(output)('bold', title))
    for (const { subject, sentence } of group) output.out(`  ${subject}: ${sentence}`)
  }
}

function fileResult({ path, state, reason, conflicts, before, after }: ChangedFile) {
  const diff = diffLines(before ?? '', after ?? '').map(({ sign, text }) => `${sign}${text}`)
  return { path, state, reason, conflicts, diff }
}
