import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../format/inspection/document-inspection.js'
import type { Description } from '../openapi/description.js'
import type { Schema } from '../openapi/schema-check.js'
import { membersOf, partsOf } from '../openapi/described-members.js'

/** Returns some letters that no other value has. */
export function uniqueLetters(): string {
  return randomBytes(8)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
}

/** Returns a text that differs from the given one, and is not longer than a limit. */
export function alteredText(text: string, longest: number): string {
  const end = ` ${uniqueLetters().slice(0, 8)}`
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `${uniqueLetters().slice(0, 8)}${text.slice(text.indexOf('@'))}`
  return text.length + end.length <= longest
    ? `${text}${end}`
    : `${text.slice(0, Math.max(0, longest - end.length))}${end}`.slice(-longest)
}

/** Returns whether a text consists of words or names, so that it may be extended: no date, number, URL or code. */
export function isFreeText(text: string): boolean {
  if (/^[\da-f-]{16,}$|^https?:|^\/|^[\d.,:+\-TZ/ ]+$|^#[\da-f]+$|^\w+\/[\w.+-]+$/i.test(text)) return false
  return text.length > 0
}

/** Returns a value that matches a schema, as far as its keywords are simple; `undefined` if none was found. */
export function sampleValue(schema: Schema, description: Description, depth = 0): unknown {
  if (schema === true) return 'x'
  if (schema === false || depth > 8) return undefined
  const parts = partsOf(schema, description, 0)
  const keyword = (name: string): unknown => parts.find((part) => Object.hasOwn(part, name))?.[name]
  const examples = keyword('examples')
  const candidates = [
    keyword('const'),
    ...(Array.isArray(keyword('enum')) ? (keyword('enum') as unknown[]).slice(0, 1) : []),
    keyword('example'),
    ...(Array.isArray(examples) ? (examples as unknown[]).slice(0, 1) : []),
    keyword('default'),
    ...generated(keyword, schema, description, depth),
  ]
  return candidates.find((value) => value !== undefined && description.problemOf(schema, value) === null)
}

type Keyword = (name: string) => unknown

function generated(keyword: Keyword, schema: Schema, description: Description, depth: number): readonly unknown[] {
  const types = [keyword('type')].flat()
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return texts(keyword)
    case 'integer':
    case 'number': {
      const [low, high] = [Number(keyword('minimum') ?? 0), Number(keyword('maximum') ?? Number.POSITIVE_INFINITY)]
      const step = Number(keyword('multipleOf') ?? 1)
      return [Math.ceil(low / step) * step, low + 1, 1, Math.min(high, low + randomInt(1000)), low + 0.5]
    }
    case 'boolean':
      return [true, false]
    case 'array':
      return [[], [sampleValue((keyword('items') ?? true) as Schema, description, depth + 1)]]
    default:
      return [sampleObject(schema, description, depth)]
  }
}

function sampleObject(schema: Schema, description: Description, depth: number): JsonObject {
  const { properties, required } = membersOf(schema, description)
  return Object.fromEntries(
    required.map((name) => [name, sampleValue(properties[name] ?? true, description, depth + 1)]),
  )
}

function texts(keyword: Keyword): readonly string[] {
  const letters = uniqueLetters()
  const formats: Readonly<Record<string, string>> = {
    date: '2024-02-29',
    'date-time': '2024-02-29T12:00:00Z',
    time: '12:00:00Z',
    uuid: randomUUID(),
    email: `${letters}@example.com`,
    uri: `https://example.com/${letters}`,
    url: `https://example.com/${letters}`,
    hostname: `${letters}.example.com`,
  }
  const format = formats[String(keyword('format'))]
  const shortest = Number(keyword('minLength') ?? 1)
  const longest = Number(keyword('maxLength') ?? 40)
  const filled = letters
    .repeat(Math.ceil(Math.max(1, shortest) / letters.length))
    .slice(0, Math.max(shortest, Math.min(longest, 16)))
  return [
    ...(format === undefined ? [] : [format]),
    filled,
    filled.toUpperCase(),
    String(randomInt(1e9)),
    '1',
    '1.50',
    randomUUID(),
  ]
}
