import { sql } from 'kysely'
import type { Conflict, StoreConflict } from '../../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../../resource/capabilities/store-conflict.js'
import { referenceColumn } from '../../../../resource/relations/relation-link.js'
import { keyText } from '../../../../row-query/key-text.js'
import type { SqlFault } from '../../driver/sql-fault.js'
import { namesOf } from '../../query/wanted-columns.js'
import type { LiveIndex } from '../../schema/live-schema.js'
import type { SqlColumn } from '../../schema/sql-table.js'
import { columnOf, columnReference, partsOf } from '../../schema/sql-table.js'
import { areEqual } from '../../statement/row-value.js'
import { hasOneOfKeys, hasOwnerKey } from '../key-condition.js'
import type { KeyChange } from '../member-change.js'
import type { SqlWriting } from '../sql-writing.js'
import { columnNames, runRead, startStatement } from '../sql-writing.js'
import { withCause } from './row-write-error.js'
import { columnsNamed, constraintTable } from './violated-constraint.js'

/**
 * Returns the conflict of the members that violate a unique index on the owner key and other columns, because another
 * member of the owner has the same values. The database reports only the index, and stops at the first row, so all
 * members are checked. Returns `null` if the database refused the statement for another reason.
 */
export async function uniqueMemberConflict(
  thrown: unknown,
  change: KeyChange,
  writing: SqlWriting,
): Promise<StoreConflict | null> {
  const { table, ownerKey, target } = change
  const fault = writing.store.driver.faultOf(thrown)
  if (fault?.kind !== 'unique' || ownerKey.operands === null) return null
  if ((await constraintTable(fault, table, writing)) === null) return null
  const conflicts: Conflict[] = []
  for (const index of table.live.indexes) {
    const columns = checkedColumns(index, fault, change)
    if (columns === null) continue
    const properties = columns.map(({ property }) => property)
    for (const key of await conflictingKeys(columns, change, writing)) {
      conflicts.push({ kind: 'unique', type: target.type, columns: properties, key })
    }
  }
  const [first, ...others] = conflicts
  return first === undefined ? null : (withCause(storeConflict(first, ...others), thrown) as StoreConflict)
}

/**
 * Returns the columns of a unique index that contains the owner key; `null` for other indexes. The rows of a partial
 * index are not known here, so a partial index is checked only if the database reported it.
 */
function checkedColumns(
  { name, unique, partial, columns }: LiveIndex,
  fault: Extract<SqlFault, { kind: 'unique' }>,
  { table, ownerKey }: KeyChange,
): readonly SqlColumn[] | null {
  const known = columnsNamed(table, columns)
  const isNamed = fault.constraint === null ? hasSameNames(columns, fault.columns) : name === fault.constraint
  const isChecked = unique && known.length === columns.length && (!partial || isNamed)
  return isChecked && known.some((column) => ownerKey.columns.includes(column)) ? known : null
}

function hasSameNames(some: readonly (string | null)[], others: readonly string[] | null): boolean {
  return some.length === others?.length && some.every((name) => name !== null && others.includes(name))
}

/**
 * Returns the keys of the added members that conflict. Checks the state after the change: removed members do not count,
 * all added ones do.
 */
async function conflictingKeys(
  columns: readonly SqlColumn[],
  { table, target, ownerKey, added, removed }: KeyChange,
  writing: SqlWriting,
): Promise<readonly unknown[]> {
  const key = columnOf(table, referenceColumn(target))
  const others = columns.filter((column) => !ownerKey.columns.includes(column))
  const { rows } = await runRead(writing, (shape, binding) => {
    const from = startStatement(shape, table, 'find taken members')
    shape.addKeyPart(namesOf(others))
    const isAdded = hasOneOfKeys(key, added, binding)
    const isRemoved = hasOneOfKeys(key, removed, binding)
    const isOwned = hasOwnerKey(ownerKey.operands ?? [], binding)
    return () => {
      const [memberKey, otherKey] = [columnReference(key, 'member'), columnReference(key, 'other')]
      const same = others.map(({ name }) => sql` and ${sql.id('other', name)} = ${sql.id('member', name)}`)
      return sql`select ${columnNames(partsOf(key), 'member')} from ${from} as member
        where ${isAdded('member')} and not coalesce(${isOwned('member')}, false)
        and exists (select 1 from ${from} as other where not ${areEqual(otherKey, memberKey, binding.dialect.can)}${sql.join(same, sql``)}
        and (${isAdded('other')} or (${isOwned('other')} and not (${isRemoved('other')}))))`
    }
  })
  const taken = new Set(rows.map((row) => keyText(key.parts === undefined ? row[0] : row)))
  return added.filter((each) => taken.has(keyText(each)))
}
