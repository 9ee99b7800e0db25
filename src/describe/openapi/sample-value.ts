import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'

/** Returns the schema of a reference. */
export type ResolveSchema = (reference: string) => JsonSchema | undefined

/**
 * Returns a value that a schema allows: its example, or else one that is made of its rules. `undefined` if none can be made, such as one
 * for a pattern.
 */
export function sampleValue(given: JsonSchema | boolean, resolve: ResolveSchema): unknown {
  const schema = resolved(given, resolve)
  if (schema === undefined) return undefined
  const { const: only, examples, enum: choices, anyOf, oneOf, default: usual } = schema
  if (only !== undefined) return only
  for (const known of [examples, choices]) if (isList(known) && known.length > 0) return known[0]
  if (usual !== undefined) return usual
  const alternatives = anyOf ?? oneOf
  if (isList(alternatives)) return firstSample(alternatives as readonly JsonSchema[], resolve)
  switch (typeOf(schema)) {
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return sampleNumber(schema)
    case 'boolean':
      return true
    case 'array':
      return sampleList(schema, resolve)
    case 'object':
      return sampleObject(schema, resolve)
    default:
      return undefined
  }
}

function resolved(schema: JsonSchema | boolean, resolve: ResolveSchema): JsonSchema | undefined {
  if (typeof schema === 'boolean') return undefined
  return typeof schema['$ref'] === 'string' ? resolve(schema['$ref']) : schema
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function firstSample(schemas: readonly JsonSchema[], resolve: ResolveSchema): unknown {
  for (const schema of schemas) {
    const value = sampleValue(schema, resolve)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function typeOf({ type }: JsonSchema): unknown {
  return isList(type) ? type.find((each) => each !== 'null') : type
}

const formats: Readonly<Record<string, string>> = Object.freeze({
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00',
  uuid: '018f4e3a-7b6c-7d10-8a9b-0c1d2e3f4a5b',
  email: 'someone@example.com',
  uri: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
})

/** Returns a text; `undefined` if none can be made that certainly meets all rules. */
function sampleText(schema: JsonSchema): string | undefined {
  const { format, pattern, minLength = 0, maxLength = Infinity, allOf } = schema
  const bounds = [minLength, maxLength].map(Number) as [number, number]
  const text = typeof format === 'string' ? formats[format] : 'Text'.padEnd(bounds[0], '.').slice(0, bounds[1])
  if (text === undefined || allOf !== undefined || text.length < bounds[0] || text.length > bounds[1]) return undefined
  return matches(text, pattern) ? text : undefined
}

function matches(text: string, pattern: unknown): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)
}

function sampleNumber(schema: JsonSchema): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1, not, allOf } = schema
  if (not !== undefined || allOf !== undefined) return undefined
  const step = Number(multipleOf)
  const least = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity))
  const start = least === -Infinity ? step : Math.ceil(least / step) * step
  const value = start === exclusiveMinimum ? start + step : start
  const isBelow = value <= Number(maximum ?? Infinity) && value < Number(exclusiveMaximum ?? Infinity)
  if (isBelow) return value
  return minimum === undefined && exclusiveMinimum === undefined && maximum !== undefined ? Number(maximum) : undefined
}

function sampleList({ items, minItems = 0, uniqueItems }: JsonSchema, resolve: ResolveSchema): unknown {
  const count = Number(minItems)
  if (count > 1 && uniqueItems === true) return undefined
  if (count === 0) return []
  const item = sampleValue((items ?? true) as JsonSchema | boolean, resolve)
  return item === undefined ? undefined : Array.from({ length: count }, () => item)
}

/** Returns an object with the required members, and those with an example. */
function sampleObject({ properties = {}, required = [], allOf, anyOf }: JsonSchema, resolve: ResolveSchema): unknown {
  if (allOf !== undefined || anyOf !== undefined) return undefined
  const all = properties as Readonly<Record<string, JsonSchema | boolean>>
  const needed = new Set(required as readonly string[])
  const members: [string, unknown][] = []
  for (const [name, schema] of Object.entries(all)) {
    if (!needed.has(name) && resolved(schema, resolve)?.['examples'] === undefined) continue
    const value = name === 'id' && 'type' in all ? sampleId(schema, resolve) : sampleValue(schema, resolve)
    if (value !== undefined) members.push([name, value])
    else if (needed.has(name)) return undefined
  }
  return Object.fromEntries(members)
}

/** Returns an id: a number if the schema allows it, since most ids are numbers. */
function sampleId(given: JsonSchema | boolean, resolve: ResolveSchema): unknown {
  const schema = resolved(given, resolve)
  const { format, pattern, minLength = 0, examples } = schema ?? {}
  const isFree = format === undefined && examples === undefined && Number(minLength) <= 1
  return isFree && matches('1', pattern) ? '1' : sampleValue(given, resolve)
}
