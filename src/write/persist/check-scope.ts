import type { Problem } from '../../errors/json-api-error.js'
import { failAll, problem } from '../../errors/json-api-error.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { readTransaction } from '../../read/open-transactions.js'
import { deny, permissionIn, requirePermission } from '../../read/query/permission.js'
import { ruleCondition, scopeConditions, scopeIn } from '../../read/query/scope-conditions.js'
import { withScopes } from '../../read/rows/fill-scopes.js'
import { fetchObject, findRow } from '../../read/rows/fetch-row.js'
import { queryRows, readCollection } from '../../read/rows/read-collection.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import { keyColumns, keyIn, keyReader } from '../../resource/key-columns.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { AbilityName } from '../../resource/policy/policy.js'
import type { IncomingValues } from '../../resource/policy/rule-kit.js'
import { RowCheck, RowRule } from '../../resource/policy/rule-kit.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import type { RequestContext } from '../../resource/request-context.js'
import { certainlyMeets, certainlyStillMeets } from '../../row-query/certainly-meets.js'
import { keyText } from '../../row-query/key-text.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { changesForeignRows } from '../linkage/foreign-rows.js'
import type { EndWrite } from './write-flattened.js'
import type { MemberMutation } from './write-members.js'
import type { WriteOutcome } from './write-outcome.js'

/*
 * A write must not leave behind a row that the scope of its type hides from the caller, like the `with check option` of SQL views.
 */

/** A row that a write has changed. */
export interface WrittenRow {
  readonly served: ServedType
  /** The key that the id of the resource encodes. */
  readonly key: unknown
  /** The row as stored; `null` if it is not known. */
  readonly row: RowObject | null
  /** The JSON pointer to the part of the body that changed the row; `null` if there is no body. */
  readonly pointer: string | null
}

export interface ScopeCheck {
  readonly context: RequestContext
  readonly open: OpenTransactions | null
  /** The maximum number of problems to report. */
  readonly limit: number
}

interface OtherWrites {
  readonly mutations: readonly MemberMutation[]
  /** The related rows that flattened attributes are stored in. */
  readonly ends: readonly EndWrite[]
  /** The ability that the row itself must have after the write. */
  readonly ability: 'create' | 'updated'
}

/**
 * Checks all rows that the write of a resource has changed. Returns the outcome of the write.
 *
 * @param ability the ability that the row must have after the write
 */
export async function checkWritten(
  served: ServedType,
  outcome: WriteOutcome,
  { mutations, ends, ability }: OtherWrites,
  check: ScopeCheck,
): Promise<WriteOutcome> {
  if (outcome.kind === 'accepted') return outcome
  const { columns, rows } = outcome.rows
  const row = rowObject(columns, rows[0] ?? [])
  const own = { served, key: keyIn(row, served.type.id.column), row, pointer: '/data' }
  const related = ends.map((end) => ({
    ...end,
    row: { ...end.row, ...end.values },
    pointer: end.pointers.pointerTo([...end.sent.keys()]),
  }))
  const foreign = [...writtenMembers(mutations), ...related]
  await checkScopes([own, ...foreign], check)
  const isDecided = ability === 'create' && permissionIn(served, ability, check.context) instanceof RowCheck
  if (!isDecided) await checkRules([own], ability, check)
  await checkRules(foreign, 'updated', check)
  return outcome
}

/** Fails with 403 for each row that is outside the scope of its type after the write. The error rolls everything back. */
export async function checkScopes(written: readonly WrittenRow[], check: ScopeCheck): Promise<void> {
  const uncertain = written.filter(({ served, row }) => {
    const scope = scopeIn(served, check.context)
    return scope !== null && !(row !== null && certainlyMeets(scope, row))
  })
  if (uncertain.length === 0) return
  const hidden = await Promise.all(
    Array.from(byType(uncertain), ([served, rows]) => {
      return rowsOutside(served, rows, scopeConditions(served, 'shown'), check)
    }),
  )
  const problems = hidden.flat().map(outOfScope)
  if (problems.length > 0) failAll(problems.slice(0, check.limit))
}

/**
 * Fails with 401 or 403 if rows do not meet the rule of an ability. A function of the policy gets each row with the sent values.
 *
 * @param rows the rows as they are stored now
 */
