import type { SchemaColumn } from '../read/database-schema.js'
import { inverseNames, type RelationKey } from './plan-relations.js'
import { joinRelations } from './plan-join-relations.js'
import type { PlanContext } from './plan-context.js'
import { hasIndexOn, isUniqueOn, namesOf } from './plan-context.js'
import { leadingIndexes } from './plan-attributes.js'
import type { FieldPlace, PlannedRelation, TypeFields } from './type-fields.js'
import { type MemberNames, memberNames, uniqueName } from './row-members.js'
import type { ServedTable } from './served-tables.js'
import { listLiteral, textLiteral } from './source-name.js'
import { inCasing, singularWords, wordsOf } from './words.js'

/**
 * Names the attributes and relations of all types. Attributes come first: they are called like their columns. A relation whose
 * name is taken gets the next best one.
 */
export function planFields(context: PlanContext): ReadonlyMap<ServedTable, TypeFields> {
  const types = context.served.filter((table) => !context.joins.some(({ served }) => served === table))
  const members = new Map(context.served.map((served) => [served, memberNames(served.table, context.casing)]))
  const membersOf = (served: ServedTable): MemberNames => members.get(served) ?? new Map()
  const attributes = new Map(types.map((served) => [served, attributeNames(served, membersOf(served), context)]))
  const taken = new Map(
    types.map((served) => [served, new Set<string>(['id', 'type', ...(attributes.get(served)?.values() ?? [])])]),
  )
  const claim = (served: ServedTable, choices: readonly string[]): string => {
    const used = taken.get(served) ?? new Set()
    const name = choices.find((choice) => !used.has(choice)) ?? uniqueName(choices.at(-1) ?? '', used)
    used.add(name)
    return name
  }
  const relations = new Map<ServedTable, PlannedRelation[]>(types.map((served) => [served, []]))
  const place = { ...context, membersOf, claim }
  for (const key of context.keys) relations.get(key.from)?.push(ownRelation(key, place))
  for (const key of context.keys) relations.get(key.to)?.push(inverseRelation(key, place))
  for (const join of context.joins) {
    for (const { owner, relation } of joinRelations(join, place)) relations.get(owner)?.push(relation)
  }
  return new Map(
    types.map((served) => [
      served,
      {
        members: membersOf(served),
        attributes: attributes.get(served) ?? new Map(),
        relations: relations.get(served) ?? [],
      },
    ]),
  )
}

/** The columns that are attributes: not those of the id, and not those of relations. */
function attributeNames(
  served: ServedTable,
  members: MemberNames,
  { keys, casing }: PlanContext,
): ReadonlyMap<SchemaColumn, string> {
  const related = new Set(keys.filter(({ from }) => from === served).flatMap(({ columns }) => columns))
  const { key, table } = served
  // The database gives a part of the key that has a default, and the id shows it.
  const shown = new Set(key.length === 1 ? key : key.filter(({ hasDefault }) => hasDefault))
  const columns = table.columns.filter((column) => !related.has(column) && !shown.has(column))
  const names = new Set(members.values())
  return new Map(
    columns.map((column) => {
      const member = members.get(column.name) ?? column.name
      // Both are members of the resource itself.
      if (member !== 'id' && member !== 'type') return [column, member]
      const name = inCasing([...singularWords(wordsOf(table.name)), member], casing)
      return [column, uniqueName(name, names)]
    }),
  )
}

function ownRelation(key: RelationKey, place: FieldPlace): PlannedRelation {
  const { from, to, columns, words } = key
  const column = columns.length === 1 ? columns[0] : undefined
  const choices = [words, ['related', ...words]].map((each) => inCasing(each, place.casing))
  const name = place.claim(from, choices)
  const members = columns.map((each) => place.membersOf(from).get(each.name) ?? each.name)
  const isNullable = columns.some(({ nullable }) => nullable)
  const isIndexed = column !== undefined && leadingIndexes(from.table, column.name).length > 0
  const isRequired = !isNullable && !columns.some(({ hasDefault }) => hasDefault) && from.readOnlyBecause === null
  return {
    name,
    calls: [
      `belongsTo(${textLiteral(namesOf(place, to).type)})`,
      ...(members.length === 1 && members[0] === `${name}Id` ? [] : [viaCall(members)]),
      ...(isRequired ? ['required()'] : []),
      ...(isNullable ? ['nullable()'] : []),
      ...(isIndexed ? ['filterable()'] : []),
    ],
    unindexed: null,
    join: null,
    columns,
  }
}

function inverseRelation(key: RelationKey, place: FieldPlace): PlannedRelation {
  const { from, to, columns } = key
  const isOne = isUniqueOn(from, columns)
  const name = place.claim(to, inverseNames(key, place.keys, { casing: place.casing, isOne }))
  const members = columns.map((each) => place.membersOf(from).get(each.name) ?? each.name)
  const isAmbiguous = place.keys.filter((other) => other.from === from && other.to === to).length > 1
  // A row cannot move to another owner if that would change its id.
  const isFixed = columns.some((column) => from.key.includes(column)) || from.readOnlyBecause !== null
  return {
    name,
    calls: [
      `${isOne ? 'hasOne' : 'hasMany'}(${textLiteral(namesOf(place, from).type)})`,
      ...(isAmbiguous || from === to ? [viaCall(members)] : []),
      ...(isFixed ? ['readOnly()'] : []),
    ],
    unindexed: hasIndexOn(from.table, columns)
      ? null
      : { table: from.table.name, columns: columns.map((column) => column.name) },
    join: null,
    columns: [],
  }
}

function viaCall(members: readonly string[]): string {
  const [only = ''] = members
  return `via(${members.length === 1 ? textLiteral(only) : listLiteral(members)})`
}
