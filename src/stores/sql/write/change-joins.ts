import { sql } from 'kysely'
import type { MemberKey, MemberValues, WriteContext } from '../../../declare/resource/capabilities/persister.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RelationLink, RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import { storedTypeOf } from '../../../declare/resource/compiled/relation-link.js'
import { keyText } from '../../row-query/key-text.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import { pauses } from '../../../core/util/time-slices.js'
import type { SqlResult } from '../driver/sql-statement.js'
import { grouped } from '../grouped.js'
import type { JoinPair } from '../query/related-source.js'
import { isArbitrated, isFirstOfPair, isUniquePair, keyColumns } from '../query/related-source.js'
import type { Binding } from '../query/statement-build.js'
import { conjunction, disjunction } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import {
  columnOf,
  joinModel,
  namesOf,
  partsOf,
  propertiesOf,
  rowDecoder,
  storedColumn,
  tableOf,
} from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { joinWriteError } from './constraint-violations/write-error.js'
import type { JoinRow, Mutation, OwnerJoins } from './member-change.js'
import type { RowBatch } from './row-source.js'
import { batchesOf, boundValue, fullBatch, rowSource } from './row-source.js'
import type { KeyCondition, OwnerKey, SqlWriting } from './sql-writing.js'
import {
  atomically,
  columnNames,
  hasKey,
  hasOneOfKeys,
  hasOwnerKey,
  keyOperand,
  ownerKeyOf,
  readRows,
  runWrite,
  startStatement,
  writtenAlias,
} from './sql-writing.js'

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
  const { operands } = ownerKeyOf(table, storage.owner, { type: owner, row }, store.dialect)
  if (operands === null) return []
  const { rows } = await readRows(
    { store, options: { transaction, context } },
    { table, columns: table.stored, purpose: ['list', 'joins of'] },
    (binding) => hasOwnerKey(operands, binding),
  )
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
  const table = tableOf(writing.tables, joinModel(storage))
  const ownerKey = ownerKeyOf(table, storage.owner, { type: relation.owner, row }, writing.store.dialect)
  const memberColumns = keyColumns(table, storage.member)
  const pair = [...ownerKey.columns, ...memberColumns]
  const memberKey = columnOf(table, storage.member.id)
  const usesIndex = writing.store.dialect.spell.onConflict !== null && isArbitrated(table, pair)
  const joins: OwnerJoins = { relation, table, ownerKey, memberKey, memberColumns, pair, isArbitrated: usesIndex }
  const rows = [
    ...change.added.map((member) => joinRow(joins, member, true)),
    ...change.updated.map((member) => joinRow(joins, member, false)),
  ]
  const isOneInsert = usesIndex && change.removed.length === 0 && change.updated.length === 0
  const isSingleStatement = isOneInsert
    ? rows.length <= fullBatch && groupByColumns(writing, table, rows).length === 1
    : rows.length === 0
  const pause = pauses()
  const write = async (inner: SqlWriting, some: readonly JoinRow[]): Promise<void> => {
    await pause()
    if (change.removed.length > 0) await deleteJoins(inner, joins, change.removed)
    await pause()
    await writeJoins(inner, joins, some)
  }
  try {
    await atomically(writing, !isSingleStatement, (inner) => write(inner, rows))
  } catch (thrown) {
    throw await joinWriteError(thrown, { joins, rows, writing, write })
  }
}

/**
 * Returns the join row of a member. The keys of owner and member are set last, so that no field of the join row
 * overwrites them.
 */
function joinRow(
  { relation, table, ownerKey, memberKey, memberColumns }: OwnerJoins,
  member: MemberValues,
  isAdded: boolean,
): JoinRow {
  const set = new Map<SqlColumn, unknown>()
  for (const [property, value] of Object.entries(member.values)) set.set(storedColumn(table, property), value)
  for (const [column, value] of ownerKey.values) set.set(column, value)
  const keys = partsOf(memberKey)
  const values: readonly unknown[] = Array.isArray(member.key) ? member.key : [member.key]
  for (const [index, column] of memberColumns.entries()) {
    set.set(column, index < keys.length ? values[index] : storedTypeOf(relation, member.type))
  }
  return { member, set, isAdded }
}

