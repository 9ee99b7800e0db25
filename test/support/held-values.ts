import type { CompiledType } from 'ashlar/store'

/** The type of a column of a derived table. */
export type Held = 'text' | 'integer' | 'number' | 'exact' | 'boolean' | 'instant' | 'date' | 'time' | 'json'

type Kind = CompiledType['attributes'][number]['spec']['kind']

/** The storage type of the values of an attribute. */
export function heldBy(kind: Kind): Held {
  if (kind.name === 'integer' || kind.storageType === 'bigint') return 'integer'
  return kind.storageType === 'list' ? 'json' : kind.storageType
}

/** The storage type for the existing values, and for those that an attribute will write. */
export function heldAs(values: readonly unknown[], declared: Held | null): Held {
  const shapes = new Set(values.filter(isValue).map(shapeOf))
  if (declared === 'json') return 'json'
  if (shapes.size === 0) return declared ?? 'text'
  const within = (...some: readonly Held[]): boolean => [...shapes].every((shape) => some.includes(shape))
  if (declared !== null && within(declared)) return declared
  if (within('integer')) return declared === 'number' ? 'number' : 'integer'
  if (within('integer', 'number')) return values.some((value) => typeof value === 'bigint') ? 'exact' : 'number'
  if (within('boolean') || (declared === 'boolean' && within('boolean', 'integer'))) return 'boolean'
  if (within('instant')) return 'instant'
  if (within('text', 'date', 'time')) return 'text'
  // An attribute converts texts to what it shows.
  const isPlain = !shapes.has('json') && !shapes.has('boolean')
  return isPlain && declared !== null && declared !== 'boolean' ? 'text' : 'json'
}

/** The storage type of keys: one type, so that all have one order. */
export function heldKey(values: readonly unknown[], otherwise: Held): Held {
  const given = values.filter(isValue)
  if (given.length === 0) return otherwise
  if (otherwise === 'integer' && given.every(spellsInteger)) return 'integer'
  if (given.every((value) => value instanceof Date)) return 'instant'
  return given.every((value) => typeof value === 'number' || typeof value === 'bigint') ? 'integer' : 'text'
}

function spellsInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value) || /^(?:0|[1-9]\d{0,14})$/.test(String(value))
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

function shapeOf(value: unknown): Held {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number'
    case 'bigint':
      return 'integer'
    case 'boolean':
      return 'boolean'
    case 'string':
      if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'date'
      return /^\d\d:\d\d:\d\d$/.test(value) ? 'time' : 'text'
    default:
      return value instanceof Date ? 'instant' : 'json'
  }
}

/** A value as a column of that type gets it, in JSON: the database parses texts. */
export function jsonOf(value: unknown, held: Held): string {
  if (!isValue(value)) return 'null'
  switch (held) {
    case 'text':
      return JSON.stringify(textOf(value))
    case 'integer':
    case 'number':
    case 'exact':
      return String(value)
    case 'boolean':
      return String(Boolean(value))
    case 'instant':
      return JSON.stringify(new Date(value as string | Date).toISOString())
    case 'date':
    case 'time':
    case 'json':
      return jsonText(value)
  }
}

/** The same for SQLite, which has neither booleans nor moments. */
export function sqliteValueOf(value: unknown, held: Held): string | number | bigint | null {
  if (!isValue(value)) return null
  switch (held) {
    case 'integer':
    case 'number':
    case 'exact':
      return typeof value === 'bigint' ? value : Number(value)
    case 'boolean':
      return Number(Boolean(value))
    case 'instant':
      return new Date(value as string | Date).toISOString()
    case 'json':
      return jsonText(value)
    case 'date':
      return value instanceof Date ? value.toISOString().slice(0, 10) : textOf(value)
    case 'time':
      return value instanceof Date ? value.toISOString().slice(11, 19) : textOf(value)
    case 'text':
      return textOf(value)
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : jsonText(value)
}

/** JSON has no whole numbers beyond doubles: a column of JSON has the nearest number. */
function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}

/** A value of SQLite, converted back. */
export function valueIn(held: unknown, as: Held): unknown {
  if (as === 'boolean') return held === null ? null : Boolean(held)
  if (typeof held !== 'string') return held
  return as === 'instant' ? new Date(held) : as === 'json' ? JSON.parse(held) : held
}
