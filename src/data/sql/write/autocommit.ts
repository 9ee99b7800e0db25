import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type {
  AutocommitUpdate,
  AutocommitWrite,
  ColumnValues,
  JoinChange,
  JoinWrite,
} from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { ValueKind } from '../../../resource/fields/value-kind.js'
import type { RowFlag } from '../../../resource/capabilities/provider.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import { isComposite } from '../../../resource/key-columns.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlResult } from '../driver/sql-statement.js'
import { isArbitrated } from '../query/join-pair.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import {
  tableFor,
  columnOf,
  isCheckedAsStored,
  isKeyOfRows,
  joinModel,
  storedColumn,
  tableOf,
} from '../schema/sql-table.js'
import { returnedRow } from '../query/wanted-columns.js'
import { sqlConditions } from '../query/sql-conditions.js'
import { selectedFlags } from '../query/sql-flags.js'
import type { Aliases, StatementBuild } from '../query/statement-build.js'
import { freshAliases, statementBuild } from '../query/statement-build.js'
import type { SqlStore } from '../sql-store.js'
import { tableReference } from '../statement/table-reference.js'
import type { KeyCondition } from './key-condition.js'
import { hasKey, hasOneOfKeys, keyOperand } from './key-condition.js'
import type { RowTarget, SetColumns } from './new-row.js'
import { changedColumns, checkKeys } from './new-row.js'
import { referencedRows, referencesExist } from './referenced-rows.js'
import type { WritePart } from './sql-writing.js'
import {
  boundColumns,
  changesOf,
  differencesOf,
  addTable,
  raisedByOne,
  returnedColumns,
  writtenAlias,
} from './sql-writing.js'

/**
 * Updates a row by one statement without a transaction. The statement itself looks for the rows that the new values
 * refer to, and changes nothing if one is missing. A row that has all the values already is not written either, so that
 * no trigger runs: the transaction then finds nothing to change. Returns `null` if the row was not written.
 */
export async function updateAutocommit(
  store: SqlStore,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: ColumnValues },
  { context, references, conditions, clientColumns, flags, raises }: AutocommitUpdate,
): Promise<RowSet | null> {
  const { dialect } = store
  const tables = store.knownTables() ?? (await store.tables())
  const table = writableTable(tables, type)
  const referenced = table === null ? null : referencedRows(references, values, { tables, dialect })
  if (table === null || table.needsSecondRead || referenced === null) return null
  if (isCheckedAsStored(table, type)) return null
  if (!clientColumns.every(({ column, kind }) => showsAll(kind, columnOf(table, column), dialect))) return null
  const set = changedColumns(table, values, referenced.keys)
  if (!areKeysValid({ type, table, dialect }, set)) return null
  const build = statementBuild(store, tables, context)
  const { shape } = build
  shape.describe('update', table)
  shape.addKeyPart('update autocommit')
  const bound = boundColumns(shape, set)
  const raised = raises === null ? null : storedColumn(table, raises)
  if (raised !== null) shape.addKeyPart(`raises ${raised.name}`)
  const row = visibleRow({ type, table, key, conditions }, build)
  if (row === null) return null
  const exist = referenced.rows.length === 0 ? null : referencesExist(referenced.rows, build)(shape)
  const flagged = selectedFlags(flags, { type, table, pivot: null }, build)
  return rowOf(store, { table, build, flags }, () => {
    const visible = exist === null ? row.matches() : sql`${row.matches()} and ${exist()}`
    const matches = sql`${visible} and (${differencesOf(bound, dialect)})`
    const returnedFrom = dialect.can.returnByAlias ? writtenAlias : table.name
    const at: Aliases = { row: returnedFrom, pivot: null, fresh: freshAliases() }
    const returned = sql.join([returnedColumns(table.stored), ...flagged.map(({ expression }) => expression(at))])
    return sql`update ${row.target} as ${sql.id(writtenAlias)} set ${changesOf(bound)}${raised === null ? sql`` : raisedByOne(raised)} where ${matches} returning ${returned}`
  })
}

/**
 * Deletes a row by one statement without a transaction. Returns the deleted row; `null` if it was not deleted, or cannot be deleted by one
 * statement.
 */
export async function deleteAutocommit(
  store: SqlStore,
  type: CompiledType,
  key: unknown,
  { context, conditions }: AutocommitWrite,
): Promise<RowSet | null> {
  const tables = store.knownTables() ?? (await store.tables())
  const table = writableTable(tables, type)
  if (table === null) return null
  const build = statementBuild(store, tables, context)
  build.shape.describe('delete', table)
  build.shape.addKeyPart('delete autocommit')
  const row = visibleRow({ type, table, key, conditions }, build)
  if (row === null) return null
  return rowOf(store, { table, build, flags: [] }, () => {
    return sql`delete from ${row.target} as ${sql.id(writtenAlias)} where ${row.matches()} returning ${returnedColumns(table.stored)}`
  })
}

/**
 * Adds members to, or removes them from, a relation that join rows hold, by one statement without a transaction.
 * Returns whether rows were changed. It also returns `false` if nothing had to change: only a transaction can
 * distinguish that from a missing row.
 */
