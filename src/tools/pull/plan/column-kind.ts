import { dialects } from '../../../stores/sql/dialect/dialects.js'
import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { SchemaColumn } from '../../../stores/sql/schema/database-schema.js'
import type { CheckedColumn } from './check-expression.js'
import { memberOf, propertyKey } from './source-name.js'

/** The declaration of a column: the first calls of the attribute, and the type of the values in rows. */
export interface ColumnKind {
  readonly calls: readonly string[]
  readonly rowType: string
  /** The constraints that fit. */
  readonly constraints: 'text' | 'integer' | 'bigint' | 'decimal' | 'none'
  /** The filter for which an index helps; null if none does. */
  readonly filter: 'where' | 'range' | 'dateRange' | 'boolean' | null
  /** Whether it is read-only: the text that the database displays may not be valid input. */
  readonly isReadOnly: boolean
}

interface KindContext {
  readonly member: string
  readonly engine: ToolEngineName
  readonly checks: readonly CheckedColumn[]
}

/** Returns the kind of an attribute over a column, or why there is none. */
export function columnKind(column: SchemaColumn, { member, engine, checks }: KindContext): ColumnKind | string {
  switch (column.type) {
    case 'text':
      return kind({ call: 'string()', rowType: 'string', constraints: 'text', filter: 'where' })
    case 'integer':
      return isZeroOrOne(checks)
        ? kind({ call: 'boolean()', rowType: 'number', filter: 'boolean' })
        : kind({ call: 'integer()', rowType: 'number', constraints: 'integer', filter: 'range' })
    case 'bigint':
      return kind({ call: 'bigint()', rowType: 'bigint', constraints: 'bigint', filter: 'range' })
    case 'number':
    case 'real':
      return kind({ call: 'decimal()', rowType: 'number', constraints: 'decimal', filter: 'range' })
    case 'decimal':
      return kind({ call: 'decimal()', rowType: 'string', constraints: 'decimal', filter: 'range' })
    case 'boolean':
      return kind({ call: 'boolean()', rowType: 'boolean', filter: 'boolean' })
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
      return kind({ call: 'dateTime()', rowType: 'Date', filter: 'dateRange' })
    case 'date':
      return kind({ call: 'date()', rowType: 'string', filter: 'dateRange' })
    case 'time':
      return kind({ call: 'time()', rowType: 'string', filter: 'where' })
    case 'uuid':
      return kind({ call: 'uuid()', rowType: 'string', filter: 'where' })
    case 'json':
      return jsonKind(column, member, checks)
    case 'list':
      return listKind(column)
    case 'bytes':
      return bytesKind(member, column.nullable)
    case 'other':
      return otherKind(column, engine)
  }
}

interface PlainKind extends Partial<Omit<ColumnKind, 'calls'>> {
  readonly call: string
  readonly rowType: string
}

function kind({ call, rowType, constraints = 'none', filter = null, isReadOnly = false }: PlainKind): ColumnKind {
  return { calls: [`a.${call}`], rowType, constraints, filter, isReadOnly }
}

/** Returns whether a check allows only 0 and 1. */
function isZeroOrOne(checks: readonly CheckedColumn[]): boolean {
  return checks.some(({ values, min, max }) => {
    if (values !== undefined) return values.length === 2 && values.includes(0) && values.includes(1)
    return min === '0' && max === '1'
  })
}

/** Returns the kind of a JSON column. Without a check or a default, it may contain other values than objects. */
function jsonKind({ defaultText }: SchemaColumn, member: string, checks: readonly CheckedColumn[]): ColumnKind {
  const isObject = checks.some(({ jsonType }) => jsonType === 'object') || /^'\{\s*\}'/.test(defaultText ?? '')
  const hash = kind({ call: 'arrayHash()', rowType: 'Record<string, JsonValue>' })
  if (isObject) return hash
  return { ...hash, calls: [...hash.calls, `serializeUsing((row) => ${memberOf('row', member)})`] }
}

const itemTypes: Readonly<Record<string, readonly [of: string, rowType: string] | undefined>> = {
  text: ['', 'string[]'],
  uuid: ['', 'string[]'],
  date: ['', 'string[]'],
  time: ['', 'string[]'],
  other: ['', 'string[]'],
  integer: ["of('integer')", 'number[]'],
  bigint: ["of('bigint')", 'bigint[]'],
  number: ["of('number')", 'number[]'],
  real: ["of('number')", 'number[]'],
  decimal: ["of('number')", 'string[]'],
  boolean: ["of('boolean')", 'boolean[]'],
}

function listKind({ items = 'other', databaseType }: SchemaColumn): ColumnKind | string {
  const [of, rowType] = itemTypes[items] ?? []
  if (of === undefined || rowType === undefined) {
    return `It is an array of the type '${databaseType}', whose items cannot be represented in JSON: declare it yourself with extractUsing() and fillUsing().`
  }
  return { ...kind({ call: 'arrayList()', rowType }), calls: ['a.arrayList()', ...(of === '' ? [] : [of])] }
}

/** Bytes are shown in base64. */
function bytesKind(member: string, isNullable: boolean): ColumnKind {
  const stored = memberOf('row', member)
  const [read, write] = [`Buffer.from(${stored}).toString('base64')`, "Buffer.from(String(value), 'base64')"]
  const key = propertyKey(member)
  const calls = isNullable
    ? [
        `extractUsing((row) => (${stored} === null ? null : ${read}))`,
        `fillUsing((_row, value) => ({ ${key}: value === null ? null : ${write} }))`,
      ]
    : [`extractUsing((row) => ${read})`, `fillUsing((_row, value) => ({ ${key}: ${write} }))`]
  return { ...kind({ call: 'string()', rowType: 'Uint8Array' }), calls: ['a.string()', ...calls] }
}

function otherKind({ labels, databaseType }: SchemaColumn, engine: ToolEngineName): ColumnKind {
  const isSearch = databaseType === 'tsvector' || databaseType === 'tsquery'
  return kind({
    call: 'string()',
    rowType: 'string',
    // A column without a fixed type may contain any value.
    constraints: !dialects[engine].can.typeColumns || databaseType === 'citext' ? 'text' : 'none',
    filter: labels === undefined && !isSearch ? 'where' : null,
    isReadOnly: isSearch,
  })
}
