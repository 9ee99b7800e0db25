import type { SchemaColumn, SchemaForeignKey } from '../../../stores/sql/schema/database-schema.js'
import { type JoinTable, refersToKey } from './join-tables.js'
import type { PullNote } from './plan.js'
import type { ServedTable } from './served-tables.js'
import { tableWords } from './table-name.js'
import { type Casing, inCasing, pluralWords, singularWords, wordsOf } from './words.js'

/** A foreign key of a relation, with its columns in the order of the referenced key. */
export interface RelationKey {
  readonly from: ServedTable
  readonly to: ServedTable
  readonly columns: readonly SchemaColumn[]
  /** The words of the name of the relation. */
  readonly words: readonly string[]
  /** Whether only the name of the column shows the relation: the database has no foreign key. */
  readonly isByName: boolean
}

export interface RelationKeys {
  readonly keys: readonly RelationKey[]
  readonly notes: readonly PullNote[]
}

interface RelationTables {
  readonly tables: readonly ServedTable[]
  readonly joins: readonly JoinTable[]
  readonly secrets: ReadonlySet<SchemaColumn>
}

/** Finds the foreign keys of relations, and adds a note for each other foreign key. */
export function relationKeys({ tables, joins, secrets }: RelationTables): RelationKeys {
  const keys: RelationKey[] = []
  const notes: PullNote[] = []
  for (const from of tables) {
    if (joins.some(({ served }) => served === from)) continue
    for (const foreign of inColumnOrder(from)) {
      const to = tables.find(({ table }) => table.name === foreign.table)
      const isKnown = keys.some((key) => key.from === from && key.to === to && isSame(key.columns, foreign.columns))
      if (isKnown) continue
      const reason = refusal(foreign, to, tables)
      if (to !== undefined && reason === null) keys.push(relationKey(from, to, foreign))
      else if (foreign.isByName !== true && !refersToSecret(from, foreign, secrets))
        notes.push(unservedKey(from, foreign, reason ?? ''))
    }
  }
  return { keys: namedApart(keys), notes }
}

/** Sorts foreign keys by their columns: the order of the database is arbitrary. */
function inColumnOrder({ table: { foreignKeys, columns } }: ServedTable): readonly SchemaForeignKey[] {
  const position = ({ columns: [first] }: SchemaForeignKey): number => columns.findIndex(({ name }) => name === first)
  return foreignKeys.toSorted((a, b) => position(a) - position(b))
}

function isSame(columns: readonly SchemaColumn[], names: readonly string[]): boolean {
  return columns.length === names.length && columns.every(({ name }) => names.includes(name))
}

function refusal(
  foreign: SchemaForeignKey,
  to: ServedTable | undefined,
  tables: readonly ServedTable[],
): string | null {
  if (foreign.table === null) return 'refers to a schema that is not pulled with --schema'
  if (to === undefined) return `refers to '${foreign.table}', which is not served`
  return refersToKey(foreign, tables) ? null : `refers to other columns of '${foreign.table}' than its key`
}

/** Returns whether a foreign key refers to a secret, so that its columns are not attributes either. */
function refersToSecret(
  { table }: ServedTable,
  foreign: SchemaForeignKey,
  secrets: ReadonlySet<SchemaColumn>,
): boolean {
  return table.columns.some((column) => foreign.columns.includes(column.name) && secrets.has(column))
}

function unservedKey({ table }: ServedTable, { columns }: SchemaForeignKey, reason: string): PullNote {
  const sentence = `The foreign key ${reason}, so it is not a relation: its columns are attributes.`
  return { kind: 'note', subject: `${table.name}.${columns.join(', ')}`, sentence }
}

function relationKey(from: ServedTable, to: ServedTable, foreign: SchemaForeignKey): RelationKey {
  const columns = to.key.flatMap(({ name }) => {
    const column = foreign.columns[foreign.references.indexOf(name)]
    return from.table.columns.find((candidate) => candidate.name === column) ?? []
  })
  return { from, to, columns, words: relationWords(columns, from, to), isByName: foreign.isByName === true }
}

