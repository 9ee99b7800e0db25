import type { ErrorCode } from '../../../core/errors/catalogue.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import type { Restriction, RowObject, RowPredicate } from '../../../declare/resource/fields/field-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { LinkageChange } from './linkage-change.js'
import { countsAsChange } from './linkage-change.js'

/**
 * Fails with 403 if a relation forbids a change: `cannotReplace`, `cannotAdd` or `cannotRemove`. A replacement that
 * changes nothing is allowed, unless the caller may not read the relation.
 *
 * @param row the stored row of the owner
 */
export function checkGates(changes: readonly LinkageChange[], row: RowObject, context: RequestContext): void {
  const problems = changes.flatMap((change): readonly Problem[] => {
    const gate = gateOf(change)
    if (gate === null || !applies(gate.restriction, row, context)) return []
    const source = { pointer: change.pointer }
    return [problem(gate.code, { relationship: change.relation.name }, { source })]
  })
  if (problems.length > 0) failAll(problems)
}

interface Gate {
  readonly code: Extract<ErrorCode, 'FULL_REPLACEMENT_PROHIBITED' | 'ADDITION_PROHIBITED' | 'REMOVAL_PROHIBITED'>
  readonly restriction: Restriction<RowPredicate>
}

/**
 * Returns the restriction that applies to a change; `null` if none does. Clearing a to-one relation removes its member.
 */
function gateOf(change: LinkageChange): Gate | null {
  const { relation, mode, sent } = change
  const { cannotReplace, cannotAdd, cannotRemove, traits } = relation.spec
  if (mode === 'add') return { code: 'ADDITION_PROHIBITED', restriction: cannotAdd }
  const clears = !traits.toMany && sent.length === 0
  if (mode === 'replace' && !countsAsChange(change)) return null
  if (mode === 'remove' || clears) return { code: 'REMOVAL_PROHIBITED', restriction: cannotRemove }
  return { code: 'FULL_REPLACEMENT_PROHIBITED', restriction: cannotReplace }
}

function applies(restriction: Restriction<RowPredicate>, row: RowObject, context: RequestContext): boolean {
  return typeof restriction === 'function' ? restriction(row, context) : restriction
}
