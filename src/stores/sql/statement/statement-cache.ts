import { createHash } from 'node:crypto'
import type { CompiledQuery, RawBuilder } from 'kysely'
import { invariant } from '../../../core/util/invariant.js'
import type { CacheState } from '../../../core/util/lru-cache.js'
import { lruCache } from '../../../core/util/lru-cache.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { SqlBuilder } from './sql-builder.js'
import type { StatementShape } from './statement-shape.js'
import { ParameterSlot } from './statement-shape.js'

/**
 * A cache of statement texts by shape. Each text is compiled once, unless it was evicted. Without it, an update takes
 * about 60 % more CPU time (W8 on SQLite).
 */
export interface StatementCache {
  /**
   * Returns the statement of a shape, with its values.
   *
   * @param write called if the text is not cached
   */
  statement(shape: StatementShape, write: () => RawBuilder<unknown>): SqlStatement
  /** Returns the text of a shape, for callers that will run it again with other values. */
  text(shape: StatementShape, write: () => RawBuilder<unknown>): StatementText
  state(): CacheState
}

/** The text of statements of one shape. */
export interface StatementText {
  /**
   * Whether the text is cached, so that it is valid for all statements of the shape. Otherwise it is valid for one
   * statement.
   */
  readonly isCached: boolean
  /** Returns the statement with these values, in the order in which they were added to the shape. */
  withValues(values: readonly unknown[]): SqlStatement
}

export interface CacheOptions {
  /** The maximum number of cached texts. */
  readonly size: number
  /** Whether connections may prepare statements. */
  readonly prepares: boolean
  readonly builder: SqlBuilder
}

/**
 * Returns an LRU cache of statement texts. Connections never drop a statement that they have prepared, so only the
 * first `size` texts get a name to be prepared under. Later texts stay unnamed, even if cached.
 */
export function statementCache({ size, prepares, builder }: CacheOptions): StatementCache {
  const texts = lruCache<string, StatementText>(size)
  const names = new Set<string>()
  const nameOf = (sql: string): string | null => {
    const name = `ashlar_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
    if (names.size < size) names.add(name)
    return names.has(name) ? name : null
  }
  const text = (shape: StatementShape, write: () => RawBuilder<unknown>): StatementText => {
    const { key } = shape
    const cached = key === null ? undefined : texts.get(key)
    if (cached !== undefined) return cached
    const query = write().compile(builder)
    const isCached = key !== null
    const name = prepares && isCached ? nameOf(query.sql) : null
    const compiled = compiledText(query, { name, isCached, label: shape.label })
    if (isCached) texts.set(key, compiled)
    return compiled
  }
  return { text, statement: (shape, write) => text(shape, write).withValues(shape.values), state: () => texts.state() }
}

type TextOptions = Pick<StatementText, 'isCached'> & Pick<SqlStatement, 'name'> & Pick<StatementShape, 'label'>

function compiledText({ sql, parameters }: CompiledQuery, { name, isCached, label }: TextOptions): StatementText {
  // Usually each value is used once, in the order in which the values were added. Then they need not be rearranged.
  const isInOrder = parameters.every(
    (parameter, index) => parameter instanceof ParameterSlot && parameter.index === index,
  )
  return {
    isCached,
    withValues(values) {
      const bound = isInOrder && values.length === parameters.length ? values : boundValues(parameters, values)
      return { sql, name, values: bound, label }
    },
  }
}

function boundValues(parameters: readonly unknown[], values: readonly unknown[]): readonly unknown[] {
  const bound: unknown[] = []
  for (const each of parameters) {
    const isSlot = each instanceof ParameterSlot
    if (isSlot && each.index >= values.length) {
      invariant(false, 'a statement has a parameter without a value in its shape')
    }
    bound.push(isSlot ? values[each.index] : each)
  }
  return bound
}
