import { dirname, join, resolve } from 'node:path'
import { env } from 'node:process'
import type { Pulled } from '../../pull/pull.js'
import { type Casing, casings } from '../../pull/plan/words.js'
import { type RelationSource, relationSources } from '../../pull/pull-record.js'
import type { Command, Outcome, Output, Shell } from '../command.js'
import { defineCommand } from '../command.js'
import { counted } from '../counted.js'
import { runningManager } from '../init/package-manager.js'
import { writeStarter } from '../init/write-starter.js'
import { withProgress } from '../progress.js'
import { missingPackages } from '../pull/missing-packages.js'
import { projectFiles } from '../pull/project-files.js'
import { reportPull } from '../pull/report-pull.js'
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
      'The service is closed: callers need the token of the file .env to read, and no one may write, until you change the line policy in server.ts. Columns that look like secrets are left out, and are listed. The last lines print what an anonymous caller may read and write. The first pull also writes package.json, tsconfig.json, .gitignore and .env, if they do not exist.',
      'A second run updates the files to changes of the database, and prints the changes. Your edits stay: statements, members and calls are compared with the last pull, which pulled.json in the directory records. If you and the database changed the same thing, your version stays, and the command prints it. Notes are printed again only if they have changed.',
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
        description:
          'the directory of the declarations. server.ts and the other files of the service are next to it. Default: src/resources',
        completes: 'directory',
      },
      casing: {
        kind: 'value',
        value: 'casing',
        description: `the casing of attributes and relations: ${casings.join(', ')}. Default: as in the last pull, else camelCase`,
        completes: casings,
      },
      schema: {
        kind: 'list',
        value: 'name',
        description:
          "a schema of PostgreSQL; with several, the types of all of them are in one service. '' for the first schema of the search path. Default: as in the last pull, else ''",
        completes: 'nothing',
      },
      relations: {
        kind: 'value',
        value: 'source',
        description:
          'what becomes a relation: keys (foreign keys), or names (also columns such as user_id, and pairs such as item_type and item_id, where the database has no foreign key). Default: as in the last pull, else keys',
        completes: relationSources,
      },
      exclude: {
        kind: 'list',
        value: 'table',
        description: "a table or view to leave out, or '' for none. Default: as in the last pull",
        completes: 'nothing',
      },
      key: {
        kind: 'list',
        value: 'view=columns',
        description:
          'the columns that identify the rows of a view, with commas between them: views have no key, and are served only with this. Without columns, the view is left out again. Default: as in the last pull',
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
      {
        call: 'ashlar pull "$DATABASE_URL" --schema sales --schema person --relations names',
        description: 'From two schemas, also with relations that have no foreign key.',
      },
      { call: 'ashlar pull catalogue.db --key order_totals=order_id', description: 'Also a view.' },
      { call: 'ashlar pull "$DATABASE_URL" --check', description: 'Has the database changed? For CI.' },
    ],
    exitCodes: {
      0: 'The files are written, or match the database.',
      1: 'With --check, the files do not match. Or you and the database changed the same thing, and you must resolve it. Or files would be removed, and nothing is changed.',
      2: 'The arguments are invalid, or the database cannot be read, or is another one. Nothing is changed.',
    },
  },
  async ({ database, output: directory, casing, schema, relations, exclude, key, check, yes }, output) => {
    const manager = runningManager(env) ?? 'npm'
    const missing = await missingPackages(database, manager)
    if (missing !== null) return fail(missing, output)
    // Imported here: other commands do not need database packages.
    const { pull } = await import('../../pull/pull.js')
    const target = directory ?? 'src/resources'
    const options = {
      address: database,
      directory: target,
      casing: casing as Casing | null,
      schemas: givenNames(schema),
      relations: relations as RelationSource | null,
      excluded: givenNames(exclude),
      viewKeys: key,
    }
    let pulled: Pulled
    try {
      pulled = await withProgress(output, 'Reading the schema', () => pull(options))
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name !== 'OpenError') throw thrown
      return fail(thrown.message, output)
    }
    if (check) return reportPull(pulled, { directory: target, isCheck: true, project: null }, output)
    const removals = pulled.files
      .filter(({ state }) => state === 'removed')
      .map(({ path }) => shownPath(join(target, path)))
    if (!yes && !(await mayRemove(removals, output))) return refuseRemovals(removals, output)
    const isNew = pulled.files.some(({ path, state }) => path === '../authentication.ts' && state === 'added')
    const sources = dirname(resolve(target))
    const project = isNew ? projectFiles({ sources, driver: pulled.driver, manager }) : null
    await pulled.write()
    if (project !== null) await writeStarter(project.root, project.files)
    return reportPull(pulled, { directory: target, isCheck: false, project }, output)
  },
)

/** Returns the names of an option; null if it is not given, and none if it is empty. */
function givenNames(given: readonly string[]): readonly string[] | null {
  return given.length === 0 ? null : given.filter((name) => name !== '')
}

function fail(error: string, output: Output): Outcome {
  output.err(error)
  return { code: 2, result: { error } }
}

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
