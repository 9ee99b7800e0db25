import type { GroupCriteria, GroupResult } from '../../declare/resource/capabilities/provider.js'
import type { GroupOrder, RowGroup, RowMeasure } from '../../declare/resource/querying/row-aggregation.js'
import { datePartOf, isWhole, roundedNumber } from '../../declare/resource/querying/row-aggregation.js'
import { sumOfDecimals } from './decimal.js'
import { keyText } from './key-text.js'
import type { Candidate, QueryContext } from './query-context.js'
import { columnReader } from './query-context.js'
import { rowMatcher } from './row-matcher.js'
import type { Comparable } from './stored-value.js'
import { canHold, comparableOf, compareInOrder } from './stored-value.js'

/** A value of a group or a measure, and the value by which it is compared with others. */
interface Ranked {
  readonly value: unknown
  readonly rank: Comparable
}

type Reader = (candidate: Candidate) => Ranked

const nothing: Ranked = Object.freeze({ value: null, rank: null })

/** Filters rows, groups them, and computes, sorts and cuts the groups. */
export function groupRows(
  candidates: readonly Candidate[],
  criteria: Pick<
    GroupCriteria,
    'conditions' | 'groups' | 'measures' | 'orders' | 'window' | 'minGroupSize' | 'wantsCount'
  >,
  queryContext: QueryContext,
): GroupResult {
  const { groups, measures, orders, window, minGroupSize, wantsCount } = criteria
  const matching = candidates.filter(rowMatcher(criteria.conditions, queryContext))
  const all = groupsOf(
    matching,
    groups.map((group) => groupReader(group, queryContext)),
  )
  const compute = measures.map(measureOf)
  const large = minGroupSize > 1 ? all.filter(({ rows }) => rows.length >= minGroupSize) : all
  const computed = large.map(({ values, rows }) => ({ values, results: compute.map((each) => each(rows)) }))
  const sorted = computed.toSorted((one, other) => comparison(orders, one, other))
  const shown = sorted.slice(window.offset, window.offset + window.limit)
  return {
    groups: shown.map(({ values, results }) => [...values, ...results].map(({ value }) => value)),
    total: wantsCount ? large.length : null,
    more: sorted.length > window.offset + window.limit,
    omits: large.length < all.length,
  }
}

interface Group {
  readonly values: readonly Ranked[]
  readonly rows: readonly Candidate[]
}

/** Without readers, all rows are one group, even if there are none. */
function groupsOf(candidates: readonly Candidate[], readers: readonly Reader[]): readonly Group[] {
  if (readers.length === 0) return [{ values: [], rows: candidates }]
  const groups = new Map<string, { readonly values: readonly Ranked[]; readonly rows: Candidate[] }>()
  for (const candidate of candidates) {
    const values = readers.map((read) => read(candidate))
    const key = JSON.stringify(values.map(({ rank }) => identityOf(rank)))
    const group = groups.get(key) ?? { values, rows: [] }
    group.rows.push(candidate)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function identityOf(rank: Comparable): string | null {
  if (rank === null) return null
  return typeof rank === 'string' ? `text ${rank}` : keyText(rank)
}

function groupReader({ column, condition, part }: RowGroup, queryContext: QueryContext): Reader {
  const read = columnReader(column)
  const isVisible = condition === null ? null : rowMatcher([condition], queryContext)
  const rankOf = comparableOf(column.kind)
  return (candidate) => {
    if (isVisible !== null && !isVisible(candidate)) return nothing
    const value = read(candidate)
    const rank = rankOf(value)
    if (part === null) return rank === null ? nothing : { value, rank }
    const text = rank instanceof Date ? datePartOf(rank, part) : null
    return { value: text, rank: text }
  }
}

function measureOf({ function: name, column }: RowMeasure): (rows: readonly Candidate[]) => Ranked {
  if (column === null) return (rows) => ranked(rows.length)
  const read = columnReader(column)
  const rankOf = comparableOf(column.kind)
  const valuesOf = (rows: readonly Candidate[]): readonly Ranked[] =>
    rows.flatMap((row) => {
      const value = read(row)
      const rank = rankOf(value)
      return rank !== null && canHold(column.kind, value) ? [{ value, rank }] : []
    })
  switch (name) {
    case 'count':
      return (rows) => ranked(valuesOf(rows).length)
    case 'sum':
      return (rows) => {
        const sum = sumOf(valuesOf(rows))
        return ranked(isWhole(column) && sum !== null && !sum.includes('.') ? BigInt(sum) : roundedNumber(sum))
      }
    case 'avg':
      return (rows) => {
        const values = valuesOf(rows)
        const sum = sumOf(values)
        return ranked(sum === null ? null : roundedNumber(Number(sum) / values.length))
      }
    case 'min':
      return (rows) => extremeOf(valuesOf(rows), -1)
    case 'max':
      return (rows) => extremeOf(valuesOf(rows), 1)
  }
}

function ranked(value: number | bigint | null): Ranked {
  return { value, rank: value }
}

function sumOf(values: readonly Ranked[]): string | null {
  return values.length === 0 ? null : sumOfDecimals(values.map(({ rank }) => rank))
}

function extremeOf(values: readonly Ranked[], side: 1 | -1): Ranked {
  let found = nothing
  for (const each of values) {
    if (found.rank === null || compareInOrder(each.rank, found.rank) * side > 0) found = each
  }
  return found
}

interface ComputedGroup {
  readonly values: readonly Ranked[]
  readonly results: readonly Ranked[]
}

function comparison(orders: readonly GroupOrder[], one: ComputedGroup, other: ComputedGroup): number {
  for (const { of, index, descending } of orders) {
    const member = of === 'group' ? 'values' : 'results'
    const order = compareInOrder(one[member][index]?.rank ?? null, other[member][index]?.rank ?? null)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
