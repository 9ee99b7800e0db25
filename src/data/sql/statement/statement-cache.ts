import { createHash } from 'node:crypto'
import { invariant } from '../../../util/invariant.js'
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
}

interface Written {
  readonly sql: string
  readonly name: string | null
  /** What stands in each place: a value of the shape, or always the same. */
  readonly places: readonly unknown[]
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
  const known = new Map<string, Written>()
  const names = new Set<string>()
  const nameOf = (sql: string): string | null => {
    const name = `ashlar_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
    if (names.size < size) names.add(name)
    return names.has(name) ? name : null
  }
  return {
    statement(shape, write) {
      const { key } = shape
      if (key === null) return filled(written(write(), null), shape)
      const met = known.get(key)
      const text = met ?? written(write(), prepares ? nameOf : null)
      known.delete(key)
      known.set(key, text)
      if (known.size > size) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      return filled(text, shape)
    },
  }
}

function written(query: Writable, nameOf: ((sql: string) => string | null) | null): Written {
  const { sql, parameters } = query.compile()
  return { sql, places: parameters, name: nameOf === null ? null : nameOf(sql) }
}

function filled({ sql, name, places }: Written, { values }: Shape): SqlStatement {
  return { sql, name, values: places.map((place) => (place instanceof Slot ? valueAt(values, place) : place)) }
}

function valueAt(values: readonly unknown[], { index }: Slot): unknown {
  invariant(index < values.length, 'a statement has a place for a value that its shape does not have')
  return values[index]
}
