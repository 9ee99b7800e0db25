import { createHmac } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Row } from '../../../core/rows/row-set.js'
import type { CompiledType } from '../compiled/compiled-type.js'
import type { RowObject } from '../fields/field-spec.js'

/** Returns the token of the version of a row; `null` if the row does not contain it. */
export type VersionReader = (row: Row) => string | null

const noVersion: VersionReader = () => null

/**
 * Returns a function that reads the token of the version from rows with these columns. Equal versions have equal tokens
 * in every process with the same secret. A hash needs rows with all columns of the model.
 */
export function versionReader({ version, model }: CompiledType, columns: readonly string[]): VersionReader {
  if (version === null) return noVersion
  if (version.kind === 'hash') return hashReader(columns, version.secret, model?.computedColumns ?? [])
  const position = columns.indexOf(version.column)
  if (position === -1) return noVersion
  const tokenOf = version.kind === 'instant' ? instantToken : numberToken
  return (row) => tokenOf(row[position])
}

/** Returns the token of the version of a row with all columns. */
export function versionOf(type: CompiledType, row: RowObject): string | null {
  if (type.version === null) return null
  return versionReader(type, Object.keys(row))(Object.values(row))
}

/** The token of a row that no write of the service has given a version. */
const unversioned = '0'

/** Some drivers return large integers as text. Other texts are no versions, and may not fit into a header. */
const number = /^-?\d+(?:\.\d+)?$/

function numberToken(value: unknown): string {
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
  return isNumber && number.test(`${value}`) ? `${value}` : unversioned
}

function instantToken(value: unknown): string {
  const time = value instanceof Date ? value.getTime() : Date.parse(typeof value === 'string' ? value : '')
  return Number.isNaN(time) ? unversioned : time.toString(36)
}

/** The columns that reads add to rows: flags for what the caller may see, and values of other rows. */
const addedColumn = /^(?:visible|ability|on)\(/

function hashReader(columns: readonly string[], secret: KeyObject, computed: readonly string[]): VersionReader {
  const own = columns
    .map((name, position) => ({ name, position }))
    .filter(({ name }) => !addedColumn.test(name) && !computed.includes(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return (row) => {
    const hash = createHmac('sha256', secret)
    for (const { name, position } of own) {
      const value = row[position]
      if (value !== null && value !== undefined) hash.update(`${JSON.stringify(name)}:${stableText(value)}\n`)
    }
    return hash.digest('base64url').slice(0, 22)
  }
}

/** Returns the same text for equal values of a column, regardless of the order of the members of objects. */
function stableText(value: unknown): string {
  if (value instanceof Date) return `date ${value.getTime()}`
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  if (typeof value === 'bigint') return `bigint ${value}`
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stableText(member)}`).join()}}`
  }
  return JSON.stringify(value) ?? typeof value
}