/** Deletes join rows by one statement, for members of any types. */
async function deleteJoins(writing: SqlWriting, joins: OwnerJoins, removed: readonly MemberKey[]): Promise<void> {
  const { ownerKey, table } = joins
  const { operands } = ownerKey
  if (operands === null) return
  await runWrite(writing, (shape, binding) => {
    const from = startStatement(shape, table, 'delete', 'delete joins')
    const matches = joinedWith(joins, operands, removed, binding)
    return () =>
      binding.dialect.spell.deleteFrom({ target: from, alias: writtenAlias, condition: matches(writtenAlias) })
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
  return (alias) => sql`${isOwned(alias)} and (${disjunction(ofTypes.map((condition) => condition(alias)))})`
}

/**
 * Writes join rows. With a unique index on the pair this is one upsert; without it, existing join rows are updated
 * first.
 */
async function writeJoins(writing: SqlWriting, joins: OwnerJoins, rows: readonly JoinRow[]): Promise<void> {
  const { pair, isArbitrated: usesIndex } = joins
  const pause = pauses()
  const insert = async (some: readonly JoinRow[]): Promise<void> => {
    for (const group of groupByColumns(writing, joins.table, some)) {
      await insertRows(writing, group, usesIndex ? pair : null)
      await pause()
    }
  }
  if (usesIndex) await insert(rows.filter(({ isAdded }) => isAdded))
  await insert(await updateJoins(writing, joins, usesIndex ? rows.filter(({ isAdded }) => !isAdded) : rows))
}

/** Updates existing join rows. Returns the rows that do not exist yet. */
async function updateJoins(
  writing: SqlWriting,
  joins: OwnerJoins,
  rows: readonly JoinRow[],
): Promise<readonly JoinRow[]> {
  const { pair, memberColumns } = joins
  const missing: JoinRow[] = []
  const pause = pauses()
  for (const group of groupByColumns(writing, joins.table, rows)) {
    const setsAny = group.columns.some((column) => !pair.includes(column))
    const members = group.members.map(({ member }) => member)
    const isReturned = setsAny && writing.store.dialect.can.returnRows
    const stored = isReturned ? null : await findJoins(writing, joins, members)
    const updated = setsAny ? await updateRows(writing, group, pair) : null
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
  const rows = { table, columns: memberColumns, purpose: ['find', 'find joins'] } as const
  return readRows(writing, rows, (binding) => joinedWith(joins, operands, members, binding))
}

function identityOf(keys: readonly unknown[]): string {
  return keys.map(keyText).join('\n')
}

interface JoinRowBatch extends RowBatch {
  readonly members: readonly JoinRow[]
}

/** Groups rows that set the same columns, in batches of at most the size of one statement. */
function groupByColumns(writing: SqlWriting, table: SqlTable, rows: readonly JoinRow[]): readonly JoinRowBatch[] {
  const groups = grouped(rows, ({ set }) => JSON.stringify([...set.keys()].map(({ name }) => name).toSorted()))
  return [...groups.values()].flatMap((group) => {
    const columns = [...group[0].set.keys()]
    const parts = batchesOf(group, columns.length, writing.store.dialect)
    return parts.map((members) => ({ table, columns, sets: members.map(({ set }) => set), members }))
  })
}

/**
 * Inserts join rows.
 *
 * @param pair the columns of a unique index: a stored row with the same pair is updated instead; `null` if there is no
 * index
 */
async function insertRows(writing: SqlWriting, batch: RowBatch, pair: JoinPair | null): Promise<void> {
  const { table, columns } = batch
  const value = boundValue(batch, writing.store.dialect)
  await runWrite(writing, (shape, binding) => {
    const key = pair === null ? 'insert rows' : `insert rows, not twice ${namesOf(pair)}`
    const into = startStatement(shape, table, 'insert', key)
    const given = rowSource(binding, batch, value)
    return () => {
      const changed = columns.filter((column) => pair?.includes(column) === false)
      const onPairConflict =
        pair === null ? sql`` : sql` ${binding.dialect.spell.onConflict?.(namesIn(pair), namesIn(changed)) ?? sql``}`
      return sql`insert into ${into} (${columnNames(columns)}) ${given.insertedRows()}${onPairConflict}`
    }
  })
}

function namesIn(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ name }) => name)
}

/**
 * Updates the columns outside the pair in the stored row with the same pair. If several rows have the pair, only the
 * first is updated. If the table has no primary key, all are updated, because every write may change which row is the
 * first.
 */
function updateRows(writing: SqlWriting, batch: RowBatch, pair: JoinPair): Promise<SqlResult> {
  const { table, columns } = batch
  const { dialect } = writing.store
  const value = boundValue(batch, dialect)
  return runWrite(writing, (shape, binding) => {
    const target = startStatement(shape, table, 'update', `update rows by ${namesOf(pair)}`)
    const given = rowSource(binding, batch, value)
    return () => {
      const others = columns.filter((column) => !pair.includes(column))
      const changes = others.map(({ name }) => [name, sql.id('given', name)] as const)
      const same = pair.map(({ name }) => sql`${sql.id(writtenAlias, name)} = ${sql.id('given', name)}`)
      const updatesAllMatches = isUniquePair(table, pair) || table.live.primaryKey.length === 0
      const matches = updatesAllMatches
        ? same
        : [...same, isFirstOfPair({ table, pair, dialect }, writtenAlias, 'other')]
      // Without the alias, the name of a column may be ambiguous.
      const returnedPair = columnNames(pair, dialect.can.returnByAlias ? writtenAlias : null)
      const returning = dialect.can.returnRows ? sql` returning ${returnedPair}` : sql``
      const condition = conjunction(matches)
      const update = dialect.spell.updateFrom({ target, alias: writtenAlias, changes, from: given.from(), condition })
      return sql`${given.before()}${update}${returning}`
    }
  })
}
