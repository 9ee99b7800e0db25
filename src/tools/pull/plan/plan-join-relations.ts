import type { SchemaColumn, SchemaForeignKey } from '../../../stores/sql/schema/database-schema.js'
import type { JoinTable } from './join-tables.js'
import { hasIndexOn, namesOf } from './plan-context.js'
import { byNameMark } from './plan-polymorphic-relations.js'
import { planAttribute } from './plan-attributes.js'
import type { FieldContext, PlannedRelation } from './type-fields.js'
import type { ServedTable } from './served-tables.js'
import { listLiteral, propertyKey, textLiteral } from './source-name.js'
import { tableWords } from './table-name.js'
import { inCasing, pluralWords, wordsOf } from './words.js'

interface JoinSide {
  readonly foreign: SchemaForeignKey
  readonly target: ServedTable
  /** The columns of the join rows, in the order of the key of the target. */
  readonly columns: readonly SchemaColumn[]
}

/** Returns the two relations through a table of join rows, each with its type. */
export function joinRelations(
  join: JoinTable,
  fieldContext: FieldContext,
): readonly { readonly owner: ServedTable; readonly relation: PlannedRelation }[] {
  const [first, second] = join.sides.map((side) => sideOf(join, side, fieldContext))
  if (first === undefined || second === undefined) return []
  return [
    { owner: first.target, relation: joinRelation(join, [first, second], fieldContext) },
    { owner: second.target, relation: joinRelation(join, [second, first], fieldContext) },
  ]
}

function sideOf(join: JoinTable, foreign: SchemaForeignKey, { served }: FieldContext): JoinSide | undefined {
  const target = served.find(({ table }) => table.name === foreign.table)
  if (target === undefined) return undefined
  const columns = target.key.flatMap(({ name }) => {
    const column = foreign.columns[foreign.references.indexOf(name)]
    return join.served.table.columns.find((candidate) => candidate.name === column) ?? []
  })
  return { foreign, target, columns }
}

function joinRelation(
  join: JoinTable,
  sides: readonly [JoinSide, JoinSide],
  fieldContext: FieldContext,
): PlannedRelation {
  const { served } = join
  const [owner, member] = sides
  const members = fieldContext.membersOf(served)
  const keyText = (side: JoinSide): string => {
    const names = side.columns.map(({ name }) => members.get(name) ?? name)
    return names.length === 1 ? textLiteral(names[0] ?? '') : listLiteral(names)
  }
  const through = `through(${namesOf(fieldContext, served).constant}, { owner: ${keyText(owner)}, member: ${keyText(member)} }${join.isByName ? ` ${byNameMark}` : ''})`
  return {
    name: fieldContext.claim(owner.target, relationNames(join, sides, fieldContext)),
    calls: [
      `belongsToMany(${textLiteral(namesOf(fieldContext, member.target).type)})`,
      through,
      ...fieldsCall(join, fieldContext),
    ],
    unindexed: hasIndexOn(served.table, owner.columns)
      ? null
      : { table: served.table, columns: owner.columns.map(({ name }) => name) },
    join: served,
    columns: [],
  }
}

/** `actors` of films; `friends` and `friendOf` of users, which refer to each other. */
function relationNames(
  { served, sides }: JoinTable,
  [owner, member]: readonly [JoinSide, JoinSide],
  { casing }: FieldContext,
): readonly string[] {
  const plain = pluralWords(tableWords(member.target.table))
  const joined = tableWords(served.table)
  const stem = (side: JoinSide): readonly string[] =>
    wordsOf(side.columns[0]?.name ?? '').filter((word) => word !== 'id')
  const isSelf = owner.target === member.target
  const isForward = owner.foreign === sides[0]
  const self = isForward ? pluralWords(stem(member)) : [...stem(owner), 'of']
  const choices = isSelf ? [self, [...joined, ...(isForward ? [] : ['of'])]] : [plain, joined, [...joined, ...plain]]
  return choices.map((words) => inCasing(words, casing))
}

/** Returns the fields of the relation: the columns of join rows that are not part of the key. */
function fieldsCall({ served }: JoinTable, fieldContext: FieldContext): readonly string[] {
  const { table, key } = served
  const members = fieldContext.membersOf(served)
  const fields = table.columns.flatMap((column) => {
    const member = members.get(column.name) ?? column.name
    if (key.includes(column) || fieldContext.secrets.has(column)) return []
    const context = {
      engine: fieldContext.schema.engine,
      table,
      name: member,
      member,
      isKey: false,
      isReadOnly: false,
      isText: false,
    }
    const { attribute } = planAttribute(column, context)
    // Join rows have no separate filters and sorts, and no unique values besides their key.
    const calls = attribute?.calls.filter((call) => !/^(?:sortable|unique|describedAs)\(/.test(call))
    return calls === undefined ? [] : [`${propertyKey(member)}: ${calls.join('.')}`]
  })
  if (fields.length === 0) return []
  return fields.length === 1
    ? [`fields((a) => ({ ${fields.join('')} }))`]
    : [`fields((a) => ({\n${fields.map((field) => `  ${field},\n`).join('')}}))`]
}
