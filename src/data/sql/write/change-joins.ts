import { sql } from 'kysely'
import type { MemberKey, MemberValues } from '../../../resource/capabilities/persister.js'
import type { RelationLink, RelationStorage } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import { keyText } from '../../../row-query/key-text.js'
import type { SqlResult } from '../driver/sql-driver.js'
import { isArbitrated, keyColumns } from '../query/join-pair.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { joinModel, storedColumn, tableOf } from '../schema/sql-table.js'
import { asOne } from './as-one.js'
import type { GivenRow } from './given-rows.js'
import { partsOf } from './given-rows.js'
import { insertRows, updateRows } from './join-statements.js'
import type { KeyCondition } from './key-condition.js'
import { hasKey, hasOneOfKeys, keyOperand } from './key-condition.js'
import type { JoinRow, Mutation, OwnJoins } from './member-change.js'
import type { Pointing } from './pointing.js'
import { pointingAt, pointsThere } from './pointing.js'
import { refusedJoins } from './refused-joins.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, notedTable, runRead, runWrite, writtenAlias } from './sql-writing.js'

/** Join rows hold the keys of both. There is one for a member, however often it is added. */
export async function changeJoins(
  writing: SqlWriting,
  { owner }: RelationLink,
  storage: Extract<RelationStorage, { kind: 'join' }>,
  { owner: row, change }: Mutation,
): Promise<void> {
  const table = tableOf(writing.tables, joinModel(storage))
  const pointed = { type: owner.type, key: row[referenceColumn(owner)] }
  const fromOwner = pointingAt(table, storage.owner, pointed, writing.store.engine)
  const toMember = keyColumns(table, storage.member)
  const pair = [...fromOwner.columns, ...toMember]
  const joins: OwnJoins = { table, fromOwner, toMember, pair, isArbitrated: isArbitrated(table, pair) }
  const [added, updated] = [change.added, change.updated].map((members) => members.map((each) => joinRow(joins, each)))
  const rows = { added: added ?? [], updated: updated ?? [] }
  const isOneInsert = joins.isArbitrated && change.removed.length === 0 && change.updated.length === 0
  const isOne = isOneInsert
    ? alike(writing, rows.added).length === 1
    : change.added.length + change.updated.length === 0
  const write = async (inside: SqlWriting, wanted: WantedRows): Promise<void> => {
    if (change.removed.length > 0) await deleteJoins(inside, joins, change.removed)
    await writeJoins(inside, joins, wanted)
  }
  try {
    await asOne(writing, !isOne, (inside) => write(inside, rows))
  } catch (thrown) {
    const writeSome = (inside: SqlWriting, some: ReadonlySet<JoinRow>): Promise<void> =>
      write(inside, {
        added: rows.added.filter((each) => some.has(each)),
        updated: rows.updated.filter((each) => some.has(each)),
      })
    throw await refusedJoins(thrown, { joins, rows: [...rows.added, ...rows.updated], writing, writeSome })
  }
}

/** The keys of both are set last: no field of the join row stands in for them. */
function joinRow({ table, fromOwner, toMember }: OwnJoins, member: MemberValues): JoinRow {
  const set = new Map<SqlColumn, unknown>()
  for (const [property, value] of Object.entries(member.values)) set.set(storedColumn(table, property), value)
  for (const [column, value] of fromOwner.values) set.set(column, value)
  for (const [index, column] of toMember.entries()) set.set(column, index === 0 ? member.key : member.type)
  return { member, set }
}

