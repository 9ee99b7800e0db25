import { sql } from 'kysely'
import type { MemberKey, MemberValues, WriteContext } from '../../../resource/capabilities/persister.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import { keyIn } from '../../../resource/key-columns.js'
import type { RelationLink, RelationStorage } from '../../../resource/relations/relation-link.js'
import { referenceColumn, storedTypeOf } from '../../../resource/relations/relation-link.js'
import { keyText } from '../../../row-query/key-text.js'
import type { SqlResult } from '../driver/sql-statement.js'
import { isArbitrated, keyColumns } from '../query/join-pair.js'
import type { Binding } from '../query/statement-build.js'
import { partsOf } from '../schema/composite-column.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf, joinModel, storedColumn, tableOf } from '../schema/sql-table.js'
import { rowObject } from '../../../rows/row-set.js'
import { invariant } from '../../../util/invariant.js'
import { pauses } from '../../../util/time-slices.js'
import { propertiesOf, rowDecoder } from '../query/wanted-columns.js'
import type { SqlStore } from '../sql-store.js'
import { atomically } from './atomically.js'
import type { RowValues } from './row-source.js'
import { batchesOf, fullBatch } from './row-source.js'
import { insertRows, updateRows } from './join-statements.js'
import type { KeyCondition } from './key-condition.js'
import { hasKey, hasOneOfKeys, keyOperand } from './key-condition.js'
import type { JoinRow, Mutation, OwnerJoins } from './member-change.js'
import type { OwnerKey } from './owner-key.js'
import { ownerKeyOf, hasOwnerKey } from './owner-key.js'
import { joinWriteError } from './constraint-violations/join-write-error.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, addTable, returnedColumns, runRead, runWrite, writtenAlias } from './sql-writing.js'

/** Returns the join rows of an owner, with all columns. */
export async function joinsOf(
  store: SqlStore,
  { owner, storage }: RelationLink,
  row: RowObject,
  { transaction, context }: Pick<WriteContext, 'transaction' | 'context'>,
): Promise<readonly RowObject[]> {
  invariant(storage.kind === 'join', 'the relation has no join rows')
  const tables = await store.tables()
  const table = tableOf(tables, joinModel(storage))
  const { dialect } = store
  const reference = { storedType: owner.storedType, key: keyIn(row, referenceColumn(owner)) }
  const { operands } = ownerKeyOf(table, storage.owner, reference, dialect)
  if (operands === null) return []
  const { rows } = await runRead({ store, options: { transaction, context } }, (shape) => {
    shape.describe('list', table)
    shape.addKeyPart('joins of')
    const from = addTable(shape, table)
    const isOwned = hasOwnerKey(operands, { shape, dialect })
    return () =>
      sql`select ${returnedColumns(table.stored)} from ${from} as ${sql.id(writtenAlias)} where ${isOwned(writtenAlias)}`
  })
  const decode = rowDecoder(table.stored)
  return rows.map((each) => Object.freeze(rowObject(propertiesOf(table.stored), decode(each))))
}

/** Changes the join rows of an owner. A member has one join row, even if it is added several times. */
export async function changeJoins(
  writing: SqlWriting,
  relation: RelationLink,
  storage: Extract<RelationStorage, { kind: 'join' }>,
  { owner: row, change }: Mutation,
): Promise<void> {
  const { owner } = relation
  const table = tableOf(writing.tables, joinModel(storage))
  const ownerReference = { storedType: owner.storedType, key: keyIn(row, referenceColumn(owner)) }
  const ownerKey = ownerKeyOf(table, storage.owner, ownerReference, writing.store.dialect)
  const memberColumns = keyColumns(table, storage.member)
  const pair = [...ownerKey.columns, ...memberColumns]
  const memberKey = columnOf(table, storage.member.id)
  const joins: OwnerJoins = {
    relation,
    table,
    ownerKey,
    memberKey,
    memberColumns,
    pair,
    isArbitrated: isArbitrated(table, pair),
  }
  const [added, updated] = [change.added, change.updated].map((members) => members.map((each) => joinRow(joins, each)))
  const rows = { added: added ?? [], updated: updated ?? [] }
  const isOneInsert = joins.isArbitrated && change.removed.length === 0 && change.updated.length === 0
  const isSingleStatement = isOneInsert
    ? rows.added.length <= fullBatch && groupByColumns(writing, rows.added).length === 1
    : change.added.length + change.updated.length === 0
  const pause = pauses()
  const write = async (inner: SqlWriting, wanted: WantedRows): Promise<void> => {
    await pause()
    if (change.removed.length > 0) await deleteJoins(inner, joins, change.removed)
    await pause()
    await writeJoins(inner, joins, wanted)
  }
  try {
    await atomically(writing, !isSingleStatement, (inner) => write(inner, rows))
  } catch (thrown) {
    const writeSome = (inner: SqlWriting, some: ReadonlySet<JoinRow>): Promise<void> =>
      write(inner, {
        added: rows.added.filter((each) => some.has(each)),
        updated: rows.updated.filter((each) => some.has(each)),
      })
    throw await joinWriteError(thrown, { joins, rows: [...rows.added, ...rows.updated], writing, writeSome })
  }
}

/**
 * Returns the join row of a member. The keys of owner and member are set last, so that no field of the join row
 * overwrites them.
 */
function joinRow({ relation, table, ownerKey, memberKey, memberColumns }: OwnerJoins, member: MemberValues): JoinRow {
  const set = new Map<SqlColumn, unknown>()
  for (const [property, value] of Object.entries(member.values)) set.set(storedColumn(table, property), value)
  for (const [column, value] of ownerKey.values) set.set(column, value)
  const keys = partsOf(memberKey)
  const values: readonly unknown[] = Array.isArray(member.key) ? member.key : [member.key]
  for (const [index, column] of memberColumns.entries()) {
    set.set(column, index < keys.length ? values[index] : storedTypeOf(relation, member.type))
  }
  return { member, set }
}

