import type { Problem } from '../../errors/json-api-error.js'
import { failAll, problem } from '../../errors/json-api-error.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { readTransaction } from '../../read/open-transactions.js'
import { scopeConditions, scopeIn } from '../../read/query/scope-conditions.js'
import { withScopes } from '../../read/rows/fill-scopes.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { queryRows, readCollection } from '../../read/rows/read-collection.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import { keyColumns, keyIn, keyReader } from '../../resource/key-columns.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import type { RequestContext } from '../../resource/request-context.js'
import { keyText } from '../../row-query/key-text.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import type { EndWrite } from './write-flattened.js'
import type { MemberMutation } from './write-members.js'
import type { WriteOutcome } from './write-outcome.js'

/*
 * A write must not leave behind a row that the scope of its type hides from the caller, like the `with check option` of SQL views.
 */

/** A row that a write has changed. */
interface WrittenRow {
  readonly served: ServedType
  /** The key that the id of the resource encodes. */
  readonly key: unknown
  /** The row as stored; `null` if it is not known. */
  readonly row: RowObject | null
  /** The JSON pointer to the part of the body that changed the row; `null` if there is no body. */
  readonly pointer: string | null
}

interface ScopeCheck {
  readonly context: RequestContext
  readonly open: OpenTransactions | null
  /** The maximum number of problems to report. */
  readonly limit: number
}

interface OtherWrites {
  readonly mutations: readonly MemberMutation[]
  /** The related rows that flattened attributes are stored in. */
  readonly ends: readonly EndWrite[]
}

/** Checks all rows that the write of a resource has changed. Returns the outcome of the write. */
export async function checkWritten(
  served: ServedType,
  outcome: WriteOutcome,
  { mutations, ends }: OtherWrites,
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
  await checkScopes([own, ...writtenMembers(mutations), ...related], check)
  return outcome
}

/** Fails with 403 for each row that is outside the scope of its type after the write. The error rolls everything back. */
export async function checkScopes(written: readonly WrittenRow[], check: ScopeCheck): Promise<void> {
  const byType = new Map<ServedType, WrittenRow[]>()
  for (const each of written) {
    if (scopeIn(each.served, check.context) === null) continue
    const others = byType.get(each.served)
    if (others === undefined) byType.set(each.served, [each])
    else others.push(each)
  }
  if (byType.size === 0) return
  const hidden = await Promise.all(Array.from(byType, ([served, rows]) => hiddenRows(served, rows, check)))
  const problems = hidden.flat().map(outOfScope)
  if (problems.length > 0) failAll(problems.slice(0, check.limit))
}

/**
 * Fails with 403 before a row is written, if its store has no transactions and could not undo the write. Columns that only the
 * store knows are checked after the write.
 */
export async function checkDraft(served: ServedType, draft: ColumnValues, context: RequestContext): Promise<void> {
  const scope = served.transactions === null ? scopeIn(served, context) : null
  const columns = scope === null ? null : scopeColumns(scope)
  if (columns === null || ![...columns].every((column) => Object.hasOwn(draft, column))) return
  if (!(await isInScope(served, draft, context))) failAll([outOfScope({ served, pointer: '/data' })])
}

/** Returns the rows of related types that hold the key of the owner, and that a change of members has written. */
function writtenMembers(mutations: readonly MemberMutation[]): readonly WrittenRow[] {
  return mutations.flatMap(({ relation, pointer, added, removed }) => {
    if (relation.storage.kind !== 'relatedKey') return []
    return [...added, ...removed].flatMap((member): readonly WrittenRow[] => {
      const served = relation.related.get(member.type)
      if (served === undefined) return []
      return [{ served, key: member.idKey, row: null, pointer: member.pointer ?? pointer }]
    })
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
 * Whether an update that sets only these columns cannot move a row out of its scope. A scope that looks at related rows depends on
 * the columns that lead to them.
 */
export function staysInScope(served: ServedType, columns: readonly string[], context: RequestContext): boolean {
  const scope = scopeIn(served, context)
  return scope === null || !columns.some((column) => dependsOn(scope, column, served))
}

/** Whether columns of a row alone decide whether it is in the scope of its type. */
export function isScopedByColumns(served: ServedType, context: RequestContext): boolean {
  const scope = scopeIn(served, context)
  return scope === null || scopeColumns(scope) !== null
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

async function hiddenRows(
  served: ServedType,
  rows: readonly WrittenRow[],
  { context, open }: ScopeCheck,
): Promise<readonly WrittenRow[]> {
  const { type, provider, serializer } = served
  if (served.transactions !== null && !served.readsInTransaction) {
    // Another store reads the rows, and does not see them before the commit.
    const inScope = await Promise.all(rows.map(async ({ row }) => row === null || isInScope(served, row, context)))
    return rows.filter((_, index) => inScope[index] === false)
  }
  const conditions = scopeConditions(served, 'shown')
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

async function isInScope(served: ServedType, row: RowObject, context: RequestContext): Promise<boolean> {
  const { conditions } = withScopes({ conditions: scopeConditions(served, 'shown'), context })
  const { rows } = await queryRows(served, rowSetOf([row]), { conditions, transaction: null, context })
  return rows.rows.length > 0
}

function outOfScope({ served: { type }, pointer }: Pick<WrittenRow, 'served' | 'pointer'>): Problem {
  return problem('RESOURCE_OUT_OF_SCOPE', { type: type.type }, pointer === null ? {} : { source: { pointer } })
}
