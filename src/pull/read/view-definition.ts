import { isSign, isWord, type Token, tokensOf, unwrapped } from './sql-tokens.js'
import { type JoinedTables, joinedTables, type SourceColumn, sourceColumn, splitAt, wordIndex } from './view-joins.js'
import type { SourceTable } from './view-sources.js'

/** A view over joined tables, as far as it decides which columns identify its rows. */
export interface ViewDefinition extends JoinedTables {
  /** The sources of the columns, in their order; null for an expression. */
  readonly outputs: readonly (SourceColumn | null)[]
  /** The columns of which each combination is one row at most, as `group by` and `distinct` make it; null if there are none. */
  readonly groups: readonly SourceColumn[] | null
}

interface ReadOptions {
  readonly hasArrays: boolean
  /** Returns a table or a view by its name; null if it is not known. */
  readonly tableNamed: (schema: string | null, name: string) => SourceTable | null
}

/** The clauses of a `select`, in their order. */
const clauses = ['from', 'where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch'] as const

/** Words that join several `select`s, or precede them. */
const compound: readonly string[] = ['with', 'union', 'intersect', 'except', 'values']

/** Reads the definition of a view. Returns null for one that is not a single `select` from joined tables. */
export function readViewDefinition(text: string, { hasArrays, tableNamed }: ReadOptions): ViewDefinition | null {
  const tokens = selectIn(tokensOf(text, { hasArrays }))
  if (tokens === null || compound.some((word) => wordIndex(tokens, word) !== -1)) return null
  const parts = clauseParts(tokens)
  const from = parts?.get('from')
  if (parts === null || from === undefined) return null
  const joined = joinedTables(from, parts.get('where') ?? [], tableNamed)
  if (joined === null) return null
  const selected = parts.get('select') ?? []
  const isDistinct = isWord(selected[0], 'distinct')
  const items = isDistinct || isWord(selected[0], 'all') ? selected.slice(1) : selected
  const outputs = splitAt(items, ',').flatMap((item) => outputsOf(item, joined))
  const groups = groupsOf(parts.get('group'), outputs, joined)
  if (groups === undefined) return null
  // Each row of `distinct` differs from all others in some column. `distinct on` begins with a parenthesis, so that it has no source.
  if (!isDistinct) return { ...joined, outputs, groups }
  return outputs.includes(null) ? null : { ...joined, outputs, groups: known(outputs) }
}

/** Returns the tokens from `select` on: SQLite has the whole `create view` statement. */
function selectIn(tokens: readonly Token[]): readonly Token[] | null {
  if (!isWord(tokens[0], 'create')) return isWord(tokens[0], 'select') ? withoutEnd(tokens) : null
  const as = wordIndex(tokens, 'as')
  return as === -1 || !isWord(tokens[as + 1], 'select') ? null : withoutEnd(tokens.slice(as + 1))
}

function withoutEnd(tokens: readonly Token[]): readonly Token[] {
  return isSign(tokens.at(-1), ';') ? tokens.slice(0, -1) : tokens
}

/** Returns the tokens of each clause; null if a word of the clauses is not where one begins, as in `within group`. */
function clauseParts(tokens: readonly Token[]): ReadonlyMap<string, readonly Token[]> | null {
  const starts = clauses.map((name) => [name, wordIndex(tokens, name)] as const).filter(([, at]) => at !== -1)
  const all = [['select', 0] as const, ...starts]
  if (
    all.some(
      ([name, at], index) => at < (all[index - 1]?.[1] ?? 0) || (name === 'from' && isWord(tokens[at - 1], 'distinct')),
    )
  )
    return null
  return new Map(all.map(([name, at], index) => [name, tokens.slice(at + 1, all[index + 1]?.[1])]))
}

/** Returns the sources of an item of `select`: several for `*`. */
function outputsOf(item: readonly Token[], joined: JoinedTables): readonly (SourceColumn | null)[] {
  if (isSign(item.at(-1), '*') && item.length !== 2) {
    const alias = item.length === 1 ? null : (item[0]?.value.toLowerCase() ?? '')
    return [...joined.tables]
      .filter(([each]) => alias === null || each === alias)
      .flatMap(([each, { table }]) => table.columns.map((column) => ({ alias: each, column })))
  }
  const as = wordIndex(item, 'as')
  const value = as === -1 ? item : item.slice(0, as)
  // `a.title name` has a name without `as`.
  const isNamed = as === -1 && item.length > 1 && !isSign(item.at(-2), '.')
  return [sourceColumn(unwrapped(isNamed ? value.slice(0, -1) : value), joined.tables)]
}

/** Returns the columns of `group by`; undefined if one is an expression. */
function groupsOf(
  clause: readonly Token[] | undefined,
  outputs: readonly (SourceColumn | null)[],
  { tables }: JoinedTables,
): readonly SourceColumn[] | null | undefined {
  if (clause === undefined) return null
  const groups = splitAt(clause.slice(1), ',').map((item) => {
    const [only] = item
    if (item.length === 1 && only?.kind === 'number') return outputs[Number(only.value) - 1] ?? null
    return sourceColumn(unwrapped(item), tables)
  })
  return groups.includes(null) ? undefined : known(groups)
}

function known(columns: readonly (SourceColumn | null)[]): readonly SourceColumn[] {
  return columns.filter((each) => each !== null)
}
