import type { SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { leadingIndexes } from './plan-attributes.js'
import { isUniqueOn, namesOf } from './plan-context.js'
import type { PolymorphicKey } from './plan-polymorphic.js'
import type { ServedTable } from './served-tables.js'
import { listLiteral, textLiteral } from './source-name.js'
import { tableWords } from './table-name.js'
import type { FieldContext, PlannedRelation } from './type-fields.js'
import { inCasing, pluralWords, singularWords } from './words.js'

/** Marks in declarations what only the names of columns show. A later pull removes it if the database gets a foreign key. */
export const byNameMark = '/* no foreign key */'

/** Returns the relation of a pair of columns to rows of several types. */
export function polymorphicRelation(
  { from, targets, id, type, words }: PolymorphicKey,
  fieldContext: FieldContext,
): PlannedRelation {
  const members = fieldContext.membersOf(from)
  const choices = [words, ['related', ...words]].map((each) => inCasing(each, fieldContext.casing))
  const name = fieldContext.claim(from, choices)
  const isNullable = id.nullable || type.nullable
  const isRequired = !isNullable && !id.hasDefault && from.readOnlyBecause === null
  const named = [id, type].map((column) => textLiteral(members.get(column.name) ?? column.name)).join(', ')
  return {
    name,
    calls: [
      `morphTo(${listLiteral(targets.map((target) => namesOf(fieldContext, target).type))})`,
      `via(${named} ${byNameMark})`,
      ...(isRequired ? ['required()'] : []),
      ...(isNullable ? ['nullable()'] : []),
    ],
    unindexed: null,
    join: null,
    columns: [id, type],
  }
}

/** Returns the relation of one of these types to the rows that refer to it, if an index finds them. */
export function polymorphicInverse(
  { from, id, type, words }: PolymorphicKey,
  to: ServedTable,
  fieldContext: FieldContext,
): readonly PlannedRelation[] {
  const { keys, polymorphic, casing } = fieldContext
  if (!isIndexed(from.table, [id.name, type.name])) return []
  const isOne = isUniqueOn(from, [id, type])
  const base = tableWords(from.table)
  const named = isOne ? singularWords(base) : pluralWords(base)
  const isOnly =
    polymorphic.filter((key) => key.from === from && key.targets.includes(to)).length === 1 &&
    !keys.some((key) => key.from === from && key.to === to)
  const plain = isOnly && from !== to ? [named] : []
  const choices = [...plain, [...words, ...named]].map((each) => inCasing(each, casing))
  const isFixed = [id, type].some((column) => from.key.includes(column)) || from.readOnlyBecause !== null
  const calls = [
    `${isOne ? 'hasOne' : 'hasMany'}(${textLiteral(namesOf(fieldContext, from).type)})`,
    `via(${textLiteral(fieldContext.membersOf(from).get(id.name) ?? id.name)} ${byNameMark})`,
    ...(isFixed ? ['readOnly()'] : []),
  ]
  return [{ name: fieldContext.claim(to, choices), calls, unindexed: null, join: null, columns: [] }]
}

/** Returns whether an index finds the rows by the id, or by the type and the id. */
function isIndexed(table: SchemaTable, [id = '', type = '']: readonly string[]): boolean {
  if (leadingIndexes(table, id).length > 0) return true
  return leadingIndexes(table, type).some(({ columns: [, second] }) => second === id)
}