/** All of them, of whichever types, by one statement. */
async function deleteJoins(writing: SqlWriting, joins: OwnJoins, removed: readonly MemberKey[]): Promise<void> {
  const { fromOwner, table } = joins
  const { operands } = fromOwner
  if (operands === null) return
  await runWrite(writing, (shape) => {
    shape.addKeyPart('delete joins')
    const from = notedTable(shape, table)
    const matches = joinedWith(joins, operands, removed, { shape, engine: writing.store.engine })
    return () => sql`delete from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
  })
}

/** Whether a join row is of the owner, and leads to one of some members. */
function joinedWith(
  { toMember: [key, type] }: OwnJoins,
  operands: NonNullable<Pointing['operands']>,
  members: readonly MemberKey[],
  binding: Binding,
): KeyCondition {
  const isOwned = pointsThere(operands, binding)
  const types = type === undefined ? [null] : [...new Set(members.map((member) => member.type))]
  binding.shape.addKeyPart(`${types.length} types`)
  const ofTypes = types.map((name): KeyCondition => {
    const own = name === null ? members : members.filter((member) => member.type === name)
    const keys = own.map((member) => member.key)
    const isMember: KeyCondition = key === undefined ? () => sql`1 = 0` : hasOneOfKeys(key, keys, binding)
    const operand = type === undefined ? null : keyOperand(type, name, binding.engine)
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

/** Where an index tells the pairs apart, a new member is one statement; else what is there has to be found before. */
async function writeJoins(writing: SqlWriting, joins: OwnJoins, { added, updated }: WantedRows): Promise<void> {
  const { table, pair, isArbitrated: isLeftToIndex } = joins
  const insert = async (rows: readonly JoinRow[]): Promise<void> => {
    for (const group of alike(writing, rows)) {
      await insertRows(writing, { table, ...group }, isLeftToIndex ? pair : null)
    }
  }
  if (isLeftToIndex) await insert(added)
  await insert(await updateJoins(writing, joins, isLeftToIndex ? updated : [...added, ...updated]))
}

/** Answers those that are not there. */
async function updateJoins(
  writing: SqlWriting,
  joins: OwnJoins,
  rows: readonly JoinRow[],
): Promise<readonly JoinRow[]> {
  const { table, pair, toMember } = joins
  const missing: JoinRow[] = []
  for (const group of alike(writing, rows)) {
    const setsAny = group.columns.some((column) => !pair.includes(column))
    const members = group.members.map(({ member }) => member)
    const result = setsAny
      ? await updateRows(writing, { table, ...group }, pair)
      : await findJoins(writing, joins, members)
    const found = new Set(result.rows.map((row) => identityOf(row.slice(-toMember.length))))
    missing.push(...group.members.filter(({ set }) => !found.has(identityOf(toMember.map((each) => set.get(each))))))
  }
  return missing
}

async function findJoins(writing: SqlWriting, joins: OwnJoins, members: readonly MemberKey[]): Promise<SqlResult> {
  const { table, fromOwner, toMember } = joins
  const { operands } = fromOwner
  if (operands === null) return { columns: [], rows: [], changes: 0 }
  return runRead(writing, (shape) => {
    shape.addKeyPart('find joins')
    const from = notedTable(shape, table)
    const matches = joinedWith(joins, operands, members, { shape, engine: writing.store.engine })
    return () =>
      sql`select ${columnNames(toMember)} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
  })
}

function identityOf(keys: readonly unknown[]): string {
  return keys.map(keyText).join('\n')
}

interface Alike {
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly GivenRow[]
  readonly members: readonly JoinRow[]
}

/** Rows that set the same columns are written together, as many as one statement takes. */
function alike(writing: SqlWriting, rows: readonly JoinRow[]): readonly Alike[] {
  const groups = new Map<string, JoinRow[]>()
  for (const row of rows) {
    const names = JSON.stringify([...row.set.keys()].map(({ name }) => name).toSorted())
    const group = groups.get(names)
    if (group === undefined) groups.set(names, [row])
    else group.push(row)
  }
  return [...groups.values()].flatMap((group) => {
    const columns = [...(group[0]?.set.keys() ?? [])]
    const parts = partsOf(group, columns.length, writing)
    return parts.map((members) => ({ columns, rows: members.map(({ set }) => set), members }))
  })
}
