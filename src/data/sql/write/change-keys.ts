import { sql } from 'kysely'
import type { MemberKey } from '../../../resource/capabilities/persister.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import { invariant } from '../../../util/invariant.js'
import { keyText } from '../../../row-query/key-text.js'
import type { SqlResult } from '../driver/sql-driver.js'
import { tableFor } from '../query/related-source.js'
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import { asOne } from './as-one.js'
import { hasOneOfKeys } from './key-condition.js'
import type { KeyChange, Mutation } from './member-change.js'
import type { SetColumns } from './new-row.js'
import type { Pointing } from './pointing.js'
import { pointingAt, pointsThere } from './pointing.js'
import { refusal } from './refusal.js'
import type { SqlWriting } from './sql-writing.js'
import { boundColumns, changesOf, notedTable, runWrite, writtenAlias } from './sql-writing.js'
import { takenMembers } from './taken-members.js'

/** The rows of the members hold the key of their owner. Keys leave before others come: members may change places. */
export async function changeKeys(
  writing: SqlWriting,
  relation: RelationLink,
  key: RelationKey,
  { owner: row, change }: Mutation,
): Promise<void> {
  const { owner } = relation
  const pointed = { type: owner.type, key: row[referenceColumn(owner)] }
  const targets = new Set([...change.removed, ...change.added].map((member) => targetOf(relation, member)))
  const changes = [...targets].map((target): KeyChange => {
    const table = tableFor(writing.tables, target)
    const toOwner = pointingAt(table, key, pointed, writing.store.engine)
    const keysOf = (members: readonly MemberKey[]): readonly unknown[] =>
      members.filter(({ type }) => type === target.type).map((member) => member.key)
    return { target, table, toOwner, added: keysOf(change.added), removed: keysOf(change.removed) }
  })
  const steps = [
    ...changes.filter(({ removed }) => removed.length > 0).map((each) => ({ each, isAdded: false })),
    ...changes.filter(({ added }) => added.length > 0).map((each) => ({ each, isAdded: true })),
  ]
  let current = steps[0]
  try {
    await asOne(writing, steps.length > 1 || change.added.length > 1, async (inside) => {
      for (const step of steps) {
        current = step
        await (step.isAdded ? pointToOwner(inside, step.each) : pointNowhere(inside, step.each))
      }
    })
  } catch (thrown) {
    throw current === undefined ? thrown : await refusedChange(thrown, current, writing)
  }
}

function targetOf({ targets }: RelationLink, { type }: MemberKey): CompiledType {
  const target = targets.find((each) => each.type === type)
  invariant(target !== undefined, `a member is of the type '${type}', which its relation does not name`)
  return target
}

/** They were there when they were looked for: somebody may have deleted some since. */
async function pointToOwner(writing: SqlWriting, { target, table, toOwner, added }: KeyChange): Promise<void> {
  const { changes } = await setKeys(writing, table, { target, keys: added, set: toOwner.values, from: null })
  // Of what triggers write behind a view, SQLite counts nothing.
  const isCounted = writing.store.engine === 'postgres' || !table.live.isView
  if (!isCounted || changes >= new Set(added.map(keyText)).size) return
  const columns = toOwner.columns.map(({ property }) => property)
  throw storeConflict({ kind: 'reference', type: target.type, columns })
}

/** Those that point elsewhere by now are none of this owner's. */
async function pointNowhere(writing: SqlWriting, { target, table, toOwner, removed }: KeyChange): Promise<void> {
  if (toOwner.operands === null) return
  const nowhere = new Map(toOwner.columns.map((column) => [column, null]))
  await setKeys(writing, table, { target, keys: removed, set: nowhere, from: toOwner.operands })
}

interface KeySetting {
  readonly target: CompiledType
  readonly keys: readonly unknown[]
  readonly set: SetColumns
  readonly from: Pointing['operands']
}

function setKeys(writing: SqlWriting, table: SqlTable, { target, keys, set, from }: KeySetting): Promise<SqlResult> {
  const { engine } = writing.store
  const column = columnOf(table, referenceColumn(target))
  return runWrite(writing, (shape) => {
    shape.addKeyPart('set keys')
    const rows = notedTable(shape, table)
    const bound = boundColumns(shape, set)
    const isMember = hasOneOfKeys(column, keys, { shape, engine })
    const isOwned = from === null ? null : pointsThere(from, { shape, engine })
    return () => {
      const owned = isOwned === null ? sql`` : sql` and ${isOwned(writtenAlias)}`
      return sql`update ${rows} as ${sql.id(writtenAlias)} set ${changesOf(bound)} where ${isMember(writtenAlias)}${owned}`
    }
  })
}

/** Which members have what only one may have, together with the key, is looked up: a client is told of each. */
async function refusedChange(
  thrown: unknown,
  { each, isAdded }: { readonly each: KeyChange; readonly isAdded: boolean },
  writing: SqlWriting,
): Promise<unknown> {
  const taken = isAdded ? await takenMembers(thrown, each, writing) : null
  if (taken !== null) return taken
  const { target: type, table, toOwner } = each
  const nowhere = new Map(toOwner.columns.map((column) => [column, null]))
  return refusal(thrown, { kind: 'update', type, table, set: isAdded ? toOwner.values : nowhere }, writing)
}
