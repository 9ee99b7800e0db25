import { isAsyncFunction } from './async-function.js'

/** Describes any value for a message, in a short text on one line. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'bigint':
      return `${value}n`
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'symbol':
      return 'a symbol'
    case 'function':
      return isAsyncFunction(value) ? 'an async function' : 'a function'
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
      return value instanceof Date ? 'a date' : 'an object'
  }
}

/** `'title', 'year' and 'id'` */
export function quoteList(names: readonly string[]): string {
  const all = names.map(quoted)
  const last = all.pop()
  if (last === undefined) return 'none'
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`
}

/** `one of 'title', 'year'` */
export function oneOf(names: readonly string[]): string {
  const [first, ...others] = new Set(names)
  if (first === undefined) return 'one that is declared'
  return others.length === 0 ? quoted(first) : `one of ${[first, ...others].map(quoted).join(', ')}`
}

function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text
  return `'${JSON.stringify(short).slice(1, -1).replaceAll('\\"', '"')}'`
}