export async function checkRules(
  rows: readonly WrittenRow[],
  ability: AbilityName,
  check: ScopeCheck,
  incoming: IncomingValues | null = null,
): Promise<void> {
  for (const [served, ofType] of byType(rows)) {
    const permission = requirePermission(served, ability, check.context)
    if (permission === true) continue
    const known = isReadElsewhere(served) ? await withRows(ofType, check) : ofType
    const isMet =
      permission instanceof RowCheck
        ? await areChecked(permission, await withRows(known, check), incoming, check.context)
        : await meetRule(permission, served, known, check)
    if (!isMet) deny(served, ability, check.context)
  }
}

async function meetRule(
  rule: RowRule,
  served: ServedType,
  rows: readonly WrittenRow[],
  check: ScopeCheck,
): Promise<boolean> {
  const condition = ruleCondition(served, rule, check.context)
  const uncertain = rows.filter(({ row }) => row === null || !certainlyMeets(condition, row))
  return uncertain.length === 0 || (await rowsOutside(served, uncertain, [condition], check)).length === 0
}

async function areChecked(
  { check: isPermitted }: RowCheck,
  rows: readonly WrittenRow[],
  incoming: IncomingValues | null,
  context: RequestContext,
): Promise<boolean> {
  for (const { row } of rows) {
    // Anything but true denies: a function in JavaScript may return anything.
    const result: unknown = await isPermitted({ row: row as never, incoming }, context)
    if (result !== true) return false
  }
  return true
}

/** Reads the rows that are not known. */
function withRows(rows: readonly WrittenRow[], { context, open }: ScopeCheck): Promise<readonly WrittenRow[]> {
  return Promise.all(
    rows.map(async (each) => {
      const { served, key, row } = each
      if (row !== null) return each
      const options = { context, open, trash: 'shown' } as const
      return { ...each, row: await fetchObject(served, served.type.id.encode(key), options) }
    }),
  )
}

/** Whether another store reads the rows, and does not see them before the commit. */
function isReadElsewhere({ transactions, readsInTransaction }: ServedType): boolean {
  return transactions !== null && !readsInTransaction
}

function byType(rows: readonly WrittenRow[]): ReadonlyMap<ServedType, readonly WrittenRow[]> {
  const grouped = new Map<ServedType, WrittenRow[]>()
  for (const each of rows) {
    const others = grouped.get(each.served)
    if (others === undefined) grouped.set(each.served, [each])
    else others.push(each)
  }
  return grouped
}

/** Returns a stored row that a write is about. */
export function storedRow(served: ServedType, row: RowObject): WrittenRow {
  return { served, key: keyIn(row, served.type.id.column), row, pointer: null }
}

/**
 * Fails with 401 or 403 if a write changes resources of other types that the caller may not update: rows that hold the key of the
 * owner, resources that show the same join rows, and the rows of flattened attributes.
 */
export async function checkForeignRows(
  { mutations, ends }: Pick<OtherWrites, 'mutations' | 'ends'>,
  check: ScopeCheck,
): Promise<void> {
  const members = mutations.filter(({ relation }) => changesForeignRows(relation)).flatMap(changedMembers)
  const related = ends.map((end) => ({ ...end, row: end.row ?? null, pointer: null }))
  await checkRules([...members, ...related], 'update', check)
}

/**
 * Fails with 401 or 403 before a row is written, if its store has no transactions and could not undo the write. Columns that only
 * the store knows are checked after the write.
 *
 * @param ability the ability that the row must have after the write
 */
export async function checkDraft(
  served: ServedType,
  draft: ColumnValues,
  ability: 'create' | 'updated',
  context: RequestContext,
): Promise<void> {
  if (served.transactions !== null) return
  const isOutside = async (condition: RowCondition): Promise<boolean> => {
    const columns = scopeColumns(condition)
    if (columns === null || ![...columns].every((column) => Object.hasOwn(draft, column))) return false
    return !(await meetsConditions(served, draft, [condition], context))
  }
  const scope = scopeIn(served, context)
  if (scope !== null && (await isOutside(scope))) failAll([outOfScope({ served, pointer: '/data' })])
  const permission = permissionIn(served, ability, context)
  if (!(permission instanceof RowRule)) return
  if (await isOutside(ruleCondition(served, permission, context))) deny(served, ability, context)
}

