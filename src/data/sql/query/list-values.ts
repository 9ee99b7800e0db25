import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'
import { jsonList } from './json-list.js'
import type { Operand } from './operands.js'
import { rowTypes, rowValues } from './row-operand.js'
import { exists } from './sql-parts.js'
import type { Aliases, Binding, StatementBuild, SqlPart } from './statement-build.js'

/** A list of values of one type, bound as one parameter. */
export interface BoundList {
  contains(column: RawBuilder<unknown>): RawBuilder<boolean>
  /** Returns the condition that one of the values meets a condition. PostgreSQL only. */
  containsEqual(isEqual: (value: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean>
}

/** Binds a list of values: as an array on PostgreSQL, as JSON on SQLite, which has no arrays. */
export function boundList(operands: readonly Pick<Operand, 'value' | 'type'>[], { shape, engine }: Binding): BoundList {
  const type = operands[0]?.type ?? 'text'
  shape.addKeyPart(`list ${type}`)
  const slot = shape.bind(listValue(operands, engine))
  const types = rowTypes(type)
  if (types !== null) return rowList(slot, types, engine)
  const containsEqual: BoundList['containsEqual'] = (isEqual) =>
    sql<boolean>`exists (select from unnest(${slot}::${sql.raw(type)}[]) as listed(value) where ${isEqual(sql.id('listed', 'value'))})`
  if (engine === 'postgres') {
    return { contains: (column) => sql<boolean>`${column} = any(${slot}::${sql.raw(type)}[])`, containsEqual }
  }
  return { contains: (column) => sql<boolean>`${column} in (select value from json_each(${slot}))`, containsEqual }
}

/** A list of composite keys is one JSON text on both engines. */
function rowList(slot: unknown, types: readonly string[], engine: EngineName): BoundList {
  const item = engine === 'postgres' ? sql.id('listed', 'value') : sql.id('value')
  const items =
    engine === 'postgres'
      ? sql`jsonb_array_elements(${slot}::jsonb) as ${sql.id('listed')}(${sql.id('value')})`
      : sql`json_each(${slot})`
  const contains: BoundList['contains'] = (key) =>
    sql<boolean>`${key} in (select ${rowValues(item, types, engine)} from ${items})`
  return {
    contains,
    containsEqual() {
      throw new Error('A composite key is compared by its parts, which have no digits that are not shown.')
    },
  }
}

/** Returns the parameter value of a list. */
export function listValue(operands: readonly Pick<Operand, 'value' | 'type'>[], engine: EngineName): unknown {
  if (rowTypes(operands[0]?.type ?? null) !== null) return `[${operands.map(({ value }) => String(value)).join(',')}]`
  const values = operands.map(({ value }) => value)
  return engine === 'postgres' ? values : jsonList(values)
}

interface ListColumn {
  readonly compared: { readonly isRounded: boolean }
  readonly column: { readonly type: ColumnType; readonly items: ColumnType | null }
  readonly build: StatementBuild
  readonly reference: (at: Aliases) => RawBuilder<unknown>
}

/**
 * Returns a condition that one member of a list column is one of the values. Numbers in arrays are compared by size,
 * all others as text.
 */
export function listHasOneOf(
  { column, compared, build, reference }: ListColumn,
  values: readonly Operand[],
  negated: boolean,
): SqlPart {
  if (build.engine === 'postgres' && column.type === 'list') {
    return overlapping({ column, compared, build, reference }, values, negated)
  }
  const isOneOf = memberTest(values, build)
  const members = memberSource(build)
  return (at) => {
    const member = at.fresh()
    const has = exists(sql`select 1 from ${members(reference(at), member)} where ${isOneOf(member)}`, build)
    return negated ? sql`(${reference(at)} is not null and not ${has})` : has
  }
}

/** Uses the overlap operator of PostgreSQL arrays, for which an index can be used. */
function overlapping(
  { column: { items }, compared: { isRounded }, build, reference }: ListColumn,
  values: readonly Operand[],
  negated: boolean,
): SqlPart {
  const exact = comparedItems(items)
  const type = exact === 'numeric' && isRounded ? 'float8' : exact
  const texts = values.map(({ value }) => value)
  const numbers = texts.filter(isNumberText).map((text) => (type === 'float4' ? Math.fround(Number(text)) : text))
  const slot = build.shape.bind(type === 'text' ? texts : numbers)
  build.shape.addKeyPart(`overlap ${items ?? 'text'} ${type}`)
  // A cast to text differs from the text that is shown for some types: it adds the mask to an `inet`.
  const overlap: SqlPart =
    items === 'other'
      ? (at) =>
          sql`exists (select from unnest(${reference(at)}) as item(value) where format('%s', item.value) = any(${slot}::text[]))`
      : (at) => sql`${reference(at)}::${sql.raw(type)}[] && ${slot}::${sql.raw(type)}[]`
  return negated ? (at) => sql`(${reference(at)} is not null and not (${overlap(at)}))` : overlap
}

/** The type that the items of an array are compared as. */
function comparedItems(items: ColumnType | null): 'text' | 'numeric' | 'float8' | 'float4' {
  switch (items) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return 'numeric'
    case 'number':
      return 'float8'
    case 'real':
      return 'float4'
    default:
      return 'text'
  }
}

function isNumberText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(value)
}

