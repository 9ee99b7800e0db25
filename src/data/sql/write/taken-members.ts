import { sql } from 'kysely'
import type { Conflict, StoreConflict } from '../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import { keyText } from '../../../row-query/key-text.js'
import type { SqlFault } from '../driver/sql-fault.js'
import { namesOf } from '../query/wanted-columns.js'
import type { LiveIndex } from '../schema/live-schema.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import { hasOneOfKeys } from './key-condition.js'
import type { KeyChange } from './member-change.js'
import { pointsThere } from './pointing.js'
import { causedBy } from './refusal.js'
import { refusedPlace } from './refused-place.js'
import type { SqlWriting } from './sql-writing.js'
import { notedTable, runRead } from './sql-writing.js'
import { columnsNamed } from './violated-columns.js'

/**
 * The members that could not get the key of their owner, since another row of that owner has the same in the other
 * columns of a unique index. A database names the index and stops at the first row; `null` where it named something else.
 */
export async function takenMembers(
  thrown: unknown,
  change: KeyChange,
  writing: SqlWriting,
): Promise<StoreConflict | null> {
  const { table, toOwner, target } = change
  const fault = writing.store.driver.faultOf(thrown)
  if (fault?.kind !== 'unique' || toOwner.operands === null) return null
  if ((await refusedPlace(fault, table, writing)) === null) return null
  const conflicts: Conflict[] = []
  for (const index of table.live.indexes) {
    const columns = judgedColumns(index, fault, change)
    if (columns === null) continue
    const properties = columns.map(({ property }) => property)
    for (const key of await takenIn(columns, change, writing)) {
      conflicts.push({ kind: 'unique', type: target.type, columns: properties, key })
    }
  }
  const [first, ...others] = conflicts
  return first === undefined ? null : (causedBy(storeConflict(first, ...others), thrown) as StoreConflict)
}

/**
 * The columns of a unique index that the key is part of; `null` for other indexes. Which rows an index is about that holds
 * for some of them is not known here: only where the database has named it, its rows are among those that are looked up.
 */
function judgedColumns(
  { name, unique, partial, columns }: LiveIndex,
  fault: Extract<SqlFault, { kind: 'unique' }>,
  { table, toOwner }: KeyChange,
): readonly SqlColumn[] | null {
  const known = columnsNamed(table, columns)
  const isNamed = fault.constraint === null ? hasSameNames(columns, fault.columns) : name === fault.constraint
  const isJudged = unique && known.length === columns.length && (!partial || isNamed)
  return isJudged && known.some((column) => toOwner.columns.includes(column)) ? known : null
}

function hasSameNames(some: readonly (string | null)[], others: readonly string[] | null): boolean {
  return some.length === others?.length && some.every((name) => name !== null && others.includes(name))
}

/** As the rows would be after the change: those that leave their owner hold nothing, and those that come all do. */
async function takenIn(
  columns: readonly SqlColumn[],
  { table, target, toOwner, added, removed }: KeyChange,
  writing: SqlWriting,
): Promise<readonly unknown[]> {
  const { engine } = writing.store
  const key = columnOf(table, referenceColumn(target))
  const others = columns.filter((column) => !toOwner.columns.includes(column))
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart('taken members')
    const from = notedTable(shape, table)
    shape.addKeyPart(namesOf(others))
    const isAdded = hasOneOfKeys(key, added, { shape, engine })
    const isRemoved = hasOneOfKeys(key, removed, { shape, engine })
    const isOwned = pointsThere(toOwner.operands ?? [], { shape, engine })
    return () => {
      const [own, other] = [sql.id('member', key.name), sql.id('other', key.name)]
      const same = others.map(({ name }) => sql` and ${sql.id('other', name)} = ${sql.id('member', name)}`)
      return sql`select ${own} from ${from} as member
        where ${isAdded('member')} and not coalesce(${isOwned('member')}, false)
        and exists (select 1 from ${from} as other where ${other} <> ${own}${sql.join(same, sql``)}
        and (${isAdded('other')} or (${isOwned('other')} and not (${isRemoved('other')}))))`
    }
  })
  const taken = new Set(rows.map(([found]) => keyText(found)))
  return added.filter((each) => taken.has(keyText(each)))
}
