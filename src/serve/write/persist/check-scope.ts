import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import { deny } from '../../read/query/permission.js'
import { scopeConditions, scopeIn } from '../../read/query/scope-conditions.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { certainlyMeets, looksAtModel } from '../../../stores/row-query/condition-analysis.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import { byType, rowsOutside } from './rows-outside.js'

/*
 * A write must not leave behind a row that the scope of its type hides from the caller, like the `with check option` of SQL views.
 */

/** Fails with 403 for each row that is outside the scope of its type after the write. The error rolls everything back. */
export async function checkScopes(written: readonly WrittenRow[], check: WriteCheck): Promise<void> {
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
  const [first] = hidden.flat()
  if (first !== undefined && first.served.type.policy !== null && check.context.caller === null) {
    deny(first.served, 'view', check.context)
  }
  const problems = hidden.flat().map(outOfScope)
  if (problems.length > 0) failAll(problems.slice(0, check.limit))
}

/** Whether rows of a type may be visible or not because of the rows that refer to them. */
export function looksAtReferring(target: ServedType, referring: ServedType, context: RequestContext): boolean {
  const scope = scopeIn(target, context)
  return scope !== null && looksAtModel(scope, referring, context)
}

export function outOfScope({ served: { type }, pointer }: Pick<WrittenRow, 'served' | 'pointer'>): Problem {
  return problem('RESOURCE_OUT_OF_SCOPE', { type: type.type }, pointer === null ? {} : { source: { pointer } })
}
