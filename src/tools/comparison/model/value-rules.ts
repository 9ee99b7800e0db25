/** A bound of numbers. */
export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

/** The rules of a value, by keyword: a bound, a number, a list whose items all apply, or anything else. */
export type ValueRules = ReadonlyMap<string, unknown>

/** The relation of a rule to an earlier one. A tighter rule allows fewer values. */
export type RuleRelation = 'same' | 'tighter' | 'looser' | 'other'

type Compare = (before: unknown, after: unknown) => RuleRelation

/** Compares two rules of one keyword, of which one may be missing. */
export function ruleRelation(keyword: string, before: unknown, after: unknown): RuleRelation {
  if (JSON.stringify(before) === JSON.stringify(after)) return 'same'
  if (alwaysOther.has(keyword)) return 'other'
  if (before === undefined) return 'tighter'
  if (after === undefined) return 'looser'
  return (comparisons[keyword] ?? other)(before, after)
}

/** Keywords of formats and defaults, whose values cannot be compared as tighter or looser. */
const alwaysOther: ReadonlySet<string> = new Set(['x-format', 'default'])

const other: Compare = () => 'other'

const atMost: Compare = (before, after) => (Number(after) < Number(before) ? 'tighter' : 'looser')
const atLeast: Compare = (before, after) => (Number(after) > Number(before) ? 'tighter' : 'looser')

const upper: Compare = (before, after) => boundRelation(before as Bound, after as Bound, 1)
const lower: Compare = (before, after) => boundRelation(before as Bound, after as Bound, -1)

function boundRelation(before: Bound, after: Bound, sign: 1 | -1): RuleRelation {
  if (before.value !== after.value) return sign * (after.value - before.value) < 0 ? 'tighter' : 'looser'
  return after.isExclusive ? 'tighter' : 'looser'
}

/** Compares lists whose items all apply: a longer list allows fewer values. */
const eachHolds: Compare = (before, after) => {
  const [old, newer] = [before as readonly unknown[], after as readonly unknown[]]
  if (old.every((item) => newer.includes(item))) return 'tighter'
  return newer.every((item) => old.includes(item)) ? 'looser' : 'other'
}

/** Every multiple of 4 is one of 2. */
const steps: Compare = (before, after) => {
  const [old, newer] = [Math.max(...(before as readonly number[])), Math.max(...(after as readonly number[]))]
  if (isMultiple(newer, old)) return 'tighter'
  return isMultiple(old, newer) ? 'looser' : 'other'
}

function isMultiple(value: number, of: number): boolean {
  return Number.isInteger(Number((value / of).toPrecision(12)))
}

const comparisons: Readonly<Record<string, Compare>> = Object.freeze({
  minimum: lower,
  maximum: upper,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  pattern: eachHolds,
  format: eachHolds,
  'x-rules': eachHolds,
  multipleOf: steps,
})
