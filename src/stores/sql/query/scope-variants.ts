import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { memoize } from '../../../core/util/memoize.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlTables } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { sqlScope } from './sql-conditions.js'
import type { ScopeSlot, StatementBuild } from './statement-build.js'
import { queriedColumn, statementBuild } from './statement-build.js'

export interface PreparedRead<Read> {
  readonly text: StatementText
  /** The values in this request. The caller replaces those that are not of scopes, such as the key. */
  readonly values: unknown[]
  readonly read: Read
}

export type ScopeValues = readonly (readonly unknown[])[]

/** Scopes that branch by request have a few structures. A scope with more structures gets its statements from the cache of texts. */
const MAX_VARIANTS = 32

/**
 * Caches the prepared forms of one read. Scopes depend on the request: requests whose scopes have the same structure
 * share a statement and differ in its values, so that a scope that compares `owner_id` with the caller has one
 * statement. The result returns the statement for a request, which is built if there is none. Its `form` is what the text depends on
 * besides the scopes, such as the type of the key; `wanted` is what the request asks for, such as the key.
 *
 * @param write writes a statement; what it returns outlives the request, so it must not refer to the build
 */
export function scopeVariants<Read, Wanted>(
  store: SqlStore,
  tables: SqlTables,
  write: (build: StatementBuild, wanted: Wanted) => Omit<PreparedRead<Read>, 'values'>,
): (form: string | null, context: RequestContext, wanted: Wanted) => PreparedRead<Read> {
  let slots: readonly ScopeSlot[] | null = null
  // A list, since there is mostly one, and equal structures are mostly the same strings: no text has to be hashed.
  const variants: StoredVariant<Read>[] = []
  const known = (form: string | null, context: RequestContext): PreparedRead<Read> | undefined => {
    const scopes = slots === null ? null : readScopes(slots, { store, tables, context })
    if (scopes === null) return undefined
    for (const { form: other, structures, text, values, slots: own, read } of variants) {
      if (other === form && areSame(structures, scopes.structures)) {
        return { text, values: withScopeValues(values, own, scopes.values), read }
      }
    }
    return undefined
  }
  const built = (form: string | null, context: RequestContext, wanted: Wanted): PreparedRead<Read> => {
    const build = statementBuild(store, tables, context)
    const { text, read } = write(build, wanted)
    const { values } = build.shape
    if (text.isCached && variants.length < MAX_VARIANTS) {
      slots ??= build.scopes
      const scopes = readScopes(slots, { store, tables, context })
      if (scopes !== null) {
        variants.push({ form, structures: scopes.structures, text, values, slots: build.scopes, read })
      }
    }
    return { text, values, read }
  }
  return (form, context, wanted) => known(form, context) ?? built(form, context, wanted)
}

/** The values are those that the statement was built with. */
interface StoredVariant<Read> extends PreparedRead<Read> {
  readonly form: string | null
  readonly structures: readonly string[]
  readonly slots: readonly ScopeSlot[]
}

/** Returns whether two lists have the same values, such as the structures of the scopes of two requests. */
export function areSame(structures: readonly unknown[], others: readonly unknown[]): boolean {
  for (let index = 0; index < structures.length; index += 1) if (structures[index] !== others[index]) return false
  return structures.length === others.length
}

interface ScopeOptions {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly context: RequestContext
}

interface ReadScopes {
  readonly structures: readonly string[]
  readonly values: ScopeValues
}

const noScopes: ReadScopes = Object.freeze({ structures: Object.freeze([]), values: Object.freeze([]) })

/**
 * Returns the structures and the values that scopes have in a request. Returns `null` if a scope has a user-defined expression: its text
 * may differ each time.
 */
export function readScopes(slots: readonly ScopeSlot[], { store, tables, context }: ScopeOptions): ReadScopes | null {
  if (slots.length === 0) return noScopes
  const structures: string[] = []
  const values: (readonly unknown[])[] = []
  for (const slot of slots) {
    const read = equalityOf(slot, context, store) ?? builtScope(slot, { store, tables, context })
    if (read === null) return null
    structures.push(read.structure)
    values.push(read.values)
  }
  return { structures, values }
}

