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
}

/** Binds a list of values: as an array on PostgreSQL, as JSON on SQLite, which has no arrays. */
export function boundList(operands: readonly Pick<Operand, 'value' | 'type'>[], { shape, engine }: Binding): BoundList {
  const type = operands[0]?.type ?? 'text'
  shape.addKeyPart(`list ${type}`)
  const slot = shape.bind(listValue(operands, engine))
  const types = rowTypes(type)
  if (types !== null) return rowList(slot, types, engine)
  if (engine === 'postgres') {
    return { contains: (column) => sql<boolean>`${column} = any(${slot}::${sql.raw(type)}[])` }
  }
  return { contains: (column) => sql<boolean>`${column} in (select value from json_each(${slot}))` }
}

/** A list of composite keys is one JSON text on both engines. */
function rowList(slot: unknown, types: readonly string[], engine: EngineName): BoundList {
  const item = engine === 'postgres' ? sql.id('listed', 'value') : sql.id('value')
  const items =
    engine === 'postgres'
      ? sql`jsonb_array_elements(${slot}::jsonb) as ${sql.id('listed')}(${sql.id('value')})`
      : sql`json_each(${slot})`
  return { contains: (key) => sql<boolean>`${key} in (select ${rowValues(item, types, engine)} from ${items})` }
}

/** Returns the parameter value of a list. */
export function listValue(operands: readonly Pick<Operand, 'value' | 'type'>[], engine: EngineName): unknown {
  if (rowTypes(operands[0]?.type ?? null) !== null) return `[${operands.map(({ value }) => String(value)).join(',')}]`
  const values = operands.map(({ value }) => value)
  return engine === 'postgres' ? values : jsonList(values)
}

interface ListColumn {
  readonly column: { readonly type: ColumnType }
  readonly build: StatementBuild
  readonly reference: (at: Aliases) => RawBuilder<unknown>
}

/** Returns a condition that one member of a list column is one of the values. They are compared as text. */
export function listHasOneOf(
  { column, build, reference }: ListColumn,
  values: readonly Operand[],
  negated: boolean,
): SqlPart {
  if (build.engine === 'postgres' && column.type === 'list') return overlapping({ build, reference }, values, negated)
  const list = boundList(
    values.map(({ value }) => ({ value, type: 'text' })),
    build,
  )
  const members = memberSource(build)
  return (at) => {
    const member = at.fresh()
    const has = exists(
      sql`select 1 from ${members(reference(at), member)} where ${list.contains(memberText(member, build))}`,
      build,
    )
    return negated ? sql`(${reference(at)} is not null and not ${has})` : has
  }
}

/** Uses the overlap operator of PostgreSQL arrays, for which an index can be used. */
function overlapping(
  { build, reference }: Pick<ListColumn, 'build' | 'reference'>,
  values: readonly Operand[],
  negated: boolean,
): SqlPart {
  const slot = build.shape.bind(values.map(({ value }) => value))
  build.shape.addKeyPart('overlap')
  const overlap: SqlPart = (at) => sql`${reference(at)}::text[] && ${slot}::text[]`
  return negated ? (at) => sql`not (${overlap(at)})` : overlap
}

type MemberSource = (list: RawBuilder<unknown>, alias: string) => RawBuilder<unknown>

/** Returns the members of a list as rows. A column with a single value counts as a list of this value. */
function memberSource({ engine }: StatementBuild): MemberSource {
  if (engine === 'sqlite') {
    return (list, alias) =>
      sql`json_each(case when json_valid(${list}) and json_type(${list}) = 'array' then ${list} else json_array(${list}) end) as ${sql.id(alias)}`
  }
  return (list, alias) => {
    const json = sql`to_jsonb(${list})`
    return sql`jsonb_array_elements_text(case when jsonb_typeof(${json}) = 'array' then ${json} else jsonb_build_array(${json}) end) as ${sql.id(alias)}(value)`
  }
}

function memberText(alias: string, { engine }: StatementBuild): RawBuilder<unknown> {
  const value = sql.id(alias, 'value')
  return engine === 'postgres' ? value : sql`cast(${value} as text)`
}
