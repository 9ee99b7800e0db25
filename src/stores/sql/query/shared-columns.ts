import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { scopeColumns } from '../../row-query/condition-analysis.js'
import type { ColumnType } from '../schema/column-type.js'
import { columnTypeSet } from '../schema/column-type.js'
import type { LiveForeignKey } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf, partsOf } from '../schema/sql-table.js'
import type { RelatedSource } from './related-source.js'

/*
 * A foreign key of several columns, such as `("artistId", "tenantId") references artists (id, "tenantId")`, proves that a row and the row
 * that it refers to have the same tenant. If only shared columns decide whether the related row is visible, the row itself shows it.
 */

/**
 * Returns whether conditions on a related row hold exactly if they hold for the shared columns of the row that refers to it.
 *
 * @param shared the result of `sharedColumns()`
 */
export function areAboutShared(
  conditions: readonly RowCondition[],
  shared: ReadonlySet<string>,
  context: RequestContext,
): boolean {
  return shared.size > 0 && conditions.every((condition) => isAboutShared(condition, shared, context))
}

function isAboutShared(condition: RowCondition, shared: ReadonlySet<string>, context: RequestContext): boolean {
  const inRequest = condition.kind === 'scope' ? condition.conditionIn(context) : condition
  // A scope that lets all rows pass: the foreign key proves that there is a row.
  if (inRequest === null) return true
  const columns = scopeColumns(inRequest)
  return columns !== null && [...columns].every((column) => shared.has(column))
}

interface KnownColumns {
  readonly owner: SqlTable
  readonly shared: ReadonlySet<string>
}

/** Cached as long as the tables stay the same, which is also how long a source is. */
const known = new WeakMap<RelatedSource, KnownColumns>()

/**
 * Returns the columns of the related rows of a relation that certainly have the same value, under the same name, in the row that refers to
 * them. Empty without a foreign key that the database has checked for all rows.
 *
 * @param owner the table of the rows with the key
 */
export function sharedColumns(source: RelatedSource, owner: SqlTable): ReadonlySet<string> {
  const last = known.get(source)
  if (last?.owner === owner) return last.shared
  const shared = columnsIn(source, owner)
  known.set(source, { owner, shared })
  return shared
}

const none: ReadonlySet<string> = new Set()

function columnsIn({ table, link, ownerColumn, ownerTypeColumn, pivot }: RelatedSource, owner: SqlTable) {
  if (ownerTypeColumn !== null || pivot !== null) return none
  const [keys, references] = [partsOf(columnOf(owner, ownerColumn)), partsOf(link)]
  const proving = owner.live.foreignKeys.filter((key) => {
    const isToTable = key.table === table.live.name && (key.schema ?? owner.live.schema) === table.live.schema
    const isOfRelation = references.every(({ name }, part) => {
      return key.columns[key.references.indexOf(name)] === keys[part]?.name
    })
    return key.isChecked === true && isToTable && isOfRelation
  })
  return new Set(proving.flatMap((key) => sharedBy(key, owner, table)).map(({ property }) => property))
}

/** Returns the columns of the referenced table. A key with a null refers to nothing, so that null proves nothing. */
function sharedBy({ columns, references }: LiveForeignKey, owner: SqlTable, table: SqlTable): readonly SqlColumn[] {
  return references.flatMap((name, part) => {
    const [own, other] = [liveColumn(owner, name), liveColumn(table, name)]
    const column = table.stored.find((each) => each.name === name)
    if (columns[part] !== name || own === undefined || own.nullable || column === undefined) return []
    const isSame = own.databaseType === other?.databaseType && exactTypes.has(own.type)
    return isSame && column.mapping === null && column.expression === null ? [column] : []
  })
}

/** Equal values of these types are the same value: a collation may treat different texts as equal. */
const exactTypes: ReadonlySet<ColumnType> = columnTypeSet('integer', 'bigint', 'uuid')

function liveColumn({ live }: SqlTable, name: string) {
  return live.columns.find((column) => column.name === name)
}
