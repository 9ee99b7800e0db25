import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { ColumnType } from '../../../stores/sql/schema/column-type.js'
import type { SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { type CheckedColumn, readCheck } from './check-expression.js'
import { type ColumnKind, columnKind } from './column-kind.js'
import type { PlannedField, PullNote, RowMember } from './plan.js'
import { listLiteral, textLiteral } from './source-name.js'

export interface AttributeContext {
  readonly engine: ToolEngineName
  readonly table: SchemaTable
  /** The name of the attribute. */
  readonly name: string
  /** The member of the row with its value. */
  readonly member: string
  /** Whether the column is a part of the key, so that it cannot be changed. */
  readonly isKey: boolean
  /** Whether the whole type is read-only. */
  readonly isReadOnly: boolean
  /** Whether instants in the row are texts, with all their digits. */
  readonly isText: boolean
  /** Whether the service fills the column. */
  readonly isFilled?: boolean
}

export interface PlannedAttribute {
  readonly attribute: PlannedField | null
  readonly row: RowMember
  readonly filter: PlannedField | null
  readonly note: PullNote | null
}

/** Plans the attribute of a column. */
export function planAttribute(column: SchemaColumn, context: AttributeContext): PlannedAttribute {
  const { table, engine, name, member, isText } = context
  const checks = checksOf(table, column)
  const kind = columnKind(column, { member, engine, checks })
  if (typeof kind === 'string') {
    const isNeeded = !column.nullable && !column.hasDefault
    const sentence = isNeeded ? `${kind} Until then nothing can be created: the database requires a value.` : kind
    const note = { kind: 'notServed', subject: `${table.name}.${column.name}`, sentence } as const
    return { attribute: null, row: rowMember(member, 'unknown', column), filter: null, note }
  }
  const values = valuesOf(column, checks)
  const calls = [...attributeCalls(column, kind, context), ...constraintCalls(column, kind, checks, values)]
  const ordered = [...calls, ...uniqueCalls(table, column, context), ...queryCalls(column, context)]
  const described = column.comment === null ? [] : [`describedAs(${textLiteral(column.comment)})`]
  return {
    attribute: { name, calls: [...ordered, ...described] },
    row: rowMember(member, isText ? 'string' : kind.rowType, column),
    filter: filterOf(table, column, { name, kind, hasValues: values !== null }),
    note: noteOf(table, column, kind),
  }
}

function rowMember(name: string, type: string, { nullable }: SchemaColumn): RowMember {
  return { name, type: nullable ? `${type} | null` : type }
}

/** Returns the checks of a column: those of the table, and those of its domain. */
function checksOf({ checks }: SchemaTable, { name, domainChecks }: SchemaColumn): readonly CheckedColumn[] {
  const own = checks.flatMap(readCheck).filter(({ column }) => column.toLowerCase() === name.toLowerCase())
  return [...own, ...domainChecks.flatMap(readCheck)]
}

/** Returns the calls before the constraints: the kind, the column, and whether it is required or nullable. */
function attributeCalls(column: SchemaColumn, kind: ColumnKind, context: AttributeContext): readonly string[] {
  const { name, member, isKey, isReadOnly } = context
  const [head = '', ...rest] = kind.calls
  const isFilled = column.generated !== undefined || kind.isReadOnly || context.isFilled === true
  const isRequired = !column.nullable && !column.hasDefault && !isFilled && !isReadOnly
  return [
    head,
    ...(name === member ? [] : [`storedAs(${textLiteral(member)})`]),
    ...(isRequired ? ['required()'] : []),
    ...(column.nullable ? ['nullable()'] : []),
    // A read-only attribute has no function that writes it.
    ...rest.filter((call) => !(call.startsWith('fillUsing(') && (isFilled || isReadOnly))),
    ...(isFilled && !isReadOnly ? ['readOnly()'] : []),
    ...(kind.isReadOnly ? ['sparseByDefault()'] : []),
    ...(isKey && !isFilled && !isReadOnly ? ['readOnlyOnUpdate()'] : []),
  ]
}

/** Returns the values that a column may have: the labels of an enumeration, or those of a check. */
function valuesOf({ labels }: SchemaColumn, checks: readonly CheckedColumn[]): readonly (string | number)[] | null {
  return labels ?? checks.find(({ values }) => values !== undefined)?.values ?? null
}

function constraintCalls(
  column: SchemaColumn,
  { constraints }: ColumnKind,
  checks: readonly CheckedColumn[],
  values: readonly (string | number)[] | null,
): readonly string[] {
  if (column.labels !== undefined && column.type === 'other') return [`in(${listLiteral(column.labels)})`]
  switch (constraints) {
    case 'text': {
      const texts = values?.filter((value) => typeof value === 'string') ?? []
      if (values !== null && texts.length === values.length) return [`in(${listLiteral(texts)})`]
      return lengthCalls(column, checks)
    }
    case 'integer':
      if (values?.every((value) => Number.isSafeInteger(value)) === true) return [`in([${values.join(', ')}])`]
      return boundCalls(checks.map(inclusive), (bound) => (Number.isSafeInteger(Number(bound)) ? bound : null))
    case 'bigint':
      return boundCalls(checks, (bound) => (/^-?\d+$/.test(bound) ? `${bound}n` : null))
    case 'decimal':
      return boundCalls(checks, (bound) => String(Number(bound)))
    case 'none':
      return []
  }
}

function lengthCalls({ databaseType, type }: SchemaColumn, checks: readonly CheckedColumn[]): readonly string[] {
  const declared = type === 'text' ? Number(/\(\s*(\d+)\s*\)/.exec(databaseType)?.[1] ?? Number.NaN) : Number.NaN
  const most = [declared, ...checks.map(({ maxLength = Number.NaN }) => maxLength)].filter((limit) => limit > 0)
  const least = checks.flatMap(({ minLength = 0 }) => (minLength > 0 ? [minLength] : []))
  return [
    ...(least.length === 0 ? [] : [`minLength(${Math.max(...least)})`]),
    ...(most.length === 0 ? [] : [`maxLength(${Math.min(...most)})`]),
  ]
}

const boundNames = ['min', 'exclusiveMin', 'max', 'exclusiveMax'] as const

/** Converts exclusive bounds of whole numbers to inclusive ones: more than 0 is at least 1. */
function inclusive({ exclusiveMin, exclusiveMax, ...check }: CheckedColumn): CheckedColumn {
  return {
    ...check,
    ...(exclusiveMin === undefined ? {} : { min: String(Math.floor(Number(exclusiveMin)) + 1) }),
    ...(exclusiveMax === undefined ? {} : { max: String(Math.ceil(Number(exclusiveMax)) - 1) }),
  }
}

/** Returns the narrowest bound of each kind. */
function boundCalls(checks: readonly CheckedColumn[], literal: (bound: string) => string | null): readonly string[] {
  return boundNames.flatMap((name) => {
    const bounds = checks.flatMap((check) => check[name] ?? []).toSorted((a, b) => Number(a) - Number(b))
    const narrowest = /min/i.test(name) ? bounds.at(-1) : bounds[0]
    const text = narrowest === undefined ? null : literal(narrowest)
    return text === null ? [] : [`${name}(${text})`]
  })
}

/** Returns `unique()` if the column has its own unique index. `unique({ with })` for indexes over several columns is added later. */
function uniqueCalls({ indexes }: SchemaTable, { name }: SchemaColumn, { isKey }: AttributeContext): readonly string[] {
  const isUnique = indexes.some(({ unique, partial, columns }) => {
    return unique && !partial && columns.length === 1 && columns[0] === name
  })
  return isUnique && !isKey ? ['unique()'] : []
}

/** The types of columns whose values have a natural order. */
const sorted: ReadonlySet<string> = new Set<ColumnType>([
  'text',
  'integer',
  'bigint',
  'number',
  'real',
  'decimal',
  'boolean',
  'instant',
  'timestamp',
  'date',
  'time',
])

function queryCalls(column: SchemaColumn, { table }: AttributeContext): readonly string[] {
  const isServed = leadingIndexes(table, column.name).some(({ sortsTexts }) => column.type !== 'text' || sortsTexts)
  return isServed && sorted.has(column.type) ? ['sortable()'] : []
}

/** Returns the indexes over all rows that start with a column. */
export function leadingIndexes({ indexes, otherIndexes }: SchemaTable, column: string): SchemaTable['indexes'] {
  return indexes.filter(({ name, partial, columns }) => {
    return columns[0] === column && !partial && !otherIndexes.has(name)
  })
}

function filterOf(
  table: SchemaTable,
  column: SchemaColumn,
  { name, kind, hasValues }: { readonly name: string; readonly kind: ColumnKind; readonly hasValues: boolean },
): PlannedField | null {
  if (leadingIndexes(table, column.name).length === 0) return null
  const filter = hasValues && kind.filter !== 'boolean' ? 'in' : kind.filter
  return filter === null ? null : { name, calls: [`f.${filter}()`] }
}

function noteOf({ name: table }: SchemaTable, { name, databaseType, type }: SchemaColumn, kind: ColumnKind) {
  const subject = `${table}.${name}`
  if (kind.isReadOnly) {
    const sentence = `The type '${databaseType}' is read-only. Search it by a custom filter: see sqlFilter() of ashlar/sql.`
    return { kind: 'note', subject, sentence } as const
  }
  if (type === 'json' && kind.calls.some((call) => call.startsWith('serializeUsing('))) {
    const sentence =
      'Clients can write only objects, because no check or default describes its JSON. Responses show any JSON in it.'
    return { kind: 'note', subject, sentence } as const
  }
  return null
}
