import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { describeConnectFailure } from '../data/sql/driver/postgres/connect-failure.js'
import { driverOf } from '../data/sql/driver/driver-of.js'
import type { SqlDriver } from '../data/sql/driver/sql-driver.js'
import { describeOpenFailure } from '../data/sql/driver/sqlite/sqlite-faults.js'
import { thrownMessage } from '../errors/describe-thrown.js'
import { declarationFiles, isDirectory } from '../discovery/declaration-files.js'
import { type ChangedFile, changedFiles } from './changed-files.js'
import { changedSnapshot } from './changed-snapshot.js'
import { checkOrigin } from './check-origin.js'
import type { PullNote } from './plan/plan.js'
import { planService } from './plan/plan-service.js'
import type { Casing } from './plan/words.js'
import { readRecord, recordName, recordText } from './pull-record.js'
import { secretNotes } from './secret-notes.js'
import type { DatabaseSchema } from './read/database-schema.js'
import { openDatabase, type OpenDatabase, OpenError } from './read/open-database.js'
import { type Origin, readOrigin } from './read/read-origin.js'
import { readSchema } from './read/read-schema.js'
import { declarationFilesOf, type PulledFiles } from './write/pulled-files.js'
import { mainText, serverText } from './write/server-text.js'

export interface PullOptions {
  /** A URL of PostgreSQL, or the path of a file of SQLite. */
  readonly address: string
  /** The directory of the declarations. */
  readonly directory: string
  /** Null for the casing of the last pull, or camelCase. */
  readonly casing: Casing | null
  /** Null for the schema of the last pull, or the first one of the search path. */
  readonly schema: string | null
  /** Null for the excluded tables of the last pull. */
  readonly excluded: readonly string[] | null
}

/** The result of a pull, before anything is written. */
export interface Pulled {
  readonly types: readonly string[]
  readonly files: readonly ChangedFile[]
  readonly notes: readonly PullNote[]
  /** Writes and removes the files, and records the pull. */
  write(): Promise<void>
}

/** Reads the schema of a database, and plans declarations of its tables. Rejects with an `OpenError` if the database cannot be meant. */
export async function pull(options: PullOptions): Promise<Pulled> {
  const directory = resolve(options.directory)
  const recordFile = join(directory, recordName)
  const last = existsSync(recordFile) ? readRecord(readFileSync(recordFile, 'utf8')) : null
  const schemaName = options.schema ?? last?.schema ?? null
  const casing = options.casing ?? last?.casing ?? 'camelCase'
  const excluded = options.excluded ?? last?.excluded ?? []
  const opened = await openDatabase(options.address)
  try {
    const driver = driverOf(opened.database, {})
    const { origin, schema } = await readDescribed(driver, { file: opened.sqlite?.file ?? null, schema: schemaName })
    const plan = planService(schema, { casing, excluded })
    checkOrigin({ origin, schema, plan, last, directory: options.directory })
    const pulled = new Map([...declarationFilesOf(plan), ...serviceFiles({ plan, directory, opened })])
    const read = (path: string): string | null => textOf(join(directory, path))
    const changes = changedFiles({ recorded: last?.files ?? new Map(), pulled, read })
    const present = isDirectory(directory) ? await declarationFiles(directory) : []
    const files = [changedSnapshot({ directory, present, changes, read }), ...changes]
    const texts = recordedTexts(pulled, files, last?.files ?? new Map())
    // A copy of the database may have another name. Only the first one is recorded.
    const database = { ...(last?.database ?? origin), tables: schema.tables.map(({ name }) => name) }
    const record = recordText({ casing, schema: schemaName, excluded, database, files: texts })
    const write = async (): Promise<void> => {
      await writeFiles(directory, files)
      await mkdir(directory, { recursive: true })
      await writeFile(recordFile, record)
    }
    const after = new Map(files.map((file) => [file.path, file.after]))
    const notes = [...secretNotes(plan.secrets, (path) => after.get(path) ?? null), ...plan.notes]
    return { types: plan.types.map(({ type }) => type), files, notes, write }
  } finally {
    await opened.close()
  }
}

/** Returns the texts for the next comparison. A file that existed before the first pull is never merged. */
function recordedTexts(pulled: PulledFiles, files: readonly ChangedFile[], last: PulledFiles): PulledFiles {
  const foreign = new Set(
    files.filter(({ path, state }) => state === 'skipped' && !last.has(path)).map(({ path }) => path),
  )
  return new Map([...pulled].filter(([path]) => !foreign.has(path)))
}

interface Described {
  readonly origin: Origin
  readonly schema: DatabaseSchema
}

/** Reads the schema. An error of the database is replaced by one that describes its cause. */
async function readDescribed(driver: SqlDriver, names: Parameters<typeof readOrigin>[1]): Promise<Described> {
  try {
    return { origin: await readOrigin(driver, names), schema: await readSchema(driver, names.schema) }
  } catch (thrown) {
    if (thrown instanceof OpenError) throw thrown
    const description = driver.engine === 'postgres' ? describeConnectFailure(thrown) : describeOpenFailure(thrown)
    if (description === null && driver.faultOf(thrown) === null) throw thrown
    throw new OpenError(description ?? `The tables of the database cannot be read: ${thrownMessage(thrown)}`, {
      cause: thrown,
    })
  }
}

interface ServiceFileOptions {
  readonly plan: Parameters<typeof serverText>[0]['plan']
  readonly directory: string
  readonly opened: OpenDatabase
}

/** Returns the files of the server and of the program, which are next to the directory of the declarations. */
function serviceFiles({ plan, directory, opened }: ServiceFileOptions): PulledFiles {
  const sqlite = opened.sqlite === null ? null : { ...opened.sqlite, file: slashed(relative('', opened.sqlite.file)) }
  const resources = `./${basename(directory)}.snapshot.js`
  return new Map([
    ['../server.ts', serverText({ plan, sqlite, resources })],
    ['../main.ts', mainText()],
  ])
}

async function writeFiles(directory: string, files: readonly ChangedFile[]): Promise<void> {
  for (const { path, state, after } of files) {
    const file = join(directory, path)
    if (state === 'removed') await rm(file)
    if (after === null || (state !== 'added' && state !== 'changed')) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, after)
  }
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/')
}
