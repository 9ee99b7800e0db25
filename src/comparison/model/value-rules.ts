/** A bound of numbers. */
export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

/** The rules that a value is held to, by keyword: a bound, a number, a list of which each item holds, or anything else. */
export type ValueRules = ReadonlyMap<string, unknown>

/** How a rule relates to the one before it. A tighter rule allows fewer values. */
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

/** Keywords that say how values are written or what applies without one: no value of them allows more than another. */
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

/** Each item of a list holds: more of them allow less. */
const eachHolds: Compare = (before, after) => {
  const [old, recent] = [before as readonly unknown[], after as readonly unknown[]]
  if (old.every((item) => recent.includes(item))) return 'tighter'
  return recent.every((item) => old.includes(item)) ? 'looser' : 'other'
}

/** Every multiple of 4 is one of 2. */
const steps: Compare = (before, after) => {
  const [old, recent] = [Math.max(...(before as readonly number[])), Math.max(...(after as readonly number[]))]
  if (isMultiple(recent, old)) return 'tighter'
  return isMultiple(old, recent) ? 'looser' : 'other'
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
