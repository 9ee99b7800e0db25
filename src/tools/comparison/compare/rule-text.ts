import type { Bound } from '../model/value-rules.js'

/** Returns a rule as text; `null` if there is none. */
export function ruleText(keyword: string, value: unknown): string | null {
  if (value === undefined) return null
  return (texts[keyword] ?? otherText(keyword))(value)
}

/** Returns a value as JSON; a text without quotes. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type RuleText = (value: unknown) => string

const bound =
  (inclusive: string, exclusive: string): RuleText =>
  (value) => {
    const { value: number, isExclusive } = value as Bound
    return `${isExclusive ? exclusive : inclusive} ${number}`
  }

const size =
  (words: string, noun: string): RuleText =>
  (value) =>
    `${words} ${String(value)} ${noun}${value === 1 ? '' : 's'}`

const list =
  (noun: string): RuleText =>
  (value) =>
    `${noun}${(value as readonly unknown[]).map(valueText).join(' and ')}`

const texts: Readonly<Record<string, RuleText>> = Object.freeze({
  minimum: bound('at least', 'more than'),
  maximum: bound('at most', 'less than'),
  minLength: size('at least', 'character'),
  maxLength: size('at most', 'character'),
  minItems: size('at least', 'item'),
  maxItems: size('at most', 'item'),
  minProperties: size('at least', 'member'),
  maxProperties: size('at most', 'member'),
  pattern: list('the pattern '),
  format: list('the format '),
  multipleOf: list('a multiple of '),
  'x-rules': (value) => (value as readonly string[]).map((sentence) => sentence.replace(/\.$/, '')).join(' and '),
  uniqueItems: () => 'no item twice',
  closed: () => 'no further members',
  'x-format': (value) => valueText(value),
  default: (value) => valueText(value),
})

const otherText =
  (keyword: string): RuleText =>
  (value) =>
    `the keyword ${keyword} ${(value as readonly unknown[]).map(valueText).join(' and ')}`
