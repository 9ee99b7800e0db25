import { deny, requirePermission } from '../../read/query/permission.js'
import { ruleCondition } from '../../read/query/scope-conditions.js'
import { fetchObject } from '../../read/rows/fetch-row.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { IncomingValues, RowRule } from '../../../declare/resource/policy/rule-kit.js'
import { RowCheck } from '../../../declare/resource/policy/rule-kit.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { certainlyMeets } from '../../../stores/row-query/condition-analysis.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import { byType, isReadByOtherStore, rowsOutside } from './rows-outside.js'
import type { SentLinkage } from '../document/sent-linkage.js'
import { abilitiesOf } from '../document/sent-linkage.js'

/**
 * Fails with 401 or 403 if rows do not meet the rule of an ability. A function of the policy gets each row with the sent values.
 *
 * @param rows the rows as they are stored now
 */
export async function checkRules(
  rows: readonly WrittenRow[],
  ability: string,
  check: WriteCheck,
  incoming: IncomingValues | null = null,
): Promise<void> {
  for (const [served, ofType] of byType(rows)) {
    const permission = requirePermission(served, ability, check.context)
    if (permission === true) continue
    const known = isReadByOtherStore(served) ? await withRows(ofType, check) : ofType
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
  check: WriteCheck,
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
function withRows(rows: readonly WrittenRow[], { context, open }: WriteCheck): Promise<readonly WrittenRow[]> {
  return Promise.all(
    rows.map(async (each) => {
      const { served, key, row } = each
      if (row !== null) return each
      const options = { context, open, trash: 'shown' } as const
      return { ...each, row: await fetchObject(served, served.type.id.encode(key), options) }
    }),
  )
}

/** Returns a stored row that a write is about. */
export function storedRow(served: ServedType, row: RowObject): WrittenRow {
  return { served, key: keyIn(row, served.type.id.column), row, pointer: null }
}

/** Fails with 401 or 403 if the caller may not change relations that were sent in the document of a resource. */
export async function checkRelationRules(
  row: WrittenRow,
  sent: readonly Pick<SentLinkage, 'relation'>[],
  check: WriteCheck,
  incoming: IncomingValues,
): Promise<void> {
  for (const ability of abilitiesOf(sent)) await checkRules([row], ability, check, incoming)
}
