import { conjuncts, isSign, isWord, type Token, unwrapped } from './sql-tokens.js'
import type { SourceTable } from './view-sources.js'

/** A column of a table of a view. Names are in lower case. */
export interface SourceColumn {
  readonly alias: string
  readonly column: string
}

/** The tables of a view by alias. The rows of an optional one may be missing, as in a `left join`. */
export type AliasedTables = ReadonlyMap<string, { readonly table: SourceTable; readonly isOptional: boolean }>

/** A condition by which a column has only one value, as soon as those that it depends on have. */
export interface Dependency {
  readonly to: SourceColumn
  /** The column with the same value; null if it is compared with a literal. */
  readonly from: SourceColumn | null
  /** The tables whose row must be known, because the condition of a `left join` concerns only rows that match. */
  readonly rows: readonly string[]
}

/** The tables that a view joins, and what their conditions make equal. */
export interface JoinedTables {
  readonly tables: AliasedTables
  readonly dependencies: readonly Dependency[]
}

type TableNamed = (schema: string | null, name: string) => SourceTable | null

/** Reads `from` and `where`. Returns null for tables that are not known, and for subqueries, functions and full joins. */
export function joinedTables(
  from: readonly Token[],
  where: readonly Token[],
  tableNamed: TableNamed,
): JoinedTables | null {
  const items = splitAt(from, ',').map((item) => readJoins(item, tableNamed))
  const joined = items.reduce<JoinedTables | null>((all, item) => (all === null ? item : crossJoin(all, item)), none)
  return joined === null ? null : withConditions(joined, where)
}

const none: JoinedTables = Object.freeze({ tables: new Map(), dependencies: [] })

function crossJoin(left: JoinedTables, right: JoinedTables | null): JoinedTables | null {
  if (right === null || [...right.tables.keys()].some((alias) => left.tables.has(alias))) return null
  return {
    tables: new Map([...left.tables, ...right.tables]),
    dependencies: [...left.dependencies, ...right.dependencies],
  }
}

const joinWords: readonly string[] = ['join', 'inner', 'cross', 'left', 'right', 'full', 'natural']

/** Reads tables that are joined from left to right. */
function readJoins(given: readonly Token[], tableNamed: TableNamed): JoinedTables | null {
  const tokens = unwrapped(given)
  if (tokens.length === 0 || isWord(tokens[0], 'select')) return null
  const starts = joinStarts(tokens)
  let joined = readTable(tokens.slice(0, starts[0]), tableNamed)
  for (const [index, start] of starts.entries()) {
    if (joined === null) return null
    joined = readJoin(joined, tokens.slice(start, starts[index + 1]), tableNamed)
  }
  return joined
}

/** Returns the positions of the words with which joins begin, outside of parentheses. */
function joinStarts(tokens: readonly Token[]): readonly number[] {
  const found: number[] = []
  let depth = 0
  tokens.forEach((token, index) => {
    if (isSign(token, '(')) depth++
    if (isSign(token, ')')) depth--
    const isJoin = depth === 0 && joinWords.some((word) => isWord(token, word))
    const before = tokens[index - 1]
    const continues = [...joinWords, 'outer'].some((word) => isWord(before, word))
    if (isJoin && !continues) found.push(index)
  })
  return found
}

function readJoin(left: JoinedTables, tokens: readonly Token[], tableNamed: TableNamed): JoinedTables | null {
  const join = tokens.findIndex((token) => isWord(token, 'join'))
  const kinds = tokens.slice(0, join).map(({ value }) => value.toLowerCase())
  if (join === -1 || kinds.includes('full') || kinds.includes('natural')) return null
  const [on, using] = [wordIndex(tokens, 'on'), wordIndex(tokens, 'using')]
  const end = Math.max(on, using)
  const right = readJoins(tokens.slice(join + 1, end === -1 ? undefined : end), tableNamed)
  const both = crossJoin(left, right)
  if (right === null || both === null) return null
  const condition = end === -1 ? [] : tokens.slice(end + 1)
  const pairs = using === -1 ? equalities(condition, both.tables) : sharedColumns(condition, left, right)
  if (pairs === null) return null
  if (kinds.includes('left')) return outerJoin(left, right, pairs)
  if (kinds.includes('right')) return outerJoin(right, left, pairs)
  return { ...both, dependencies: [...both.dependencies, ...pairs.flatMap(bothDirections)] }
}

/** Two columns that are equal, or a column and a literal. */
type Equality = readonly [one: SourceColumn, other: SourceColumn | null]

function bothDirections([one, other]: Equality): readonly Dependency[] {
  if (other === null) return [{ to: one, from: null, rows: [] }]
  return [
    { to: one, from: other, rows: [] },
    { to: other, from: one, rows: [] },
  ]
}

