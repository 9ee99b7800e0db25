import type { ColumnType } from '../../../stores/sql/schema/column-type.js'
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { tableWords } from './table-name.js'
import { singularWords, wordsOf } from './words.js'

/**
 * Returns the tables with a foreign key for each column that is named like a key of another table, where the database has none:
 * `posts.user_id`, `posts.reply_to_user_id` and `ci_needs.build_id`, which refers to `ci_builds`. The types must fit.
 *
 * @param secrets the columns that look like secrets, which are never served
 */
export function withNamedReferences(
  tables: readonly SchemaTable[],
  secrets: ReadonlySet<SchemaColumn>,
): readonly SchemaTable[] {
  const findTarget = targetFinder(tables)
  return tables.map((table) => {
    if (table.partitionOf !== null) return table
    const known = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
    const found = table.columns.flatMap((column): readonly SchemaForeignKey[] => {
      if (known.has(column.name) || secrets.has(column) || isPolymorphicId(table, column)) return []
      const target = findTarget(table, column)
      if (target === null) return []
      const references = target.primaryKey
      return [{ name: null, columns: [column.name], table: target.name, references, isByName: true }]
    })
    return found.length === 0 ? table : { ...table, foreignKeys: [...table.foreignKeys, ...found] }
  })
}

/** Returns the words before `id` in the name of a column; null if it is not named like a reference. */
export function referenceWords({ name }: SchemaColumn): readonly string[] | null {
  const words = wordsOf(name)
  return words.length > 1 && /^(?:id|uuid|guid)$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : null
}

/** Returns all columns of a table with the types of related rows. */
export function typeColumnsOf(table: SchemaTable): readonly SchemaColumn[] {
  return [...new Set(table.columns.flatMap((column) => typeColumnOf(table, column) ?? []))]
}

/** Returns the column with the type of the rows that a column refers to: `noteable_type` for `noteable_id`. */
export function typeColumnOf({ columns }: SchemaTable, column: SchemaColumn): SchemaColumn | null {
  const words = referenceWords(column)
  if (words === null) return null
  const wanted = [...words, 'type'].join(' ')
  return columns.find(({ name, type }) => isTypeName.has(type) && wordsOf(name).join(' ') === wanted) ?? null
}

const isTypeName: ReadonlySet<ColumnType> = new Set<ColumnType>(['text', 'other'])

function isPolymorphicId(table: SchemaTable, column: SchemaColumn): boolean {
  return typeColumnOf(table, column) !== null
}

type FindTarget = (table: SchemaTable, column: SchemaColumn) => SchemaTable | null

function targetFinder(tables: readonly SchemaTable[]): FindTarget {
  const byWords = new Map<string, SchemaTable[]>()
  for (const table of tables) {
    if (table.kind !== 'table' || table.partitionOf !== null || table.primaryKey.length !== 1) continue
    const words = singularWords(tableWords(table)).join(' ')
    byWords.set(words, [...(byWords.get(words) ?? []), table])
  }
  return (table, column) => {
    const words = referenceWords(column)
    if (words === null) return null
    const isOwnKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.name
    const target = candidateWords(words, table)
      .map((each) => tableNamed(byWords.get(each.join(' ')) ?? [], table, column))
      .find((each) => each !== null)
    const found = target ?? (words.at(-1) === 'parent' && fits(column, table) ? table : null)
    return isOwnKey && found === table ? null : found
  }
}

/** Returns the table of a name whose key a column can hold: the one in the same schema, else the only one. */
function tableNamed(named: readonly SchemaTable[], from: SchemaTable, column: SchemaColumn): SchemaTable | null {
  const fitting = named.filter((table) => fits(column, table))
  const near = fitting.filter(({ schema }) => schema === from.schema)
  const [only, ...others] = near.length > 0 ? near : fitting
  return only === undefined || others.length > 0 ? null : only
}

/** First words of ids of other systems: `stripe_customer_id`. */
const foreignWords: ReadonlySet<string> = new Set(
  `apple auth0 aws azure discord external facebook foreign github gitlab google imported jira ldap legacy linkedin oauth paypal
  provider remote saml slack sso stripe trace twitter vendor`.split(/\s+/),
)

/** Last words of references to the person who does something. */
const people: ReadonlySet<string> = new Set(
  `actor approver assignee author closer creator editor inviter member merger moderator owner recipient requester resolver reviewer
  sender updater uploader`.split(/\s+/),
)

/** Returns the words of the tables that a reference may mean, the best one first. */
function candidateWords(words: readonly string[], table: SchemaTable): readonly (readonly string[])[] {
  const own = singularWords(tableWords(table))
  // `build_id` of `ci_build_needs` is an id of `ci_builds`.
  const prefixed = own.slice(0, -1).map((_, index) => [...own.slice(0, own.length - 1 - index), ...words])
  const ends = foreignWords.has(words[0] ?? '') ? [] : words.slice(1).map((_, index) => words.slice(index + 1))
  const last = words.at(-1) ?? ''
  const isPerson = last === 'by' || people.has(last)
  const exact = [words, ...prefixed].map(singularWords)
  return [...exact, ...ends.map(singularWords), ...(isPerson ? [['user'], ['account'], ['person']] : [])]
}

const wholeNumbers: ReadonlySet<ColumnType> = new Set<ColumnType>(['integer', 'bigint'])

/** Returns whether a column can hold the key of a table. Other types than numbers and UUIDs are no keys by their names. */
function fits({ name, type }: SchemaColumn, { columns, primaryKey }: SchemaTable): boolean {
  const key = columns.find((column) => column.name === primaryKey[0])
  if (key === undefined || (wordsOf(name).at(-1) !== 'id' && type !== 'uuid')) return false
  return type === 'uuid' ? key.type === 'uuid' : wholeNumbers.has(type) && wholeNumbers.has(key.type)
}
