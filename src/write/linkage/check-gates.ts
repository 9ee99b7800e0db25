import type { ErrorCode } from '../../errors/catalogue.js'
import type { Problem } from '../../errors/json-api-error.js'
import { failAll, problem } from '../../errors/json-api-error.js'
import type { Restriction, RowObject, RowPredicate } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { LinkageChange } from './linkage-change.js'
import { changesAnything } from './linkage-change.js'

/**
 * 403 where a relation bars what a request does to it. To replace is to change something: a body that repeats what is
 * stored passes.
 *
 * @param row the owner as it is stored
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

/** To clear a to-one relation is to remove its member. */
function gateOf(change: LinkageChange): Gate | null {
  const { relation, mode, sent } = change
  const { cannotReplace, cannotAdd, cannotRemove, traits } = relation.spec
  if (mode === 'add') return { code: 'ADDITION_PROHIBITED', restriction: cannotAdd }
  const clears = !traits.toMany && sent.length === 0
  if (mode === 'replace' && !changesAnything(change)) return null
  if (mode === 'remove' || clears) return { code: 'REMOVAL_PROHIBITED', restriction: cannotRemove }
  return { code: 'FULL_REPLACEMENT_PROHIBITED', restriction: cannotReplace }
}

function applies(restriction: Restriction<RowPredicate>, row: RowObject, context: RequestContext): boolean {
  return typeof restriction === 'function' ? restriction(row, context) : restriction
}