interface ReadScope {
  readonly structure: string
  readonly values: readonly unknown[]
}

/** Returns `null` if the scope has a user-defined expression. */
function builtScope({ scope, rows }: ScopeSlot, { store, tables, context }: ScopeOptions): ReadScope | null {
  const build = statementBuild(store, tables, context)
  sqlScope(scope, rows, build)
  const { key, values } = build.shape
  return key === null ? null : { structure: key, values }
}

/**
 * Reads a scope that compares one column with one value, as most do: a fast path of `builtScope`. Without it, one resource
 * takes about 5 % more CPU time if two types have rules. Returns `null` for every other scope.
 */
function equalityOf(slot: ScopeSlot, context: RequestContext, { dialect }: SqlStore): ReadScope | null {
  const condition = slot.scope.conditionIn(context)
  if (condition?.kind !== 'compare' || condition.operator !== '=') return null
  const { column, value } = condition
  // Dates, and values that count as null, are left to the plain form.
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'bigint' && !Number.isFinite(value))
    return null
  const last = lastComparison(slot)
  if (last.column !== column) {
    last.column = column
    last.compared = comparedColumn(queriedColumn(column, slot.rows), column, dialect)
    last.structure = ''
  }
  const operand = last.compared?.as === 'json' ? null : (last.compared?.operand(value) ?? null)
  if (operand === null) return null
  if (last.structure === '' || last.type !== operand.type || last.fine !== operand.fine) {
    last.type = operand.type
    last.fine = operand.fine
    last.structure = `= ${column.of} ${last.compared?.name} ${operand.type} ${operand.fine}`
  }
  return { structure: last.structure, values: [operand.value] }
}

/** The last comparison in a scope slot, without its value. Most requests compare the same column. */
interface LastComparison {
  column: QueryColumn | null
  compared: ComparedColumn | null
  type: Operand['type']
  fine: boolean
  /** Empty if it has to be computed again. */
  structure: string
}

const lastComparison = memoize(
  (_slot: ScopeSlot): LastComparison => ({ column: null, compared: null, type: null, fine: false, structure: '' }),
)

/**
 * Returns the values of a statement with those of scopes replaced, as a new list.
 *
 * @param values the values that the statement was built with
 */
function withScopeValues(values: readonly unknown[], slots: readonly ScopeSlot[], scopeValues: ScopeValues): unknown[] {
  const all: unknown[] = []
  let position = 0
  for (let index = 0; index < slots.length; index += 1) {
    const { start, end } = slots[index] as ScopeSlot
    for (; position < start; position += 1) all.push(values[position])
    for (const value of scopeValues[index] ?? []) all.push(value)
    position = end
  }
  for (; position < values.length; position += 1) all.push(values[position])
  return all
}

/** The criteria that a prepared read depends on. */
export interface ReadKey {
  /** The cache key of the criteria; without one, nothing is cached. */
  readonly cacheKey?: object | undefined
  /** They are compared one by one, since an application that passes criteria on may have changed them. */
  readonly criteria: readonly unknown[]
}

/**
 * Caches prepared reads by the cache key of their criteria, as long as the tables stay the same. Without it, one resource
 * takes 17 % more CPU time (W1 on SQLite).
 */
export interface CachedReads<Prepared> {
  find(key: ReadKey, tables: SqlTables): Prepared | undefined
  /** Returns the prepared read. */
  add(key: ReadKey, tables: SqlTables, prepared: Prepared): Prepared
}

interface Entry<Prepared> extends Pick<ReadKey, 'criteria'> {
  readonly tables: SqlTables
  readonly prepared: Prepared
}

export function cachedReads<Prepared>(): CachedReads<Prepared> {
  const entries = new WeakMap<object, Entry<Prepared>>()
  return {
    find({ cacheKey, criteria }, tables) {
      const entry = cacheKey === undefined ? undefined : entries.get(cacheKey)
      return entry?.tables === tables && areSame(entry.criteria, criteria) ? entry.prepared : undefined
    },
    add({ cacheKey, criteria }, tables, prepared) {
      if (cacheKey !== undefined) entries.set(cacheKey, { tables, criteria, prepared })
      return prepared
    },
  }
}
