import type { GroupCriteria, GroupResult, RowCondition, RowGroup, RowMeasure } from 'ashlar/store'
import type { StoredRow, Wrong } from './values.js'

type Value = string | number | null

/** Whether a row meets a condition of a group. */
type Meets = (row: StoredRow, condition: RowCondition) => boolean

/** Groups rows as a reader of the contract would, without the functions of the service. */
export function grouped(rows: readonly StoredRow[], criteria: GroupCriteria, meets: Meets, wrong: Wrong): GroupResult {
  const { groups, measures, orders, window, minGroupSize, wantsCount } = criteria
  const found = new Map<string, { keys: Value[]; rows: StoredRow[] }>()
  if (groups.length === 0) found.set('', { keys: [], rows: [...rows] })
  else {
    for (const row of rows) {
      const keys = groups.map((group) => keyOf(row, group, meets))
      if (wrong('leaves out the group of null') && keys.includes(null)) continue
      const identity = wrong('groups by the first value only') ? keys.slice(0, 1) : keys
      const text = JSON.stringify(identity)
      const name = wrong('folds the case of letters in groups') ? text.toLowerCase() : text
      const group = found.get(name) ?? { keys, rows: [] }
      group.rows.push(row)
      found.set(name, group)
    }
  }
  const least = minGroupSize > 1 && !wrong('shows small groups') ? minGroupSize : 0
  const large = [...found.values()].filter((group) => group.rows.length >= least)
  const computed = large.map((group) => ({
    group: group.keys,
    measure: measures.map((measure) => measured(group.rows, measure, wrong)),
  }))
  const used = wrong('orders groups by their values only') ? orders.filter(({ of }) => of === 'group') : orders
  const sorted = computed.toSorted((one, other) => {
    for (const { of, index, descending } of used) {
      const order = compared(one[of][index] ?? null, other[of][index] ?? null, wrong)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
  const isWhole = wrong('returns all groups as one page')
  const shown = isWhole ? sorted : sorted.slice(window.offset, window.offset + window.limit)
  const total = wrong('counts the groups of a page') ? shown.length + 1 : sorted.length
  return {
    groups: shown.map(({ group, measure }) => [...group, ...measure]),
    total: wantsCount ? total : null,
    more: !isWhole && sorted.length > window.offset + window.limit,
    omits: large.length < found.size,
  }
}

function keyOf(row: StoredRow, { column, condition, part }: RowGroup, meets: Meets): Value {
  const value = row[column.name] ?? null
  if (value === null || (condition !== null && !meets(row, condition))) return null
  if (part === null) return typeof value === 'string' ? value : Number(value)
  const text = value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : ''
  const [day = '', year = '', month = ''] = /^(\d{4})-(\d\d)-\d\d/.exec(text) ?? []
  switch (part) {
    case 'year':
      return year
    case 'quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`
    case 'month':
      return `${year}-${month}`
    case 'week':
      return weekOf(new Date(`${day}T00:00:00Z`))
    case 'day':
      return day
  }
}

/** Counts the Thursdays of the year until that of the week. */
function weekOf(day: Date): string {
  const thursday = new Date(day)
  while (thursday.getUTCDay() !== 4)
    thursday.setUTCDate(thursday.getUTCDate() + (thursday.getUTCDay() === 0 ? -1 : thursday.getUTCDay() < 4 ? 1 : -1))
  const year = thursday.getUTCFullYear()
  let week = 0
  for (let each = thursday; each.getUTCFullYear() === year; each = new Date(each.getTime() - 7 * 86_400_000)) week += 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

function measured(rows: readonly StoredRow[], { function: name, column }: RowMeasure, wrong: Wrong): Value {
  if (column === null) return rows.length
  const isText = column.kind?.comparedAs === 'text' || column.kind?.comparedAs === 'moment'
  const given = rows.map((row) => row[column.name] ?? null)
  const values = wrong('takes null for 0 in measures') && !isText ? given.map((value) => value ?? 0) : given
  const known = values.filter((value) => value !== null)
  if (name === 'count') return known.length
  if (known.length === 0) return null
  if (name === 'min' || name === 'max') {
    const [first] = known.toSorted((one, other) => {
      const order = compared(comparable(one), comparable(other), wrong)
      return name === 'min' ? order : -order
    })
    return first as Value
  }
  const sum = known.reduce((total: number, value) => total + Number(value), 0)
  return name === 'sum' ? sum : sum / known.length
}

function comparable(value: unknown): Value {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? value : Number(value)
}

function compared(one: Value, other: Value, wrong: Wrong): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (wrong('compares the texts of groups as a dictionary does')) return String(one).localeCompare(String(other), 'en')
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
