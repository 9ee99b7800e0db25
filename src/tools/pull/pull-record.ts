import { type Casing, casings } from './plan/words.js'
import type { ViewKeys } from './view-keys.js'
import type { Origin } from '../../stores/sql/dialect/pull-rules.js'

/** The file in the directory of the declarations that records the last pull. It is committed with them. */
export const recordName = 'pulled.json'

/** What becomes a relation: foreign keys, or also columns that are only named like references. */
export type RelationSource = 'keys' | 'names'

export const relationSources: readonly RelationSource[] = ['keys', 'names']

/** The options and the texts of the last pull, with which the next one compares the files. */
export interface PullRecord {
  readonly casing: Casing
  /** Empty for the first schema of the search path. */
  readonly schemas: readonly string[]
  readonly relations: RelationSource
  readonly excluded: readonly string[]
  readonly viewKeys: ViewKeys
  /** The database, with the names of its tables; null if the record does not name it. */
  readonly database: (Origin & { readonly tables: readonly string[] }) | null
  /** The names in columns with the types of related rows, by table and column. Later pulls keep them, also on a database without rows. */
  readonly typeValues: ReadonlyMap<string, readonly string[]>
  /** The notes of the last pull, as they were printed. */
  readonly notes: readonly string[]
  /** Texts by path, relative to the directory. */
  readonly files: ReadonlyMap<string, string>
}

/** Returns the text of the record. Each text is a list of lines, so that a change can be read in a diff of the record too. */
export function recordText({
  casing,
  schemas,
  relations,
  excluded,
  viewKeys,
  database,
  typeValues,
  notes,
  files,
}: PullRecord): string {
  const lines = Object.fromEntries([...files].map(([path, text]) => [path, text.split('\n')]))
  const about = 'Written by `ashlar pull`, which compares the files with it. Commit it, and do not edit it.'
  // One schema is a text, as in records of earlier versions.
  const [only = null, ...others] = schemas
  const options = { casing, schema: others.length === 0 ? only : schemas, relations, exclude: excluded }
  const keys = viewKeys.size === 0 ? {} : { keys: Object.fromEntries(viewKeys) }
  const types = typeValues.size === 0 ? {} : { typeValues: Object.fromEntries(typeValues) }
  return `${JSON.stringify({ about, ...options, ...keys, database, ...types, notes, files: lines }, null, 2)}\n`
}

/** Parses a record. Returns null if the text is not a record. */
export function readRecord(text: string): PullRecord | null {
  try {
    const { casing, schema, relations, exclude, keys, database, typeValues, notes, files } = JSON.parse(text) as {
      readonly casing: Casing
      readonly schema: string | readonly string[] | null
      readonly relations?: RelationSource
      readonly typeValues?: Readonly<Record<string, readonly string[]>>
      readonly exclude: readonly string[]
      readonly keys?: Readonly<Record<string, readonly string[]>>
      readonly database?: PullRecord['database']
      readonly notes?: readonly string[]
      readonly files: Readonly<Record<string, readonly string[]>>
    }
    const texts = Object.entries(files).map(([path, lines]): [string, string] => [path, lines.join('\n')])
    if (!casings.includes(casing)) return null
    return {
      casing,
      schemas: schema === null ? [] : typeof schema === 'string' ? [schema] : schema,
      relations: relations ?? 'keys',
      excluded: exclude,
      viewKeys: new Map(Object.entries(keys ?? {})),
      database: database ?? null,
      typeValues: new Map(Object.entries(typeValues ?? {})),
      notes: notes ?? [],
      files: new Map(texts),
    }
  } catch {
    return null
  }
}