/** Returns the rows of related types that hold the key of the owner, and that a change of members has written. */
function writtenMembers(mutations: readonly MemberMutation[]): readonly WrittenRow[] {
  return mutations.filter(({ relation }) => relation.storage.kind === 'relatedKey').flatMap(changedMembers)
}

function changedMembers({ relation, pointer, added, removed }: MemberMutation): readonly WrittenRow[] {
  return [...added, ...removed].flatMap((member): readonly WrittenRow[] => {
    const served = relation.related.get(member.type)
    if (served === undefined) return []
    return [{ served, key: member.idKey, row: null, pointer: member.pointer ?? pointer }]
  })
}

/**
 * Returns the columns of a row that decide whether it is in a scope. Returns `null` if other rows or a user-defined condition
 * decide too.
 */
function scopeColumns(condition: RowCondition): ReadonlySet<string> | null {
  switch (condition.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return condition.column.of === 'row' ? new Set(keyColumns(condition.column.name)) : null
    case 'all':
    case 'any': {
      const parts = condition.conditions.map(scopeColumns)
      return parts.every((part) => part !== null) ? new Set(parts.flatMap((part) => [...part])) : null
    }
    case 'related':
    case 'custom':
    case 'scope':
      return null
  }
}

/**
 * Whether a row that meets a condition certainly meets it after these columns are set. A condition that looks at related rows
 * depends on the columns that lead to them.
 */
export function staysMet(condition: RowCondition | null, values: ColumnValues, served: ServedType): boolean {
  if (condition === null) return true
  return certainlyStillMeets(condition, values, (part, column) => dependsOn(part, column, served))
}

/** Whether columns of a row alone decide whether it meets a condition. */
export function isDecidedByColumns(condition: RowCondition | null): boolean {
  return condition === null || scopeColumns(condition) !== null
}

function dependsOn(condition: RowCondition, column: string, served: ServedType): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.some((each) => dependsOn(each, column, served))
    case 'related': {
      const { relation } = condition
      const isSameModel = relation.targets.some(({ model }) => model?.name === served.type.model?.name)
      return isSameModel || (parentColumns(relation)?.includes(column) ?? true)
    }
    default:
      return scopeColumns(condition)?.has(column) ?? true
  }
}

/** Returns the rows that do not meet the conditions, as the store sees them in the transaction. */
async function rowsOutside(
  served: ServedType,
  rows: readonly WrittenRow[],
  conditions: readonly RowCondition[],
  { context, open }: ScopeCheck,
): Promise<readonly WrittenRow[]> {
  const { type, provider, serializer } = served
  if (isReadElsewhere(served)) {
    const isMet = await Promise.all(
      rows.map(async ({ row }) => row === null || meetsConditions(served, row, conditions, context)),
    )
    return rows.filter((_, index) => isMet[index] === false)
  }
  const criteria = { columns: keyColumns(type.id.column), transaction: readTransaction(served, open), context }
  if (rows.length === 1 || provider?.fetchCollection === undefined || serializer !== null) {
    const found = await Promise.all(
      rows.map(({ key }) => findRow(served, type.id.encode(key), { ...criteria, columns: null, conditions })),
    )
    return rows.filter((_, index) => found[index] === null)
  }
  const values = rows.map(({ key }) => type.id.decode(type.id.encode(key)))
  const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
  const { rows: found } = await readCollection(served, {
    ...criteria,
    conditions: [{ kind: 'in', column, values, negated: false }, ...conditions],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
  })
  const keyOf = keyReader(found.columns, type.id.column)
  const inScope = new Set(found.rows.map((row) => keyText(keyOf(row))))
  return rows.filter(({ key }) => !inScope.has(keyText(key)))
}

async function meetsConditions(
  served: ServedType,
  row: RowObject,
  conditions: readonly RowCondition[],
  context: RequestContext,
): Promise<boolean> {
  const { rows } = await queryRows(served, rowSetOf([row]), {
    conditions: withScopes({ conditions, context }).conditions,
    transaction: null,
    context,
  })
  return rows.rows.length > 0
}

function outOfScope({ served: { type }, pointer }: Pick<WrittenRow, 'served' | 'pointer'>): Problem {
  return problem('RESOURCE_OUT_OF_SCOPE', { type: type.type }, pointer === null ? {} : { source: { pointer } })
}
