import { sql } from 'kysely'
import type { MemberKey } from '../../../declare/resource/capabilities/persister.js'
import { storeConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { clearedColumns } from '../../../declare/resource/compiled/cleared-columns.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../../declare/resource/relations/relation-spec.js'
import { nextInstant } from '../../../declare/resource/versions/raised-version.js'
import { keyText } from '../../row-query/key-text.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf, encodedValue, propertiesOf, rowDecoder, storedColumn, tableFor } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'
import { rowWriteError, uniqueMemberConflict } from './constraint-violations/write-error.js'
import type { KeyChange, Mutation } from './member-change.js'
import type { SetColumns } from './statement-target.js'
import type { OwnerKey, SqlWriting, WritePart } from './sql-writing.js'
import {
  atomically,
  boundColumns,
  changesOf,
  hasOneOfKeys,
  hasOwnerKey,
  ownerKeyOf,
  raisedByOne,
  readRows,
  runWrite,
  startStatement,
  writtenAlias,
} from './sql-writing.js'

/**
 * Changes the owner keys in the rows of members. Keys are cleared before new ones are set, so that members can swap
 * unique values.
 */
export async function changeKeys(
  writing: SqlWriting,
  relation: RelationLink,
  key: RelationKey,
  { owner: row, change }: Mutation,
): Promise<void> {
  const targets = new Set([...change.removed, ...change.added].map((member) => targetOf(relation, member)))
  const changes = [...targets].map((target): KeyChange => {
    const table = tableFor(writing.tables, target)
    const ownerKey = ownerKeyOf(table, key, { type: relation.owner, row }, writing.store.dialect)
    const keysOf = (members: readonly MemberKey[]): readonly unknown[] =>
      members.filter(({ type }) => type === target.type).map((member) => member.key)
    const names = [...clearedColumns(target, key.id), ...(key.type === null ? [] : [key.type])]
    const cleared = new Map(names.map((name) => [columnOf(table, name), null]))
    return { target, table, ownerKey, cleared, added: keysOf(change.added), removed: keysOf(change.removed) }
  })
  const steps = [
    ...changes.map((each): KeyStep => {
      return { change: each, isAdded: false, keys: each.removed, set: each.cleared, from: each.ownerKey.operands }
    }),
    ...changes.map((each): KeyStep => {
      return { change: each, isAdded: true, keys: each.added, set: each.ownerKey.values, from: null }
    }),
  ].filter(({ isAdded, keys, from }) => keys.length > 0 && (isAdded || from !== null))
  let [current] = steps
  if (current === undefined) return
  try {
    await atomically(writing, steps.length > 1 || change.added.length > 1, async (inner) => {
      for (const step of steps) {
        current = step
        await setKeys(inner, step)
      }
    })
  } catch (thrown) {
    const { change: refused, isAdded, set } = current
    const { target: type, table } = refused
    // Each member that violates a unique index together with the owner key is reported.
    const taken = isAdded ? await uniqueMemberConflict(thrown, refused, writing) : null
    throw taken ?? (await rowWriteError(thrown, { kind: 'update', type, table, set }, writing))
  }
}

function targetOf({ targets }: RelationLink, { type }: MemberKey): CompiledType {
  const target = targets.find((each) => each.type === type)
  invariant(target !== undefined, `a member is of the type '${type}', which its relation does not name`)
  return target
}

/** One statement of a change, which sets columns of some members. */
interface KeyStep {
  readonly change: KeyChange
  /** Whether new members get the owner key. Else removed members lose it, unless their owner has changed since they were read. */
  readonly isAdded: boolean
  readonly keys: readonly unknown[]
  readonly set: SetColumns
  /** The owner key that the rows must have; `null` if they may have any. */
  readonly from: OwnerKey['operands']
}

/** Throws a conflict if some rows of new members were deleted since they were read. */
async function setKeys(writing: SqlWriting, step: KeyStep): Promise<void> {
  const { change, isAdded, keys, set, from } = step
  const { target, table, ownerKey } = change
  const column = columnOf(table, referenceColumn(target))
  const raise = await raisedVersion(writing, step)
  const { changes } = await runWrite(writing, (shape, binding) => {
    const rows = startStatement(shape, table, 'update', 'set keys')
    const bound = boundColumns(shape, set)
    const raised = raise(shape)
    const isMember = hasOneOfKeys(column, keys, binding)
    const isOwned = from === null ? null : hasOwnerKey(from, binding)
    return () => {
      const andIsOwned = isOwned === null ? sql`` : sql` and ${isOwned(writtenAlias)}`
      return sql`update ${rows} as ${sql.id(writtenAlias)} set ${changesOf(bound)}${raised()} where ${isMember(writtenAlias)}${andIsOwned}`
    }
  })
  // Rows that INSTEAD OF triggers of a view write may not be counted.
  const isCounted = writing.store.dialect.can.countViewWrites || !table.live.isView
  if (!isAdded || !isCounted || changes >= new Set(keys.map(keyText)).size) return
  throw storeConflict({ kind: 'reference', type: target.type, columns: propertiesOf(ownerKey.columns) })
}

/** Returns the assignment that gives rows their next version, with a leading comma; an empty one if there is none. */
async function raisedVersion(writing: SqlWriting, step: KeyStep): Promise<(shape: StatementShape) => WritePart> {
  const { table, target } = step.change
  const { version } = target
  if (version?.kind !== 'integer' && version?.kind !== 'instant') return () => () => sql``
  const column = storedColumn(table, version.column)
  const next = version.kind === 'integer' ? null : encodedValue(column, await nextTime(writing, column, step))
  return (shape) => {
    shape.addKeyPart(`raises ${column.name}`)
    if (next === null) return () => raisedByOne(column)
    const time = shape.bind(next)
    return () => sql`, ${sql.id(column.name)} = ${time}`
  }
}

/** Reads and locks the rows of members. Returns a time that is later than the version of each of them. */
async function nextTime(writing: SqlWriting, time: SqlColumn, { change, keys }: KeyStep): Promise<Date> {
  const { table, target } = change
  const key = columnOf(table, referenceColumn(target))
  const lock = table.live.isView ? sql`` : writing.store.dialect.spell.lock('update')
  const { rows } = await readRows(
    writing,
    { table, columns: [time], purpose: ['find versions', 'times'], lock },
    (binding) => hasOneOfKeys(key, keys, binding),
  )
  const decode = rowDecoder([time])
  return rows.reduce((next, row) => {
    const following = nextInstant(decode(row)[0])
    return following > next ? following : next
  }, new Date())
}
