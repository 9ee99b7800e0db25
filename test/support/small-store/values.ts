import { keyIn, type QueryColumn, type RowCondition, type RowOrder, type Transaction } from 'ashlar/store'
import type { RowPosition } from '../../../src/declare/resource/querying/row-window.js'
import type { Fault } from './faults.js'

export type StoredRow = Readonly<Record<string, unknown>>

/** The tables of one transaction, or the committed ones. */
export type Tables = Map<string, readonly StoredRow[]>

export type TablesIn = (transaction: Transaction | null) => Tables

/** A row with its join row, and the position of its type among those of a relation. */
export interface Found {
  readonly row: StoredRow
  readonly join: StoredRow | null
  readonly type: number
}

/** Whether the store does this wrong. */
export type Wrong = (fault: Fault) => boolean

export function valueOf({ row, join }: Found, { of, name }: QueryColumn): unknown {
  const holder = of === 'pivot' ? join : row
  return holder === null ? null : (keyIn(holder, name) ?? null)
}

export function sameKey(stored: unknown, compared: unknown, wrong: Wrong): boolean {
  if (stored === null || stored === undefined) return false
  if (Array.isArray(stored) && Array.isArray(compared)) {
    const count = wrong('compares only the first column of a composite key') ? 1 : stored.length
    return stored.slice(0, count).every((part, index) => sameKey(part, compared[index], wrong))
  }
  if (wrong('takes 01 for the key 1')) return isSameNumber(stored, compared)
  const text = (key: unknown): string => (wrong('folds the case of keys') ? String(key).toLowerCase() : String(key))
  return text(stored) === text(compared)
}

function isSameNumber(stored: unknown, compared: unknown): boolean {
  return Number.isNaN(Number(stored)) ? stored === compared : Number(stored) === Number(compared)
}

/** Below, equal or above: neither is null. */
function compare(a: unknown, b: unknown, { kind, isKey }: QueryColumn, wrong: Wrong): number {
  const as = kind?.comparedAs ?? (isKey && isNumber(a) ? 'number' : 'text')
  switch (as) {
    case 'number':
      return wrong('orders numbers as texts') ? codePoints(String(a), String(b)) : Number(a) - Number(b)
    case 'boolean':
      return Number(a) - Number(b)
    case 'moment':
      return instant(a, wrong) - instant(b, wrong)
    default:
      return compareTexts(String(a), String(b), wrong)
  }
}

/** Keys may be of either kind. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function instant(value: unknown, wrong: Wrong): number {
  const milliseconds = value instanceof Date ? value.getTime() : Date.parse(String(value))
  return wrong('compares moments by the second') ? Math.floor(milliseconds / 1000) : milliseconds
}

function compareTexts(a: string, b: string, wrong: Wrong): number {
  if (wrong('orders text as a dictionary does')) return a.localeCompare(b, 'en')
  if (wrong('orders text by UTF-16 units')) return a < b ? -1 : a > b ? 1 : 0
  return codePoints(a, b)
}

function codePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function isEqual(stored: unknown, compared: unknown, column: QueryColumn, wrong: Wrong): boolean {
  if (column.isKey) return sameKey(stored, compared, wrong)
  if (!Array.isArray(stored)) return compare(stored, compared, column, wrong) === 0
  return wrong('compares lists as their texts') ? String(stored) === String(compared) : stored.includes(compared)
}

type Comparison = Extract<RowCondition, { kind: 'compare' }>

export function holds(stored: unknown, { operator, value, column }: Comparison, wrong: Wrong): boolean {
  if (stored === null) return operator === '!=' && wrong('finds null if it searches for unequal values')
  switch (operator) {
    case '=':
      return isEqual(stored, value, column, wrong)
    case '!=':
      return !isEqual(stored, value, column, wrong)
    case '>':
      return compare(stored, value, column, wrong) > 0
    case '>=':
      return compare(stored, value, column, wrong) >= 0
    case '<':
      return compare(stored, value, column, wrong) < 0
    case '<=':
      return compare(stored, value, column, wrong) <= 0
    default:
      return typeof stored === 'string' && hasPart(operator, stored, String(value), wrong)
  }
}

function hasPart(operator: 'like' | 'starts' | 'ends', text: string, part: string, wrong: Wrong): boolean {
  if (part.includes('\\') && wrong('finds no backslash')) return false
  const plain = part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = wrong('takes % and _ for patterns') ? plain.replaceAll('%', '.*').replaceAll('_', '.') : plain
  const [begin, end] = [operator === 'starts' ? '^' : '', operator === 'ends' ? '$' : '']
  return new RegExp(`${begin}${folded(pattern, wrong)}${end}`, 'su').test(folded(text, wrong))
}

function folded(text: string, wrong: Wrong): string {
  if (wrong('minds the case of letters in parts of texts')) return text
  if (wrong('folds letters beyond ASCII in parts of texts')) return text.toLowerCase()
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export function inRange(stored: unknown, range: Extract<RowCondition, { kind: 'range' }>, wrong: Wrong): boolean {
  const { min, max, column } = range
  if (stored === null) return false
  const least = wrong('leaves the bounds out of ranges') ? 1 : 0
  const above = min === null || Math.sign(compare(stored, min, column, wrong)) >= least
  return above && (max === null || Math.sign(compare(stored, max, column, wrong)) <= -least)
}

export function inSet(stored: unknown, set: Extract<RowCondition, { kind: 'in' }>, wrong: Wrong): boolean {
  const { values, column, negated } = set
  if (stored === null) return negated && wrong('finds null if it searches for values in no set')
  return values.some((value) => isEqual(stored, value, column, wrong)) !== negated
}

/** Compares the positions of two rows in an order. */
export function comparePositions(a: RowPosition, b: RowPosition, orders: readonly RowOrder[], wrong: Wrong): number {
  const nulls = wrong('takes null for the smallest value') ? -1 : 1
  for (const [level, order] of orders.entries()) {
    const [x, y] = [a[level] ?? null, b[level] ?? null]
    const column = order.kind === 'column' ? order.column : keyColumn(order.kind === 'type' || isNumber(x))
    const below =
      x === null || y === null ? nulls * (Number(x === null) - Number(y === null)) : compare(x, y, column, wrong)
    const isTurned = isByKey(order) && wrong('orders by key in reverse')
    const isAscending = isByKey(order) && wrong('orders equal rows by ascending key, whatever the direction is')
    if (below !== 0) return isAscending || order.descending === isTurned ? below : -below
  }
  return 0
}

function isByKey(order: RowOrder): boolean {
  return order.kind === 'key' || (order.kind === 'column' && order.column.isKey)
}

/** Keys are as in rows; a position that was sent to a client may have their texts. */
function keyColumn(hasNumbers: boolean): QueryColumn {
  return { of: 'row', name: '', kind: hasNumbers ? numbers : null, isKey: true }
}

const numbers = { comparedAs: 'number' } as NonNullable<QueryColumn['kind']>