export async function changeJoinsAutocommit(
  store: SqlStore,
  relation: RelationLink,
  change: JoinChange,
  write: JoinWrite,
): Promise<boolean> {
  const tables = store.knownTables() ?? (await store.tables())
  const build = statementBuild(store, tables, write.context)
  const sides = joinSides(relation, change, { write, build })
  if (sides === null) return false
  const result = await run(store, write.context, build, change.kind === 'add' ? insertJoins(sides) : deleteJoins(sides))
  return result !== null && result.changes > 0
}

/** Computed columns need a second statement, the effect of a write to a view is unknown, and without a key several rows could be changed. */
function writableTable(tables: SqlTables, type: CompiledType): SqlTable | null {
  const table = tableFor(tables, type)
  const isPlain = table.computed.length === 0 && !table.live.isView
  return isPlain && isKeyOfRows(table, type.id.column) ? table : null
}

/** Returns whether a kind shows the whole stored value, so that a value that a client sends back equals the stored one. */
function showsAll(
  { storageType, isRounded }: ValueKind,
  { type, mapping, readAsText, isUniform }: SqlColumn,
  { can }: SqlDialect,
): boolean {
  if (mapping !== null || readAsText !== null || !isUniform) return false
  switch (storageType) {
    case 'text':
      return type === 'text' || type === 'uuid'
    case 'bigint':
    case 'number':
      // A column without a fixed type may hold large integers in every column of integers.
      if (isRounded) return type === 'integer' && can.typeColumns
      return type === 'integer' || type === 'bigint'
    case 'boolean':
      return type === 'boolean'
    case 'date':
      // Without a type for dates, the text may have a time too.
      return type === 'date' && can.typeColumns
    default:
      return false
  }
}

/** A key that the column cannot hold is reported by the transaction. */
function areKeysValid(target: RowTarget, set: SetColumns): boolean {
  try {
    checkKeys(target, set)
    return true
  } catch (thrown) {
    if (isStoreConflict(thrown)) return false
    throw thrown
  }
}

interface RowToWrite {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly key: unknown
  readonly conditions: readonly RowCondition[]
}

interface VisibleRow {
  readonly target: ReturnType<typeof addTable>
  readonly matches: WritePart
}

/** Returns `null` for a key that the column cannot hold. */
function visibleRow({ type, table, key, conditions }: RowToWrite, build: StatementBuild): VisibleRow | null {
  const column = columnOf(table, type.id.column)
  const operand = keyOperand(column, key, build.dialect)
  if (operand === null) return null
  const target = addTable(build.shape, table)
  return {
    target,
    matches: matchingRow(hasKey(column, operand, build), { type, table, conditions }, build)(writtenAlias),
  }
}

/** A row that has a key, and meets conditions. */
function matchingRow(
  hasId: KeyCondition,
  { type, table, conditions }: Omit<RowToWrite, 'key'>,
  build: StatementBuild,
): (alias: string) => WritePart {
  // Scopes that let all rows pass in this request are left out.
  const effective = conditions.filter((each) => each.kind !== 'scope' || each.conditionIn(build.context) !== null)
  const meets = effective.length === 0 ? null : sqlConditions(effective, { type, table, pivot: null }, build)
  return (alias) => () => {
    if (meets === null) return hasId(alias)
    return sql`${hasId(alias)} and ${meets({ row: alias, pivot: null, fresh: freshAliases() })}`
  }
}

interface Statement {
  readonly table: SqlTable
  /** The flags that it returns after the columns. */
  readonly flags: readonly RowFlag[]
  readonly build: StatementBuild
}

/** Returns the row that a statement has written; `null` if there is none. */
async function rowOf(store: SqlStore, { table, build, flags }: Statement, part: WritePart): Promise<RowSet | null> {
  const result = await run(store, build.context, build, part)
  const row = result?.rows[0]
  if (row === undefined) return null
  const { properties, decode } = returnedRow(table, flags)
  return rowSet(properties, [decode(row)])
}

/** Returns `null` if a transaction is open, and if the database refuses the statement. */
function run(
  store: SqlStore,
  context: RequestContext,
  { shape }: StatementBuild,
  part: WritePart,
): Promise<SqlResult | null> | null {
  const { statements, builder, driver } = store
  const statement = statements.statement(shape, () => ({ compile: () => part().compile(builder) }))
  const running = store.writeAutocommit(statement, context)
  if (running === null) return null
  return running.catch((thrown: unknown) => (isRefused(thrown, store) ? null : rethrowFault(thrown, driver)))
}

/**
 * Returns whether the database refused a statement, so that nothing was stored. If the connection was lost, or the statement
 * was cancelled, that is unknown: the write must not be retried.
 */
export function isRefused(thrown: unknown, { driver }: SqlStore): boolean {
  switch (driver.faultOf(thrown)?.kind) {
    case undefined:
    case 'unavailable':
    case 'timeout':
    case 'cancelled':
      return false
    default:
      return true
  }
}

