import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { driverOf } from '../../stores/sql/driver/driver-of.js'
import type { SqlDriver } from '../../stores/sql/driver/sql-driver.js'
import type { Connection, Origin, OriginOptions, PullRules } from '../../stores/sql/dialect/pull-rules.js'
import { OpenError } from '../../stores/sql/dialect/pull-rules.js'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import { declarationFiles, isDirectory } from '../../declare/discovery/declaration-files.js'
import { type AnonymousAccess, anonymousAccess } from './anonymous-access.js'
import { type ChangedFile, changedFiles } from './changed-files.js'
import { changedSnapshot } from './changed-snapshot.js'
import { checkOrigin } from './check-origin.js'
import { noteText, type PullNote } from './plan/plan.js'
import { typeColumnsOf } from './plan/named-references.js'
import { planService } from './plan/plan-service.js'
import type { Casing } from './plan/words.js'
import { type RelationSource, readRecord, recordName, recordText } from './pull-record.js'
import { secretNotes } from './secret-notes.js'
import type { DatabaseSchema } from '../../stores/sql/schema/database-schema.js'
import { engineAt } from './read/pull-engines.js'
import { type ReadOptions, readSchema } from './read/read-schema.js'
import { declarationFilesOf, type PulledFiles } from './write/pulled-files.js'
import { checkViewKeys, mergedKeys, readViewKeys, withViewKeys } from './view-keys.js'
import { serviceFiles } from './write/service-files.js'

export interface PullOptions {
  /** A URL of PostgreSQL, or the path of a file of SQLite. */
  readonly address: string
  /** The directory of the declarations. */
  readonly directory: string
  /** Null for the casing of the last pull, or camelCase. */
  readonly casing: Casing | null
  /** Null for the schemas of the last pull, or the first one of the search path. */
  readonly schemas: readonly string[] | null
  /** Null for that of the last pull, or foreign keys. */
  readonly relations: RelationSource | null
  /** Null for the excluded tables of the last pull. */
  readonly excluded: readonly string[] | null
  /** The keys of views, such as `order_totals=order_id`, in addition to those of the last pull. */
  readonly viewKeys: readonly string[]
}

/** The result of a pull, before anything is written. */
export interface Pulled {
  readonly types: readonly string[]
  readonly files: readonly ChangedFile[]
  readonly notes: readonly PullNote[]
  /** The notes that the last pull did not have. */
  readonly newNotes: readonly PullNote[]
  /** The package that opens the database. */
  readonly driver: string
  readonly anonymous: AnonymousAccess
  /** Writes and removes the files, and records the pull. */
  write(): Promise<void>
}

