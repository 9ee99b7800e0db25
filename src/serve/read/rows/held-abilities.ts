import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import { RowCheck } from '../../../declare/resource/policy/rule-kit.js'
import { certainlyFails, certainlyMeets } from '../../../stores/row-query/condition-analysis.js'
import { permissionIn } from '../query/permission.js'
import { ruleCondition } from '../query/scope-conditions.js'
import type { ReadContext } from '../read-context.js'
import { meetsConditions, rowsMeeting } from './rows-meeting.js'

type Request = Pick<ReadContext, 'context' | 'open'>

/**
 * Returns for each row whether the caller has an ability for it. The columns of the row decide if they are sufficient. If
 * not, such as for a rule about related rows, one read checks all remaining rows in the store.
 */
export async function holdAbility(
  served: ServedType,
  ability: string,
  rows: readonly RowObject[],
  request: Request,
): Promise<readonly boolean[]> {
  const { context } = request
  const permission = permissionIn(served, ability, context)
  if (typeof permission === 'boolean') return rows.map(() => permission)
  if (!(permission instanceof RowCheck)) return meetRule(served, permission, rows, request)
  return Promise.all(
    rows.map(async (row) => {
      // Anything but true denies: a function in JavaScript may return anything.
      const result: unknown = await permission.check({ row: row as never, incoming: null }, context)
      return result === true
    }),
  )
}

async function meetRule(
  served: ServedType,
  rule: RowRule,
  rows: readonly RowObject[],
  request: Request,
): Promise<readonly boolean[]> {
  const condition = ruleCondition(served, rule, request.context)
  const met = new Set(rows.filter((row) => certainlyMeets(condition, row)))
  const uncertain = rows.filter((row) => !met.has(row) && !certainlyFails(condition, row))
  if (uncertain.length > 0) {
    const keys = uncertain.map((row) => keyIn(row, served.type.id.column))
    const isMet =
      served.provider === null
        ? await Promise.all(uncertain.map((row) => meetsConditions(served, row, [condition], request.context)))
        : await rowsMeeting(served, keys, [condition], request)
    for (const [index, row] of uncertain.entries()) if (isMet[index] === true) met.add(row)
  }
  return rows.map((row) => met.has(row))
}

interface FlaggedRequest extends Request {
  /** The flags that were read with the row, by name. */
  readonly flags: ReadonlyMap<string, boolean>
}

/** Returns a row with the flags of guards: whether the caller has their abilities for it. */
export async function withGuardFlags(
  served: ServedType,
  row: RowObject,
  guards: readonly FieldGuard[],
  { flags, ...request }: FlaggedRequest,
): Promise<RowObject> {
  if (guards.length === 0) return row
  const held = await Promise.all(
    guards.map(async ({ flag, ability }): Promise<readonly [string, boolean]> => {
      const isHeld = flags.get(flag) ?? (await holdAbility(served, ability, [row], request))[0] === true
      return [flag, isHeld]
    }),
  )
  return { ...row, ...Object.fromEntries(held) }
}