/** The two sides of join rows, in a statement that changes them. */
interface JoinSides {
  readonly join: SqlTable
  readonly owner: JoinSide
  readonly member: JoinSide
  readonly count: number
  readonly build: StatementBuild
}

interface JoinSide {
  readonly table: SqlTable
  /** The name of the column that relations refer to. */
  readonly referenced: string
  /** The name of the column of the join row that holds it. */
  readonly held: string
  /** Returns the condition that a row of the table is the owner, or one of the members, and is visible. */
  readonly matches: (alias: string) => WritePart
}

/** Returns `null` if join rows contain type columns too, or if no unique index prevents duplicate pairs. */
function joinSides(
  { owner: ownerType, storage }: RelationLink,
  { owner, type, members }: JoinChange,
  { write, build }: { readonly write: JoinWrite; readonly build: StatementBuild },
): JoinSides | null {
  const { tables, dialect, shape } = build
  if (storage.kind !== 'join' || storage.owner.type !== null || storage.member.type !== null) return null
  const [ownerTable, memberTable] = [writableTable(tables, ownerType), writableTable(tables, type)]
  const join = tableOf(tables, joinModel(storage))
  if (ownerTable === null || memberTable === null || join.live.isView) return null
  // A row value cannot be the column of an insert. The write strategies of the framework exclude this case too.
  if ([storage.owner.id, storage.member.id].some(isComposite)) return null
  const pair = [columnOf(join, storage.owner.id), columnOf(join, storage.member.id)]
  const ownerId = columnOf(ownerTable, ownerType.id.column)
  const operand = keyOperand(ownerId, owner, dialect)
  const memberId = columnOf(memberTable, type.id.column)
  const isPossible = members.every((key) => keyOperand(memberId, key, dialect) !== null)
  if (operand === null || !isPossible || !isArbitrated(join, pair)) return null
  shape.addKeyPart(`joins ${storage.owner.id} ${storage.member.id}`)
  for (const table of [join, ownerTable, memberTable]) addTable(shape, table)
  const [ownerConditions, memberConditions] = [write.ownerConditions, write.memberConditions]
  return {
    join,
    count: members.length,
    build,
    owner: {
      table: ownerTable,
      referenced: columnOf(ownerTable, referenceColumn(ownerType)).name,
      held: pair[0]?.name ?? '',
      matches: matchingRow(
        hasKey(ownerId, operand, build),
        { type: ownerType, table: ownerTable, conditions: ownerConditions },
        build,
      ),
    },
    member: {
      table: memberTable,
      referenced: columnOf(memberTable, referenceColumn(type)).name,
      held: pair[1]?.name ?? '',
      matches: matchingRow(
        hasOneOfKeys(memberId, members, build),
        { type, table: memberTable, conditions: memberConditions },
        build,
      ),
    },
  }
}

/** Adds all members, or none: the count prevents an insert without a missing member. */
function insertJoins({ join, owner, member, count, build: { shape, dialect } }: JoinSides): WritePart {
  const { can, spell } = dialect
  shape.describe('insert', join)
  shape.addKeyPart(count === 1 ? 'insert one' : 'insert several')
  const expected = count === 1 ? null : shape.bind(count)
  return () => {
    const areAll =
      expected === null
        ? sql``
        : sql` and (select count(*) from ${tableReference(member.table)} as ${sql.id('counted')} where ${member.matches('counted')()}) = ${expected}`
    const pair = sql.join([sql.id(owner.held), sql.id(member.held)])
    const keys = sql.join([sql.id('owner', owner.referenced), sql.id('member', member.referenced)])
    const from = sql`${tableReference(owner.table)} as ${sql.id('owner')}, ${tableReference(member.table)} as ${sql.id('member')}`
    return sql`insert into ${tableReference(join)} (${pair}) select ${keys} from ${from} where ${owner.matches('owner')()} and ${member.matches('member')()}${areAll} ${spell.onConflict([owner.held, member.held], [])}${returningOne(can)}`
  }
}

function deleteJoins({ join, owner, member, build: { shape, dialect } }: JoinSides): WritePart {
  const { can } = dialect
  shape.describe('delete', join)
  shape.addKeyPart('delete')
  return () => {
    const isOwned = sql`${sql.id(writtenAlias, owner.held)} in ${keysOf(owner, 'owner')}`
    const isMember = sql`${sql.id(writtenAlias, member.held)} in ${keysOf(member, 'member')}`
    return sql`delete from ${tableReference(join)} as ${sql.id(writtenAlias)} where ${isOwned} and ${isMember}${returningOne(can)}`
  }
}

/** Some drivers count the rows that are returned. */
function returningOne({ returnRows }: SqlDialect['can']): RawBuilder<unknown> {
  return returnRows ? sql` returning 1` : sql``
}

function keysOf({ table, referenced, matches }: JoinSide, alias: string): RawBuilder<unknown> {
  return sql`(select ${sql.id(alias, referenced)} from ${tableReference(table)} as ${sql.id(alias)} where ${matches(alias)()})`
}
