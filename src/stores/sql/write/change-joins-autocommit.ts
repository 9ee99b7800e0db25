import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { JoinChange, JoinWrite } from '../../../declare/resource/capabilities/persister.js'
import { isComposite } from '../../../declare/resource/parts/key-columns.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { isArbitrated } from '../query/related-source.js'
import type { StatementBuild } from '../query/statement-build.js'
import { statementBuild } from '../query/statement-build.js'
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf, joinModel, tableOf } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { tableReference } from '../statement/table-reference.js'
import { runStatement, visibleIf } from './autocommit.js'
import type { KeyCondition, WritePart } from './sql-writing.js'
import { addTable, hasKey, hasOneOfKeys, writtenAlias } from './sql-writing.js'
import { statementTarget } from './statement-target.js'

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
  const part = change.kind === 'add' ? insertJoins(sides) : deleteJoins(sides)
  const result = await runStatement(store, write, store.statements.statement(build.shape, part))
  return result !== null && result.changes > 0
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
  readonly matches: KeyCondition
}

/** Returns `null` if join rows contain type columns too, or if no unique index prevents duplicate pairs. */
function joinSides(
  { owner: ownerType, storage }: RelationLink,
  { owner, type, members }: JoinChange,
  { write, build }: { readonly write: JoinWrite; readonly build: StatementBuild },
): JoinSides | null {
  const { tables, shape } = build
  if (storage.kind !== 'join' || storage.owner.type !== null || storage.member.type !== null) return null
  const [ownerSide, memberSide] = [statementTarget(ownerType, build), statementTarget(type, build)]
  const join = tableOf(tables, joinModel(storage))
  if (!ownerSide.canDelete || !memberSide.canDelete || join.live.isView) return null
  // A row value cannot be the column of an insert. The write strategies of the framework exclude this case too.
  if ([storage.owner.id, storage.member.id].some(isComposite)) return null
  const pair = [columnOf(join, storage.owner.id), columnOf(join, storage.member.id)]
  const [{ table: ownerTable, column: ownerId }, { table: memberTable, column: memberId }] = [ownerSide, memberSide]
  const operand = ownerSide.operandOf(owner)
  const isPossible = members.every((key) => memberSide.operandOf(key) !== null)
  if (operand === null || !isPossible || !isArbitrated(join, pair)) return null
  shape.addKeyPart(`joins ${storage.owner.id} ${storage.member.id}`)
  for (const table of [join, ownerTable, memberTable]) addTable(shape, table)
  const isOwner = hasKey(ownerId, operand, build)
  const isMember = hasOneOfKeys(memberId, members, build)
  return {
    join,
    count: members.length,
    build,
    owner: {
      table: ownerTable,
      referenced: columnOf(ownerTable, referenceColumn(ownerType)).name,
      held: columnOf(join, storage.owner.id).name,
      matches: visibleIf(isOwner, { type: ownerType, table: ownerTable, conditions: write.ownerConditions }, build),
    },
    member: {
      table: memberTable,
      referenced: columnOf(memberTable, referenceColumn(type)).name,
      held: columnOf(join, storage.member.id).name,
      matches: visibleIf(isMember, { type, table: memberTable, conditions: write.memberConditions }, build),
    },
  }
}

/** Adds all members, or none: the count prevents an insert without a missing member. */
function insertJoins({ join, owner, member, count, build: { shape, dialect } }: JoinSides): WritePart {
  shape.describe('insert', join)
  shape.addKeyPart(count === 1 ? 'insert one' : 'insert several')
  const expected = count === 1 ? null : shape.bind(count)
  return () => {
    const areAll =
      expected === null
        ? sql``
        : sql` and (select count(*) from ${tableReference(member.table)} as ${sql.id('counted')} where ${member.matches('counted')}) = ${expected}`
    const pair = sql.join([sql.id(owner.held), sql.id(member.held)])
    const keys = sql.join([sql.id('owner', owner.referenced), sql.id('member', member.referenced)])
    const from = sql`${tableReference(owner.table)} as ${sql.id('owner')}, ${tableReference(member.table)} as ${sql.id('member')}`
    return sql`insert into ${tableReference(join)} (${pair}) select ${keys} from ${from} where ${owner.matches('owner')} and ${member.matches('member')}${areAll} ${dialect.spell.onConflict?.([owner.held, member.held], []) ?? sql``} returning 1`
  }
}

function deleteJoins({ join, owner, member, build: { shape } }: JoinSides): WritePart {
  shape.describe('delete', join)
  shape.addKeyPart('delete')
  return () => {
    const isOwned = sql`${sql.id(writtenAlias, owner.held)} in ${keysOf(owner, 'owner')}`
    const isMember = sql`${sql.id(writtenAlias, member.held)} in ${keysOf(member, 'member')}`
    return sql`delete from ${tableReference(join)} as ${sql.id(writtenAlias)} where ${isOwned} and ${isMember} returning 1`
  }
}

/** Some drivers count the rows that are returned. */
function keysOf({ table, referenced, matches }: JoinSide, alias: string): RawBuilder<unknown> {
  return sql`(select ${sql.id(alias, referenced)} from ${tableReference(table)} as ${sql.id(alias)} where ${matches(alias)})`
}
