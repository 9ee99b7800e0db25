import { isPlainObject } from '../../../core/util/deep-freeze.js'

/**
 * A format of an export.
 *
 * @example
 * ```ts
 * const format: ExportFormat = 'csv'
 * ```
 */
export type ExportFormat = 'ndjson' | 'csv' | 'json'

/** The media types of the formats. */
export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = Object.freeze({
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
})

/**
 * How clients export the collection of a type.
 *
 * @example
 * ```ts
 * const options: ExportOptions = { formats: ['csv'], maxRows: 1_000_000, csv: { bom: true } }
 * const exported = albums.with({ export: options })
 * ```
 */
export interface ExportOptions {
  /** Default: `ndjson` and `csv`. With `json`, clients that accept `application/json` get flat objects instead of a document. */
  readonly formats?: readonly ExportFormat[]
  /** An export with more rows is cut off. It is also the cost of an export, for the setting `queryCost`. Default: 100,000. */
  readonly maxRows?: number
  /** How long an export may take, in seconds. Until then it holds a connection of the database. Default: 60. */
  readonly seconds?: number
  /** How long an export waits for a client that reads nothing, in seconds. Default: 10. */
  readonly idleSeconds?: number
  readonly csv?: {
    /** Whether a file begins with a byte order mark, by which spreadsheets recognize UTF-8. Default: false. */
    readonly bom?: boolean
    /** Whether texts that spreadsheets would run as formulas get an apostrophe in front. Default: `escape`. */
    readonly formulas?: 'escape' | 'keep'
  }
}

/** The export of a type, compiled once at build. */
export interface CompiledExport {
  readonly formats: readonly ExportFormat[]
  readonly maxRows: number
  /** How long it may take, and how long it waits for the client, in milliseconds. */
  readonly time: number
  readonly idleTime: number
  readonly hasBom: boolean
  readonly escapesFormulas: boolean
}

/** Reads the member `export`. The rule exports reports its faults. */
export function compiledExport(declared: unknown): CompiledExport | null {
  if (declared === undefined || declared === null || declared === false) return null
  const { formats, maxRows, seconds, idleSeconds, csv }: ExportOptions = isPlainObject(declared) ? declared : {}
  return Object.freeze<CompiledExport>({
    formats: Array.isArray(formats) ? Object.freeze([...(formats as readonly ExportFormat[])]) : ['ndjson', 'csv'],
    maxRows: maxRows ?? 100_000,
    time: (seconds ?? 60) * 1000,
    idleTime: (idleSeconds ?? 10) * 1000,
    hasBom: csv?.bom === true,
    escapesFormulas: csv?.formulas !== 'keep',
  })
}
