import { conjuncts, isSign, isWord, type Token, tokensOf, unwrapped } from './sql-tokens.js'

/** The constraints of one column in a check. Unsupported expressions are ignored. */
export interface CheckedColumn {
  readonly column: string
  readonly min?: string
  readonly max?: string
  readonly exclusiveMin?: string
  readonly exclusiveMax?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly values?: readonly (string | number)[]
  /** The type that a JSON value has: `object`, `array`. */
  readonly jsonType?: string
}

/**
 * Parses a check of SQL, as written or as PostgreSQL displays it: comparisons of a column with values, joined by `and`.
 * An unsupported part that is joined by `and` is ignored, because all parts apply. Returns nothing for other unsupported
 * expressions.
 */
export function readCheck(expression: string): readonly CheckedColumn[] {
  const tokens = withoutCasts(tokensOf(expression))
  return conjuncts(tokens).flatMap((part) => readComparison(part) ?? [])
}

/** Removes casts: `'a'::character varying(10)[]`. */
function withoutCasts(tokens: readonly Token[]): readonly Token[] {
  const remaining: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    if (!isSign(token, '::')) {
      remaining.push(token)
      continue
    }
    index += castLength(tokens, index + 1)
  }
  return remaining
}

function castLength(tokens: readonly Token[], start: number): number {
  let end = start
  while (tokens[end]?.kind === 'word' && !isKeyword(tokens[end])) end++
  if (tokens[end]?.kind === 'name' && end === start) end++
  if (isSign(tokens[end], '(')) end += tokens.slice(end).findIndex((token) => isSign(token, ')')) + 1
  while (isSign(tokens[end], '[') && isSign(tokens[end + 1], ']')) end += 2
  return end - start
}

function isKeyword(token: Token | undefined): boolean {
  return isWord(token, 'and') || isWord(token, 'or') || isWord(token, 'between') || isWord(token, 'in')
}

/** The functions that return the length of a text. */
const lengths: ReadonlySet<string> = new Set(['length', 'char_length', 'character_length'])

function readComparison(tokens: readonly Token[]): CheckedColumn | null {
  const at = tokens.findIndex(isOperator)
  if (at === -1) return null
  const subject = unwrapped(tokens.slice(0, at))
  const rest = tokens.slice(at + 1)
  const operator = tokens[at]?.value.toLowerCase() ?? ''
  const column = columnIn(subject)
  if (column !== null) return comparedColumn(column, operator, rest)
  const argument = unwrapped(subject.slice(1))
  const [name] = subject
  const called = columnIn(argument)
  if (name?.kind !== 'word' || called === null) return reversed(subject, operator, rest)
  if (lengths.has(name.value.toLowerCase())) return comparedLength(called, operator, valueIn(rest))
  if (/^jsonb?_type(?:of)?$/i.test(name.value) && operator === '=') {
    const [type] = unwrapped(rest)
    return type?.kind === 'text' ? { column: called, jsonType: type.value } : null
  }
  return null
}

const signs: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '='])

function isOperator(token: Token): boolean {
  return (token.kind === 'sign' && signs.has(token.value)) || isWord(token, 'between') || isWord(token, 'in')
}

const opposite: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' }

/** `0 <= price` is `price >= 0`. */
function reversed(value: readonly Token[], operator: string, rest: readonly Token[]): CheckedColumn | null {
  const column = columnIn(unwrapped(rest))
  const turned = opposite[operator]
  return column === null || turned === undefined ? null : comparedColumn(column, turned, value)
}

function columnIn(tokens: readonly Token[]): string | null {
  const bare = unwrapped(tokens)
  const [token] = bare
  return bare.length === 1 && token !== undefined && (token.kind === 'name' || token.kind === 'word')
    ? token.value
    : null
}

function comparedColumn(column: string, operator: string, rest: readonly Token[]): CheckedColumn | null {
  switch (operator) {
    case 'between': {
      const and = rest.findIndex((token) => isWord(token, 'and'))
      const [min, max] = [numberIn(rest.slice(0, and)), numberIn(rest.slice(and + 1))]
      return min === null || max === null ? null : { column, min, max }
    }
    case 'in':
      return withValues(column, listIn(unwrapped(rest)))
    case '=':
      return isWord(rest[0], 'any') ? withValues(column, anyIn(rest.slice(1))) : null
    default: {
      const bound = numberIn(rest)
      return bound === null ? null : { column, [bounds[operator] ?? '']: bound }
    }
  }
}

const bounds: Readonly<Record<string, keyof CheckedColumn>> = {
  '<': 'exclusiveMax',
  '<=': 'max',
  '>': 'exclusiveMin',
  '>=': 'min',
}

function comparedLength(column: string, operator: string, value: string | number | null): CheckedColumn | null {
  if (typeof value !== 'number') return null
  switch (operator) {
    case '<=':
      return { column, maxLength: value }
    case '<':
      return { column, maxLength: value - 1 }
    case '>=':
      return { column, minLength: value }
    case '>':
      return { column, minLength: value + 1 }
    case '=':
      return { column, minLength: value, maxLength: value }
    default:
      return null
  }
}

function withValues(column: string, values: readonly (string | number)[] | null): CheckedColumn | null {
  return values === null || values.length === 0 ? null : { column, values }
}

/** Reads `(array['a', 'b'])`. */
function anyIn(tokens: readonly Token[]): readonly (string | number)[] | null {
  const bare = unwrapped(tokens)
  return isWord(bare[0], 'array') ? listIn(bare.slice(2, -1)) : null
}

function listIn(tokens: readonly Token[]): readonly (string | number)[] | null {
  const items: Token[][] = [[]]
  for (const token of tokens) {
    if (isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  const values = items.map(valueIn)
  return values.some((value) => value === null) ? null : (values as (string | number)[])
}

function valueIn(tokens: readonly Token[]): string | number | null {
  const bare = unwrapped(tokens)
  const [only] = bare
  if (bare.length === 1 && only?.kind === 'text') return only.value
  const number = numberIn(bare)
  return number === null ? null : Number(number)
}

/** Returns the digits of a number, which may be in quotes or negative. */
function numberIn(tokens: readonly Token[]): string | null {
  const bare = unwrapped(tokens)
  const isNegative = isSign(bare[0], '-')
  const digits = unwrapped(isNegative ? bare.slice(1) : bare)
  const [only] = digits
  if (digits.length !== 1 || only === undefined) return null
  if (only.kind !== 'number' && !(only.kind === 'text' && /^-?\d+(?:\.\d+)?$/.test(only.value))) return null
  return `${isNegative ? '-' : ''}${only.value}`
}
