import type {
  MemberKey,
  MemberValues,
  RelationshipChange,
  WriteContext,
} from '../../declare/resource/capabilities/persister.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../declare/resource/parts/key-columns.js'
import { clearedColumns } from '../../declare/resource/compiled/cleared-columns.js'
import type { RelationLink, RelationStorage } from '../../declare/resource/compiled/relation-link.js'
import { referenceColumn, storedTypeOf } from '../../declare/resource/compiled/relation-link.js'
import { withRaisedVersion } from '../../declare/resource/versions/raised-version.js'
import { columnsFor, hasColumns, memberText } from '../row-query/relation-columns.js'
import { keyText } from '../row-query/key-text.js'
import { invariant } from '../../core/util/invariant.js'
import type { ObservedStore, ObservedWrite } from './observed-store.js'
import { objectsIn } from './observed-store.js'
import type { StoreEvent } from './store-events.js'
import { modelName } from './store-events.js'

/** A change of the members of a relation. */
interface Mutation<Kind extends RelationStorage['kind']> {
  readonly relation: RelationLink
  readonly storage: Extract<RelationStorage, { readonly kind: Kind }>
  /** The owner's row. */
  readonly owner: RowObject
  readonly change: RelationshipChange
  /** Writes the change. */
  readonly mutate: (write: WriteContext) => Promise<void>
}

/** A row before a change, and as it will be. */
interface ChangedRow {
  readonly before: RowObject | null
  readonly after: RowObject | null
  /** Identifies the row among the rows that are read after the change. */
  readonly identity: string
}

/** Fires the events of join rows that are inserted, updated and deleted. */
export async function observedJoins(
  store: ObservedStore,
  { relation, storage, owner, change, mutate }: Mutation<'join'>,
  write: ObservedWrite,
): Promise<void> {
  const identityOf = (row: RowObject): string => memberText(row, storage.member)
  const readJoins = async (): Promise<ReadonlyMap<string, RowObject>> => {
    const rows = await store.joinRows(relation, owner, write)
    return new Map(rows.map((row) => [identityOf(row), row]))
  }
  const ownerColumns = columnsFor(
    storage.owner,
    relation.owner.storedType,
    keyIn(owner, referenceColumn(relation.owner)),
  )
  const joins = await readJoins()
  const removed = change.removed.flatMap((member): readonly ChangedRow[] => {
    const identity = identityOf(columnsFor(storage.member, storedTypeOf(relation, member.type), member.key))
    const before = joins.get(identity)
    return before === undefined ? [] : [{ before, after: null, identity }]
  })
  const saved = [...change.added, ...change.updated].flatMap((member: MemberValues): readonly ChangedRow[] => {
    const keys = columnsFor(storage.member, storedTypeOf(relation, member.type), member.key)
    const identity = identityOf(keys)
    const before = joins.get(identity) ?? null
    if (before !== null && Object.keys(member.values).length === 0) return []
    return [{ before, after: { ...before, ...member.values, ...ownerColumns, ...keys }, identity }]
  })
  await fireAround(store, { table: storage.model, rows: [...removed, ...saved], readRows: readJoins }, write, mutate)
}

/** Fires the events of the rows of members, which hold the key of their owner. */
export async function observedKeys(
  store: ObservedStore,
  { relation, storage, owner, change, mutate }: Mutation<'relatedKey'>,
  write: ObservedWrite,
): Promise<void> {
  const { listeners } = store
  const ownerColumns = columnsFor(storage.key, relation.owner.storedType, keyIn(owner, referenceColumn(relation.owner)))
  const watched = relation.targets.filter((target) => listeners.isObserved(target))
  // Each type is observed around the next, and the last one around the write.
  const observe = (targets: readonly CompiledType[]): ((inner: WriteContext) => Promise<void>) => {
    const [target, ...others] = targets
    if (target === undefined) return mutate
    return async () => {
      const ofTarget = ({ type }: MemberKey): boolean => type === target.type
      const [removed, added] = [change.removed.filter(ofTarget), change.added.filter(ofTarget)]
      const keys = [...removed, ...added].map((member) => member.key)
      const identityOf = (row: RowObject): string => keyText(keyIn(row, referenceColumn(target))) ?? ''
      const readRows = async (): Promise<ReadonlyMap<string, RowObject>> => {
        const rows = await memberRows(store, target, keys, write)
        return new Map(rows.map((row) => [identityOf(row), row]))
      }
      const before = keys.length === 0 ? new Map<string, RowObject>() : await readRows()
      const cleared = [
        ...clearedColumns(target, storage.key.id),
        ...(storage.key.type === null ? [] : [storage.key.type]),
      ]
      const toNull = Object.fromEntries(cleared.map((column) => [column, null]))
      const rows = [
        ...removed.map((member) => [member, toNull] as const),
        ...added.map((member) => [member, ownerColumns] as const),
      ]
      const changed = rows.flatMap(([member, columns]): readonly ChangedRow[] => {
        const identity = keyText(member.key) ?? ''
        const row = before.get(identity)
        const isOwned = row !== undefined && hasColumns(row, ownerColumns)
        // A removed member must belong to the owner. An added member must not belong to it yet.
        return row === undefined || isOwned === (columns === ownerColumns)
          ? []
          : [{ before: row, after: { ...row, ...withRaisedVersion(target, row, columns) }, identity }]
      })
      await fireAround(store, { table: modelName(target), rows: changed, readRows }, write, observe(others))
    }
  }
  await observe(watched)(write)
}

interface ObservedRows {
  readonly table: string
  readonly rows: readonly ChangedRow[]
  /** Returns the rows as they are stored. */
  readonly readRows: () => Promise<ReadonlyMap<string, RowObject>>
}

/** Fires `saving` and `deleting`, runs the write, and fires `saved` and `deleted`. */
async function fireAround(
  { listeners }: ObservedStore,
  { table, rows, readRows }: ObservedRows,
  write: ObservedWrite,
  mutate: (write: WriteContext) => Promise<void>,
): Promise<void> {
  const { context } = write
  for (const { before, after } of rows) {
    await listeners.fire({ event: after === null ? 'deleting' : 'saving', table, before, after, context })
  }
  await mutate(write)
  if (rows.length === 0) return
  const stored = await readRows()
  for (const { before, after, identity } of rows) {
    const row = stored.get(identity) ?? null
    const event: StoreEvent['event'] = after === null ? 'deleted' : 'saved'
    if ((row === null) === (after === null)) await listeners.fire({ event, table, before, after: row, context })
  }
}

async function memberRows(
  { provider }: ObservedStore,
  type: CompiledType,
  keys: readonly unknown[],
  { transaction, context }: ObservedWrite,
): Promise<readonly RowObject[]> {
  invariant(provider.fetchCollection !== undefined, 'a store cannot read its rows')
  const column = { of: 'row', name: referenceColumn(type), kind: null, isKey: true } as const
  const { rows } = (await provider.fetchCollection(type, {
    columns: null,
    conditions: [{ kind: 'in', column, values: keys, negated: false }],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
    transaction,
    context,
  })) as { readonly rows: object }
  return objectsIn(rows)
}
