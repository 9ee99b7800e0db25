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
import type { PullNote } from './plan/plan.js'
import { planService } from './plan/plan-service.js'
import type { Casing } from './plan/words.js'
import { readRecord, recordName, recordText } from './pull-record.js'
import type { DatabaseSchema } from './read/database-schema.js'
import { openDatabase, type OpenDatabase, OpenError } from './read/open-database.js'
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
  /** Whether nothing is written. */
  readonly isCheck: boolean
}

export interface Pulled {
  readonly types: readonly string[]
  readonly files: readonly ChangedFile[]
  readonly notes: readonly PullNote[]
}

/** Reads the schema of a database, and writes declarations of its tables. */
export async function pull(options: PullOptions): Promise<Pulled> {
  const directory = resolve(options.directory)
  const recordFile = join(directory, recordName)
  const last = existsSync(recordFile) ? readRecord(readFileSync(recordFile, 'utf8')) : null
  const schemaName = options.schema ?? last?.schema ?? null
  const casing = options.casing ?? last?.casing ?? 'camelCase'
  const excluded = options.excluded ?? last?.excluded ?? []
  const opened = await openDatabase(options.address)
  try {
    const schema = await readDescribed(driverOf(opened.database, {}), schemaName)
    const plan = planService(schema, { casing, excluded })
    const pulled = new Map([...declarationFilesOf(plan), ...serviceFiles({ plan, directory, opened })])
    const read = (path: string): string | null => textOf(join(directory, path))
    const changes = changedFiles({ recorded: last?.files ?? new Map(), pulled, read })
    const present = isDirectory(directory) ? await declarationFiles(directory) : []
    const files = [changedSnapshot({ directory, present, changes, read }), ...changes]
    if (!options.isCheck) {
      await writeFiles(directory, files)
      await mkdir(directory, { recursive: true })
      const texts = recordedTexts(pulled, files, last?.files ?? new Map())
      await writeFile(recordFile, recordText({ casing, schema: schemaName, excluded, files: texts }))
    }
    return { types: plan.types.map(({ type }) => type), files, notes: plan.notes }
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

/** Reads the schema. An error of the database is replaced by one that describes its cause. */
async function readDescribed(driver: SqlDriver, schema: string | null): Promise<DatabaseSchema> {
  try {
    return await readSchema(driver, schema)
  } catch (thrown) {
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