function outerJoin(all: JoinedTables, optional: JoinedTables, pairs: readonly Equality[]): JoinedTables {
  const rows = [...all.tables.keys()]
  const isOptional = ({ alias }: SourceColumn): boolean => optional.tables.has(alias)
  const ofMatches = pairs.flatMap(bothDirections).filter(({ to }) => isOptional(to))
  const inside = optional.dependencies.map((each) =>
    each.from === null ? { ...each, rows: [...each.rows, ...rows] } : each,
  )
  return {
    tables: new Map([
      ...all.tables,
      ...[...optional.tables].map(([alias, { table }]) => [alias, { table, isOptional: true }] as const),
    ]),
    dependencies: [...all.dependencies, ...inside, ...ofMatches.map((each) => ({ ...each, rows }))],
  }
}

function withConditions(joined: JoinedTables, where: readonly Token[]): JoinedTables {
  const added = equalities(where, joined.tables).flatMap(bothDirections)
  return { ...joined, dependencies: [...joined.dependencies, ...added] }
}

/** Returns what a condition makes equal in every row. Parts that are no equality may hold or not. */
function equalities(condition: readonly Token[], tables: AliasedTables): readonly Equality[] {
  // The parts of a `case` do not apply to every row.
  if (condition.length === 0 || wordIndex(unwrapped(condition), 'case') !== -1) return []
  return conjuncts(condition).flatMap((part): readonly Equality[] => {
    const tokens = unwrapped(part)
    const sides = splitAt(tokens, '=').map(unwrapped)
    const [first = [], second = [], ...others] = sides
    if (sides.length < 2 || others.length > 0) return []
    const [one, other] = [first, second].map((side) => sourceColumn(withoutTextCast(side), tables))
    if (one && other) return [[one, other]]
    if (one && isLiteral(second)) return [[one, null]]
    return other && isLiteral(first) ? [[other, null]] : []
  })
}

/** Removes `::text`, which PostgreSQL adds to compare a `varchar`: a value has one text, and a text one value. */
function withoutTextCast(tokens: readonly Token[]): readonly Token[] {
  return isWord(tokens.at(-1), 'text') && isSign(tokens.at(-2), '::') ? unwrapped(tokens.slice(0, -2)) : tokens
}

function isLiteral(tokens: readonly Token[]): boolean {
  const [first, cast] = tokens
  const isValue = first?.kind === 'text' || first?.kind === 'number'
  return isValue && (tokens.length === 1 || isSign(cast, '::'))
}

/** Reads the columns of `using`. Returns null if one is not a column of one table on each side. */
function sharedColumns(
  condition: readonly Token[],
  left: JoinedTables,
  right: JoinedTables,
): readonly Equality[] | null {
  const pairs = splitAt(unwrapped(condition), ',').map((name) => [
    sourceColumn(name, left.tables),
    sourceColumn(name, right.tables),
  ])
  const found = pairs.flatMap(([one, other]): readonly Equality[] =>
    one === null || one === undefined || other === null || other === undefined ? [] : [[one, other]],
  )
  return found.length === pairs.length ? found : null
}

/** Reads a table with its alias, `public.albums as a`, or joins in parentheses. */
function readTable(given: readonly Token[], tableNamed: TableNamed): JoinedTables | null {
  const bare = unwrapped(given)
  if (bare !== given) return readJoins(bare, tableNamed)
  const tokens = given.filter((token) => !isWord(token, 'as'))
  const isQualified = isSign(tokens[1], '.')
  const [schema, name, alias = name, ...others] = isQualified
    ? [tokens[0], tokens[2], ...tokens.slice(3)]
    : [undefined, ...tokens]
  if (!isName(name) || !isName(alias) || others.length > 0) return null
  const table = tableNamed(schema?.value ?? null, name.value)
  if (table === null) return null
  return { tables: new Map([[alias.value.toLowerCase(), { table, isOptional: false }]]), dependencies: [] }
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'name'
}

/** Reads `a.title`, `public.albums.title` or `title`. Returns null for anything else, and for a column of several tables. */
export function sourceColumn(tokens: readonly Token[], tables: AliasedTables): SourceColumn | null {
  const last = tokens.at(-1)
  if (!isName(last)) return null
  const column = last.value.toLowerCase()
  const hasColumn = (alias: string): boolean => tables.get(alias)?.table.columns.includes(column) === true
  if (tokens.length === 1) {
    const owners = [...tables.keys()].filter(hasColumn)
    return owners.length === 1 && owners[0] !== undefined ? { alias: owners[0], column } : null
  }
  const [owner, dot] = tokens.slice(-3)
  const isPath = tokens.every((token, index) => (index % 2 === 0 ? isName(token) : isSign(token, '.')))
  if (!isName(owner) || !isSign(dot, '.') || !isPath) return null
  const alias = owner.value.toLowerCase()
  return hasColumn(alias) ? { alias, column } : null
}

/** Returns the position of a word outside of parentheses; -1 if there is none. */
export function wordIndex(tokens: readonly Token[], word: string): number {
  let depth = 0
  return tokens.findIndex((token) => {
    if (isSign(token, '(')) depth++
    if (isSign(token, ')')) depth--
    return depth === 0 && isWord(token, word)
  })
}

/** Splits tokens at a sign outside of parentheses. */
export function splitAt(tokens: readonly Token[], sign: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isSign(token, '(')) depth++
    if (isSign(token, ')')) depth--
    if (depth === 0 && isSign(token, sign)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