/** Deletes join rows by one statement, for members of any types. */
async function deleteJoins(writing: SqlWriting, joins: OwnerJoins, removed: readonly MemberKey[]): Promise<void> {
  const { ownerKey, table } = joins
  const { operands } = ownerKey
  if (operands === null) return
  await runWrite(writing, (shape) => {
    shape.describe('delete', table)
    shape.addKeyPart('delete joins')
    const from = addTable(shape, table)
    const matches = joinedWith(joins, operands, removed, { shape, dialect: writing.store.dialect })
    return () => sql`delete from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
  })
}

/** Returns the condition that a join row belongs to the owner and to one of the members. */
function joinedWith(
  { relation, memberKey, memberColumns }: OwnerJoins,
  operands: NonNullable<OwnerKey['operands']>,
  members: readonly MemberKey[],
  binding: Binding,
): KeyCondition {
  const isOwned = hasOwnerKey(operands, binding)
  const type = memberColumns[partsOf(memberKey).length]
  const types = type === undefined ? [null] : [...new Set(members.map((member) => member.type))]
  binding.shape.addKeyPart(`${types.length} types`)
  const ofTypes = types.map((name): KeyCondition => {
    const ofType = name === null ? members : members.filter((member) => member.type === name)
    const keys = ofType.map((member) => member.key)
    const isMember = hasOneOfKeys(memberKey, keys, binding)
    const operand =
      type === undefined || name === null ? null : keyOperand(type, storedTypeOf(relation, name), binding.dialect)
    if (type === undefined || operand === null) return isMember
    const isOfType = hasKey(type, operand, binding)
    return (alias) => sql`(${isOfType(alias)} and ${isMember(alias)})`
  })
  return (alias) =>
    sql`${isOwned(alias)} and (${sql.join(
      ofTypes.map((condition) => condition(alias)),
      sql` or `,
    )})`
}

interface WantedRows {
  readonly added: readonly JoinRow[]
  readonly updated: readonly JoinRow[]
}

/**
 * Writes join rows. With a unique index on the pair this is one upsert; without it, existing join rows are updated
 * first.
 */
async function writeJoins(writing: SqlWriting, joins: OwnerJoins, { added, updated }: WantedRows): Promise<void> {
  const { table, pair, isArbitrated: usesIndex } = joins
  const pause = pauses()
  const insert = async (rows: readonly JoinRow[]): Promise<void> => {
    for (const group of groupByColumns(writing, rows)) {
      await insertRows(writing, { table, ...group }, usesIndex ? pair : null)
      await pause()
    }
  }
  if (usesIndex) await insert(added)
  await insert(await updateJoins(writing, joins, usesIndex ? updated : [...added, ...updated]))
}

/** Updates existing join rows. Returns the rows that do not exist yet. */
async function updateJoins(
  writing: SqlWriting,
  joins: OwnerJoins,
  rows: readonly JoinRow[],
): Promise<readonly JoinRow[]> {
  const { table, pair, memberColumns } = joins
  const missing: JoinRow[] = []
  const pause = pauses()
  for (const group of groupByColumns(writing, rows)) {
    const setsAny = group.columns.some((column) => !pair.includes(column))
    const members = group.members.map(({ member }) => member)
    const isReturned = setsAny && writing.store.dialect.can.returnRows
    const stored = isReturned ? null : await findJoins(writing, joins, members)
    const updated = setsAny ? await updateRows(writing, { table, ...group }, pair) : null
    const { rows: found } = stored ?? updated ?? noRows
    await pause()
    const identities = new Set(found.map((row) => identityOf(row.slice(-memberColumns.length))))
    missing.push(
      ...group.members.filter(({ set }) => !identities.has(identityOf(memberColumns.map((each) => set.get(each))))),
    )
  }
  return missing
}

const noRows: SqlResult = Object.freeze({ columns: [], rows: [], changes: 0 })

async function findJoins(writing: SqlWriting, joins: OwnerJoins, members: readonly MemberKey[]): Promise<SqlResult> {
  const { table, ownerKey, memberColumns } = joins
  const { operands } = ownerKey
  if (operands === null) return noRows
  return runRead(writing, (shape) => {
    shape.describe('find', table)
    shape.addKeyPart('find joins')
    const from = addTable(shape, table)
    const matches = joinedWith(joins, operands, members, { shape, dialect: writing.store.dialect })
    return () =>
      sql`select ${columnNames(memberColumns)} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
  })
}

function identityOf(keys: readonly unknown[]): string {
  return keys.map(keyText).join('\n')
}

interface ColumnGroup {
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly RowValues[]
  readonly members: readonly JoinRow[]
}

/** Groups rows that set the same columns, in batches of at most the size of one statement. */
function groupByColumns(writing: SqlWriting, rows: readonly JoinRow[]): readonly ColumnGroup[] {
  const groups = new Map<string, JoinRow[]>()
  for (const row of rows) {
    const names = JSON.stringify([...row.set.keys()].map(({ name }) => name).toSorted())
    const group = groups.get(names)
    if (group === undefined) groups.set(names, [row])
    else group.push(row)
  }
  return [...groups.values()].flatMap((group) => {
    const columns = [...(group[0]?.set.keys() ?? [])]
    const parts = batchesOf(group, columns.length, writing)
    return parts.map((members) => ({ columns, rows: members.map(({ set }) => set), members }))
  })
}
