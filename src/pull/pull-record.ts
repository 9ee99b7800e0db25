import { type Casing, casings } from './plan/words.js'
import type { Origin } from '../data/sql/dialect/pull-rules.js'

/** The file in the directory of the declarations that records the last pull. It is committed with them. */
export const recordName = 'pulled.json'

/** The options and the texts of the last pull, with which the next one compares the files. */
export interface PullRecord {
  readonly casing: Casing
  readonly schema: string | null
  readonly excluded: readonly string[]
  /** The database, with the names of its tables; null if the record does not name it. */
  readonly database: (Origin & { readonly tables: readonly string[] }) | null
  /** Texts by path, relative to the directory. */
  readonly files: ReadonlyMap<string, string>
}

/** Returns the text of the record. Each text is a list of lines, so that a change can be read in a diff of the record too. */
export function recordText({ casing, schema, excluded, database, files }: PullRecord): string {
  const lines = Object.fromEntries([...files].map(([path, text]) => [path, text.split('\n')]))
  const about = 'Written by `ashlar pull`, which compares the files with it. Commit it, and do not edit it.'
  return `${JSON.stringify({ about, casing, schema, exclude: excluded, database, files: lines }, null, 2)}\n`
}

/** Parses a record. Returns null if the text is not a record. */
export function readRecord(text: string): PullRecord | null {
  try {
    const { casing, schema, exclude, database, files } = JSON.parse(text) as {
      readonly casing: Casing
      readonly schema: string | null
      readonly exclude: readonly string[]
      readonly database?: PullRecord['database']
      readonly files: Readonly<Record<string, readonly string[]>>
    }
    const texts = Object.entries(files).map(([path, lines]): [string, string] => [path, lines.join('\n')])
    if (!casings.includes(casing)) return null
    return { casing, schema, excluded: exclude, database: database ?? null, files: new Map(texts) }
  } catch {
    return null
  }
}
