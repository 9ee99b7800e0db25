import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { ColumnType } from '../schema/column-type.js'
import { areEqual, rowValue } from '../statement/row-value.js'
import type { Aliases, Binding, SqlPart, StatementBuild } from './statement-build.js'
import { rowParts, rowTypes } from './statement-build.js'

/** A list of values of one type, bound as one parameter. */
export interface BoundList {
  contains(column: RawBuilder<unknown>): RawBuilder<boolean>
  /** Returns the condition that one of the values meets a condition. Only for columns with digits that are not shown. */
  containsEqual(isEqual: (value: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean>
}

/** Binds a list of values: as an array, or as JSON if the engine has no arrays. */
export function boundList(
  operands: readonly Pick<Operand, 'value' | 'type'>[],
  { shape, dialect }: Binding,
): BoundList {
  const type = operands[0]?.type ?? 'text'
  shape.addKeyPart(`list ${type}`)
  const slot = shape.bind(listValue(operands, dialect))
  const types = rowTypes(type)
  const contains: BoundList['contains'] =
    types === null ? (column) => dialect.lists.contains(slot, type, column) : rowTest(slot, types, dialect)
  return {
    contains,
    containsEqual(isEqual) {
      if (dialect.spell.finer === null || types !== null)
        throw new Error('The values have no digits that are not shown.')
      return dialect.spell.finer.hasValue(slot, type, isEqual)
    },
  }
}

/** Returns the test whether a list of composite keys, which is one JSON text on every engine, has a key. */
function rowTest(slot: unknown, types: readonly string[], { lists, can }: SqlDialect): BoundList['contains'] {
  const { from, item } = lists.rows(slot)
  const parts = rowParts(item, types, { lists })
  if (can.compareRows !== 'never') return (key) => sql<boolean>`${key} in (select ${sql.join(parts)} from ${from})`
  // Null for a key with a null, like `in`.
  return (key) => {
    const isListed = areEqual(key, rowValue(parts), can)
    return sql<boolean>`case when ${areEqual(key, key, can)} then exists (select 1 from ${from} where ${isListed}) end`
  }
}

/** Returns the parameter value of a list. */
export function listValue(operands: readonly Pick<Operand, 'value' | 'type'>[], { lists }: SqlDialect): unknown {
  if (rowTypes(operands[0]?.type ?? null) !== null) return `[${operands.map(({ value }) => String(value)).join(',')}]`
  return lists.value(operands.map(({ value }) => value))
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
  { column: { type, items }, compared: { isRounded }, build, reference }: ListColumn,
  found: readonly Operand[],
  negated: boolean,
): SqlPart {
  const { lists, spell } = build.dialect
  const values = found.map(({ value }) => value)
  if (lists.overlaps !== null && type === 'list') {
    const overlaps = lists.overlaps({ items, isRounded, values }, build.shape)
    if (!negated) return (at) => sql<boolean>`${overlaps(reference(at))}`
    return (at) => sql<boolean>`(${reference(at)} is not null and not (${overlaps(reference(at))}))`
  }
  const isOneOf = memberTest(values, build)
  return (at) => {
    const member = at.fresh()
    const has = spell.exists(sql`select 1 from ${lists.members(reference(at), member)} where ${isOneOf(member)}`)
    return negated ? sql<boolean>`(${reference(at)} is not null and not ${has})` : has
  }
}

export function isNumberText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(value)
}

/** Returns a condition that a member of a JSON list is one of the values: by text, and numbers by size. */
function memberTest(values: readonly unknown[], build: StatementBuild): (alias: string) => RawBuilder<boolean> {
  const { lists } = build.dialect
  const texts = boundList(
    values.map((value) => ({ value, type: 'text' })),
    build,
  )
  const numberTexts = values.filter(isNumberText)
  build.shape.addKeyPart(`numbers ${numberTexts.length > 0}`)
  if (numberTexts.length === 0) return (alias) => texts.contains(lists.memberText(alias))
  const numbers = boundList(
    numberTexts.map((text) => ({ value: lists.number(text), type: 'float8' })),
    build,
  )
  return (alias) =>
    sql<boolean>`(${texts.contains(lists.memberText(alias))} or ${numbers.contains(lists.memberNumber(alias))})`
}
