import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { memoize } from '../../../core/util/memoize.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { ScopeValues } from '../query/scope-variants.js'
import { areSame, readScopes } from '../query/scope-variants.js'
import type { ScopeSlot, StatementBuild } from '../query/statement-build.js'
import { statementBuild } from '../query/statement-build.js'
import type { ReturnedRow, SqlTables } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { WritePart } from './sql-writing.js'
import type { StatementTarget } from './statement-target.js'

/** What the statement of a write depends on, besides the type that is written and the scopes in its conditions. */
export interface WriteForm {
  /** What the text depends on, such as the columns that are set. The items are compared one by one, by identity. */
  readonly parts: readonly unknown[]
  /** The values that are not of scopes, in the order in which they are bound. */
  readonly values: readonly unknown[]
}

interface RequestTables {
  readonly tables: SqlTables
  readonly context: RequestContext
}

/** Returns the statement of a write, and how its rows are read. `write` begins the statement, if there is none of this form. */
type PreparedWrites = (
  form: WriteForm,
  request: RequestTables,
  write: (build: StatementBuild) => WrittenText,
) => PreparedStatement

interface WrittenText {
  readonly part: WritePart
  readonly returned: ReturnedRow
}

interface PreparedStatement {
  readonly statement: SqlStatement
  readonly returned: ReturnedRow
}

/** The text of statements of one form, with the structures that the scopes in it had. */
interface PreparedWrite extends Pick<WriteForm, 'parts'> {
  readonly text: StatementText
  readonly returned: ReturnedRow
  readonly scopes: readonly ScopeSlot[]
  readonly structures: readonly string[]
}

/** The maximum number of cached texts of a type: clients send only a few different sets of attributes. */
const maxCachedTexts = 16

/**
 * Caches the statements of one kind of write by type and form. Most writes set the same columns under the same rules, and then skip even
 * the shape of the statement. Types of one table may have different ids, so they share no statements. Without the cache, a create takes 9 %
 * more CPU time (W5 on SQLite).
 */
export function preparedWrites(store: SqlStore): (target: StatementTarget) => PreparedWrites {
  return memoize((_target: StatementTarget) => preparedIn(store))
}

function preparedIn(store: SqlStore): PreparedWrites {
  const known: PreparedWrite[] = []
  return ({ parts, values }, { tables, context }, write) => {
    for (let index = 0; index < known.length; index += 1) {
      const each = known[index] as PreparedWrite
      if (!areSame(each.parts, parts)) continue
      const scopes = readScopes(each.scopes, { store, tables, context })
      if (scopes === null || !areSame(scopes.structures, each.structures)) continue
      // The last ones that were used stay.
      if (index > 0) known.unshift(...known.splice(index, 1))
      const all = each.scopes.length === 0 ? values : merged(values, each.scopes, scopes.values)
      return { statement: each.text.withValues(all), returned: each.returned }
    }
    const build = statementBuild(store, tables, context)
    const { shape, scopes } = build
    const { part, returned } = write(build)
    const text = store.statements.text(shape, part)
    const read = text.isCached ? readScopes(scopes, { store, tables, context }) : null
    // A condition that is no scope has values of its own.
    if (read !== null && merged(values, scopes, read.values).length === shape.values.length) {
      known.unshift({ parts, text, returned, scopes, structures: read.structures })
      if (known.length > maxCachedTexts) known.pop()
    }
    return { statement: text.withValues(shape.values), returned }
  }
}

/** Returns all values of a statement, with those of scopes in their places. */
function merged(values: readonly unknown[], slots: readonly ScopeSlot[], scopeValues: ScopeValues): readonly unknown[] {
  const all: unknown[] = []
  let next = 0
  for (let index = 0; index < slots.length; index += 1) {
    const { start } = slots[index] as ScopeSlot
    while (all.length < start && next < values.length) all.push(values[next++])
    for (const value of scopeValues[index] ?? []) all.push(value)
  }
  while (next < values.length) all.push(values[next++])
  return all
}