/** Reads the schema of a database, and plans declarations of its tables. Rejects with an `OpenError` if the database cannot be meant. */
export async function pull(options: PullOptions): Promise<Pulled> {
  const directory = resolve(options.directory)
  const recordFile = join(directory, recordName)
  const last = existsSync(recordFile) ? readRecord(readFileSync(recordFile, 'utf8')) : null
  const schemas = options.schemas ?? last?.schemas ?? []
  const relations = options.relations ?? last?.relations ?? 'keys'
  const casing = options.casing ?? last?.casing ?? 'camelCase'
  const excluded = options.excluded ?? last?.excluded ?? []
  const givenKeys = readViewKeys(options.viewKeys)
  const viewKeys = mergedKeys(last?.viewKeys ?? new Map(), givenKeys)
  const relatesByName = relations === 'names'
  const found = await readDatabase(options.address, {
    schemas,
    typeColumns: relatesByName ? typeColumnsOf : null,
  })
  const { origin, connection } = found
  const typeValues = mergedValues(last?.typeValues ?? new Map(), found.schema.typeValues)
  const schema = withViewKeys({ ...found.schema, typeValues }, viewKeys)
  const plan = planService(schema, { casing, excluded, relatesByName })
  checkOrigin({ origin, schema, plan, last, directory: options.directory })
  checkViewKeys(schema, givenKeys)
  const service = serviceFiles({ plan, connection, resources: `./${basename(directory)}.snapshot.js` })
  const pulled = new Map([...declarationFilesOf(plan), ...service])
  const read = (path: string): string | null => textOf(join(directory, path))
  const changes = changedFiles({ recorded: last?.files ?? new Map(), pulled, read })
  const present = isDirectory(directory) ? await declarationFiles(directory) : []
  const files = [changedSnapshot({ directory, present, changes, read }), ...changes]
  const after = new Map([...present.map((path) => [path, read(path)] as const), ...afterOf(files)])
  // A copy of the database may have another name. Only the first one is recorded.
  const database = { ...(last?.database ?? origin), tables: schema.tables.map(({ name }) => name) }
  const texts = recordedTexts(pulled, files, last?.files ?? new Map())
  const notes = [...secretNotes(plan.secrets, (path) => after.get(path) ?? null), ...plan.notes]
  const record = recordText({
    casing,
    schemas,
    relations,
    excluded,
    viewKeys,
    database,
    typeValues: relatesByName ? typeValues : new Map(),
    notes: notes.map(noteText),
    files: texts,
  })
  const known = new Set(last?.notes)
  return {
    types: plan.types.map(({ type }) => type),
    files,
    notes,
    newNotes: notes.filter((note) => !known.has(noteText(note))),
    driver: connection.package,
    anonymous: anonymousAccess(after.get('../server.ts') ?? null, [...after.values()]),
    async write() {
      await writeFiles(directory, files)
      await mkdir(directory, { recursive: true })
      await writeFile(recordFile, record)
    },
  }
}

/** Adds the names that rows have now to those of the last pull: a copy of the database may have fewer rows. */
function mergedValues(last: TypeValues, found: TypeValues): TypeValues {
  return new Map(
    [...found].map(([column, values]) => [column, [...new Set([...(last.get(column) ?? []), ...values])].toSorted()]),
  )
}

type TypeValues = DatabaseSchema['typeValues']

/** Returns the texts that files have after the pull. */
function afterOf(files: readonly ChangedFile[]): readonly (readonly [path: string, text: string | null])[] {
  return files.map(({ path, after }) => [path, after])
}

/** Returns the texts for the next comparison. A file that existed before the first pull is never merged. */
function recordedTexts(pulled: PulledFiles, files: readonly ChangedFile[], last: PulledFiles): PulledFiles {
  const foreign = new Set(
    files.filter(({ path, state }) => state === 'skipped' && !last.has(path)).map(({ path }) => path),
  )
  return new Map([...pulled].filter(([path]) => !foreign.has(path)))
}

interface ReadDatabase {
  readonly origin: Origin
  readonly schema: DatabaseSchema
  /** How the service opens it. The path of a file is relative to the working directory. */
  readonly connection: Connection
}

async function readDatabase(address: string, options: ReadOptions): Promise<ReadDatabase> {
  const engine = engineAt(address)
  const opened = await engine.open(address)
  const { database, package: name, file } = opened
  try {
    const described = await readDescribed(engine, driverOf(database, {}), { file, ...options })
    const path = file === null ? null : relative('', file).replaceAll(sep, '/')
    return { ...described, connection: { package: name, file: path } }
  } finally {
    await opened.close()
  }
}

/** Reads the schema. An error of the database is replaced by one that describes its cause. */
async function readDescribed(
  engine: PullRules,
  driver: SqlDriver,
  options: Pick<OriginOptions, 'file'> & ReadOptions,
): Promise<Omit<ReadDatabase, 'connection'>> {
  try {
    return {
      origin: await engine.readOrigin(driver, options),
      schema: await readSchema(engine, driver, options),
    }
  } catch (thrown) {
    if (thrown instanceof OpenError) throw thrown
    const description = driver.dialect.schema.describeFailure(thrown)
    if (description === null && driver.faultOf(thrown) === null) throw thrown
    throw new OpenError(description ?? `The tables of the database cannot be read: ${thrownMessage(thrown)}`, {
      cause: thrown,
    })
  }
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
