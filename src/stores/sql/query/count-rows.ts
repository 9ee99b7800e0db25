import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type {
  CollectionCriteria,
  EstimateCriteria,
  ListFacts,
} from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { SqlTables } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { tableAs } from './related-source.js'
import { sqlConditions } from './sql-conditions.js'
import type { RowsRead } from './statement-build.js'
import { firstAliases, rowsOf, statementBuild, where } from './statement-build.js'

/** Rows to count. */
interface CountedRows {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly rows: RowsRead
  readonly criteria: Pick<CollectionCriteria, 'conditions' | 'context' | 'transaction'>
}

/** Counts the rows of a collection, or estimates their number if the criteria permit it. */
export async function countRows(
  store: SqlStore,
  tables: SqlTables,
  type: CompiledType,
  { estimate, ...criteria }: Pick<CollectionCriteria, 'conditions' | 'context' | 'transaction' | 'estimate'>,
): Promise<Pick<ListFacts, 'total' | 'estimate'>> {
  const rows = rowsOf(type, tables)
  const counted = { store, tables, rows, criteria }
  if (estimate === null || estimate === undefined) {
    const total = await readNumber(counted, 'count', (from) => sql`select count(*) from ${from}`)
    return { total: Number(total ?? 0) }
  }
  return estimateRows(counted, estimate)
}

/**
 * Counts one row more than may be estimated. If there are so many, the planner estimates the rest: its statistics are made of all
 * rows, so it is asked only if no condition hides rows.
 */
async function estimateRows(
  counted: CountedRows,
  { exactUpTo, filters }: EstimateCriteria,
): Promise<Pick<ListFacts, 'total' | 'estimate'>> {
  const most = exactUpTo + 1
  const found = Number(
    await readNumber(
      counted,
      `count up to ${most}`,
      (from) => sql`select count(*) from (select 1 from ${from} limit ${sql.lit(most)}) as ${sql.ref('counted')}`,
    ),
  )
  if (found < most) return { total: found }
  const { estimates } = counted.store.dialect
  const isOpen = filters === 'any' || counted.criteria.conditions.every((condition) => filters.includes(condition))
  if (estimates === null || !isOpen) return { total: null, estimate: { atLeast: most, bestGuess: most } }
  const plan = await readNumber(counted, 'estimate', (from) => estimates.explain(sql`select 1 from ${from}`))
  return {
    total: null,
    estimate: { atLeast: most, bestGuess: Math.max(most, Math.round(estimates.rowsIn(plan) ?? 0)) },
  }
}

/** Returns the first value of a statement about the rows. */
async function readNumber(
  { store, tables, rows, criteria }: CountedRows,
  purpose: string,
  write: (from: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<unknown> {
  const { conditions, transaction, context } = criteria
  const build = statementBuild(store, tables, context)
  build.shape.describe('count', rows.table)
  build.shape.addKeyPart(`${purpose} ${rows.table.cacheKey}`)
  const condition = sqlConditions(conditions, rows, build)
  const statement = store.statements.statement(build.shape, () => {
    const at = firstAliases()
    return write(sql`${tableAs(rows.table, at.row)}${where(condition)(at)}`)
  })
  const { rows: found } = await store.read(statement, { transaction, context })
  return found[0]?.[0]
}
