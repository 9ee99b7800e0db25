import type { Sentence } from '../../../../core/errors/sentence.js'
import { sentence } from '../../../../core/errors/sentence.js'

/** The type of a column, from the catalogue of the database. */
export interface ColumnFacts {
  /** The type as the database spells it: `character varying(200)`. For a domain, the type that it is based on. */
  readonly type: string
  /** The labels of an enumeration type; null for other types. */
  readonly labels: readonly string[] | null
}

/** The most values that a sentence lists. */
const maxListed = 20

const integerRanges: Readonly<Record<string, { readonly min: string; readonly max: string }>> = Object.freeze({
  smallint: { min: '-32768', max: '32767' },
  integer: { min: '-2147483648', max: '2147483647' },
  bigint: { min: '-9223372036854775808', max: '9223372036854775807' },
})

/** Returns a sentence for clients about the values that fit into a column of PostgreSQL. */
export function allowedByType({ type, labels }: ColumnFacts): Sentence {
  if (labels !== null) return oneOf(labels)
  const base = type.replace(/\(.*/, '')
  const range = integerRanges[base]
  if (range !== undefined) return sentence('integerRange', range)
  const [first, second = '0'] = /\((\d+)(?:,(-?\d+))?\)/.exec(type)?.slice(1) ?? []
  if (first === undefined) return sentence('columnType', { type })
  if (base === 'character varying' || base === 'character') return sentence('maxLength', { limit: first })
  if (base === 'numeric') return sentence('digits', { limit: Number(first) - Number(second) })
  return sentence('columnType', { type })
}

/**
 * Returns a sentence for clients about the values that a check constraint on one column allows. Returns null unless the whole condition can
 * be parsed: bounds of a number, a list of values, a regular expression, or a maximum length.
 *
 * @param condition the condition as PostgreSQL prints it, or as SQLite stores it
 * @param column the name of the column, or `VALUE` for a domain
 */
export function allowedByCheck(condition: string, column: string): Sentence | null {
  const text = normalizedCondition(condition)
  const name = escapeRegExp(column.toLowerCase())
  const listed = new RegExp(`^${name} (?:in|= any) ?\\(?(?:array\\[)?(.*?)\\]?\\)?$`).exec(text)?.[1]
  const values = listed === undefined ? null : literals(listed)
  if (values !== null) return oneOf(values)
  const pattern = new RegExp(`^${name} ~ '((?:[^']|'')*)'$`).exec(text)?.[1]
  if (pattern !== undefined) return sentence('regularExpression', { pattern: pattern.replaceAll("''", "'") })
  // PostgreSQL stores `between` as two comparisons.
  const between =
    new RegExp(`^${name} between ${number} and ${number}$`).exec(text) ??
    new RegExp(`^${name} >= ${number} and ${name} <= ${number}$`).exec(text)
  if (between !== null) return sentence('range', { min: between[1] ?? '', max: between[2] ?? '' })
  const terms = text.split(' and ').map((term) => boundOf(term, name))
  return terms.every((term) => term !== null) ? sentence('columnCheck', { condition: terms.join(', and ') }) : null
}

const number = String.raw`(-?\d+(?:\.\d+)?)`

const bounds: Readonly<Record<string, string>> = Object.freeze({
  '>=': 'be at least',
  '<=': 'be at most',
  '>': 'be greater than',
  '<': 'be less than',
})

function boundOf(term: string, name: string): string | null {
  const [, operator = '', bound = ''] = new RegExp(`^${name} (>=|<=|>|<) ${number}$`).exec(term) ?? []
  if (bound !== '') return `${bounds[operator]} ${bound}`
  const length = new RegExp(`^(?:char_length|character_length|length) ${name} <= (\\d+)$`).exec(term)?.[1]
  return length === undefined ? null : `have at most ${length} characters`
}

/**
 * Normalizes a condition: lower case outside of literals, no casts, no parentheses except those of lists, and one
 * space between words and operators.
 */
function normalizedCondition(condition: string): string {
  return condition
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : plain(part)))
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()
}

function plain(part: string): string {
  return part
    .toLowerCase()
    .replaceAll(/::"?[a-z_][\w ."]*(?:\(\d+(?:,\d+)?\))?(?:\[\])?/g, '')
    .replace(/^ *check\b/, '')
    .replaceAll(/["`()]/g, ' ')
    .replaceAll(/ *(>=|<=|<>|=|>|<) */g, ' $1 ')
    .replaceAll(/\s+/g, ' ')
}

/** Returns the values of a list of literals; null if an item is not a literal. */
function literals(list: string): readonly string[] | null {
  const items = list.match(/'(?:[^']|'')*'|[^,\s[\]]+/g) ?? []
  const values = items.map((item) => {
    if (item.startsWith("'")) return item.slice(1, -1).replaceAll("''", "'")
    return /^-?\d+(?:\.\d+)?$/.test(item) ? item : null
  })
  return values.length > 0 && values.every((value) => value !== null) ? values : null
}

function oneOf(values: readonly string[]): Sentence {
  const listed = values.slice(0, maxListed).join(', ')
  const rest = values.length - maxListed
  return sentence('oneOf', { values: `${listed}${rest > 0 ? ` and ${rest} more` : ''}` })
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
