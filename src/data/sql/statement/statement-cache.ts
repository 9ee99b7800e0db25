import { createHash } from 'node:crypto'
import { invariant } from '../../../util/invariant.js'
import { recent } from '../../../util/recent.js'
import type { SqlStatement } from '../driver/sql-driver.js'
import type { Writable } from './engine.js'
import type { Shape } from './shape.js'
import { Slot } from './shape.js'

/** Statements by their shape: each text is written once, while there is room. */
export interface StatementCache {
  /**
   * The statement of a shape, with its values.
   *
   * @param write asked when the shape is met first
   */
  statement(shape: Shape, write: () => Writable): SqlStatement
  /** The same for those who will come again with other values of the same shape. */
  text(shape: Shape, write: () => Writable): StatementText
}

/** The text of statements of one shape. */
export interface StatementText {
  /** Whether it is the same for all of that shape: else it is of one statement only. */
  readonly isKept: boolean
  /** The statement with these values, in the order in which the shape has taken them. */
  withValues(values: readonly unknown[]): SqlStatement
}

export interface CacheOptions {
  /** How many texts are kept. */
  readonly size: number
  /** Whether connections may keep statements prepared. */
  readonly prepares: boolean
}

/**
 * The least recently used text makes room. Connections never forget a statement that they have prepared, so only as many get a
 * name as fit in here, and not again those that come back after they had to make room.
 */
export function statementCache({ size, prepares }: CacheOptions): StatementCache {
  const known = recent<string, StatementText>(size)
  const names = new Set<string>()
  const nameOf = (sql: string): string | null => {
    const name = `ashlar_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
    if (names.size < size) names.add(name)
    return names.has(name) ? name : null
  }
  const text = (shape: Shape, write: () => Writable): StatementText => {
    const { key } = shape
    if (key === null) return written(write(), null, false)
    const met = known.get(key)
    if (met !== undefined) return met
    const fresh = written(write(), prepares ? nameOf : null, true)
    known.set(key, fresh)
    return fresh
  }
  return { text, statement: (shape, write) => text(shape, write).withValues(shape.values) }
}

function written(query: Writable, nameOf: ((sql: string) => string | null) | null, isKept: boolean): StatementText {
  const { sql, parameters: places } = query.compile()
  const name = nameOf === null ? null : nameOf(sql)
  // Mostly each value has one place, in the order in which they were taken.
  const isInOrder = places.every((place, index) => place instanceof Slot && place.index === index)
  return {
    isKept,
    withValues: (values) =>
      isInOrder && values.length === places.length
        ? { sql, name, values }
        : { sql, name, values: places.map((place) => (place instanceof Slot ? valueAt(values, place) : place)) },
  }
}

function valueAt(values: readonly unknown[], { index }: Slot): unknown {
  invariant(index < values.length, 'a statement has a place for a value that its shape does not have')
  return values[index]
}