/**
 * Returns the words of the name: `artist_id` is `artist`, `ReportsTo` is `reportsTo`. A composite key is named after its only column
 * that is not part of the primary key (the other is often a tenant), or else after the referenced table.
 */
function relationWords(columns: readonly SchemaColumn[], from: ServedTable, { table }: ServedTable): readonly string[] {
  const target = singularWords(tableWords(table))
  const own = columns.length > 1 ? columns.filter((column) => !from.key.includes(column)) : columns
  const [column, ...others] = own
  if (column === undefined || others.length > 0) return target
  const words = wordsOf(column.name)
  const last = words.at(-1)
  if (last === undefined) return target
  if (!isKeyWord(last)) return words
  const stem = words.slice(0, -1)
  return stem.length === 0 ? target : stem
}

function isKeyWord(word: string): boolean {
  return /^(?:id|fk|key|uuid|code|no|nr|number)$/.test(word)
}

/** Names several composite keys to one table after the words in which their columns differ. */
function namedApart(keys: readonly RelationKey[]): readonly RelationKey[] {
  return keys.map((key) => {
    const alike = keys.filter(({ from, words }) => from === key.from && words.join() === key.words.join())
    if (alike.length === 1 || key.columns.length < 2) return key
    const others = new Set(alike.filter((other) => other !== key).flatMap(({ columns }) => columns.flatMap(wordsIn)))
    const own = [...new Set(key.columns.flatMap(wordsIn))].filter((word) => !others.has(word))
    return own.length === 0 ? key : { ...key, words: [...own, ...key.words] }
  })
}

function wordsIn({ name }: SchemaColumn): readonly string[] {
  return wordsOf(name)
}

/** Returns names for the other side of a relation, the best one first. Keys without a foreign key do not change the names of others. */
export function inverseNames(
  key: RelationKey,
  all: readonly RelationKey[],
  { casing, isOne }: { readonly casing: Casing; readonly isOne: boolean },
): readonly string[] {
  const keys = key.isByName ? all : all.filter(({ isByName }) => !isByName)
  const base = tableWords(key.from.table)
  const named = isOne ? singularWords(base) : pluralWords(base)
  const parallel = keys.filter(({ from, to }) => from === key.from && to === key.to)
  const target = singularWords(tableWords(key.to.table))
  const stem = withoutEnd(key.words, target)
  const isPlain = key.words.join() === target.join()
  const choices =
    key.from === key.to
      ? selfNames(key, named)
      : parallel.length === 1 || isPlain
        ? [named, [...stem, ...named], [...key.words, ...named]]
        : [
            [...stem, ...named],
            [...key.words, ...named],
          ]
  return choices.map((words) => inCasing(words, casing))
}

function selfNames({ words }: RelationKey, named: readonly string[]): readonly (readonly string[])[] {
  if (words.join() === 'parent') return [['children'], [...words, ...named]]
  const last = words.at(-1) ?? ''
  const stem = words.slice(0, -1)
  const verb = stem.at(-1)
  const opposite = opposites[last]
  if (verb === undefined || (opposite === undefined && !/^(?:by|of|for)$/.test(last))) {
    return [
      [...words, 'of'],
      [...words, ...named],
    ]
  }
  // `hiredBy` of people is `hiredPeople`, `movedTo` of issues is `movedFrom`, `inReplyTo` and `replyOf` are `replies`.
  const isParticiple = verb.endsWith('ed')
  const best = last === 'by' ? [...stem, ...named] : isParticiple ? [...stem, opposite ?? last] : pluralWords([verb])
  return [best, [...words, ...named]]
}

/** The last words of the other side of a self-reference. */
const opposites: Readonly<Record<string, string | undefined>> = { to: 'from', from: 'to' }

/** `original language` without `language`. */
function withoutEnd(words: readonly string[], end: readonly string[]): readonly string[] {
  const at = words.length - end.length
  return at > 0 && words.slice(at).join() === end.join() ? words.slice(0, at) : words
}