/** Returns a condition that a member of a JSON list is one of the values: by text, and numbers by size. */
function memberTest(values: readonly Operand[], build: StatementBuild): (alias: string) => RawBuilder<boolean> {
  const texts = boundList(
    values.map(({ value }) => ({ value, type: 'text' })),
    build,
  )
  const numberTexts = values.map(({ value }) => value).filter(isNumberText)
  build.shape.addKeyPart(`numbers ${numberTexts.length > 0}`)
  if (numberTexts.length === 0) return (alias) => texts.contains(memberText(alias, build))
  const isPostgres = build.engine === 'postgres'
  const numbers = boundList(
    numberTexts.map((text) => ({ value: isPostgres ? text : Number(text), type: 'float8' })),
    build,
  )
  return (alias) => {
    const member = sql.id(alias, 'value')
    const isNumber = isPostgres
      ? sql`jsonb_typeof(${member}) = 'number'`
      : sql`${sql.id(alias, 'type')} in ('integer', 'real')`
    const number = isPostgres
      ? sql`case when ${isNumber} then (${member} #>> '{}')::float8 end`
      : sql`case when ${isNumber} then cast(${member} as real) end`
    return sql<boolean>`(${texts.contains(memberText(alias, build))} or ${numbers.contains(number)})`
  }
}

type MemberSource = (list: RawBuilder<unknown>, alias: string) => RawBuilder<unknown>

/** Returns the members of a list as rows. A column with a single value counts as a list of this value. */
function memberSource({ engine }: StatementBuild): MemberSource {
  if (engine === 'sqlite') {
    return (list, alias) =>
      sql`json_each(case when typeof(${list}) = 'blob' then '[]' when json_valid(${list}) and json_type(${list}) = 'array' then ${list} else json_array(${list}) end) as ${sql.id(alias)}`
  }
  return (list, alias) => {
    const json = sql`to_jsonb(${list})`
    return sql`jsonb_array_elements(case when jsonb_typeof(${json}) = 'array' then ${json} else jsonb_build_array(${json}) end) as ${sql.id(alias)}(value)`
  }
}

/** Returns a member as text. SQLite has 0 and 1 for booleans in JSON. */
function memberText(alias: string, { engine }: StatementBuild): RawBuilder<unknown> {
  const value = sql.id(alias, 'value')
  if (engine === 'postgres') return sql`${value} #>> '{}'`
  const type = sql.id(alias, 'type')
  return sql`case when ${type} in ('true', 'false') then ${type} else cast(${value} as text) end`
}
