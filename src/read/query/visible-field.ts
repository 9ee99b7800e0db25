import { ignoreRejection } from '../../errors/ignore-rejection.js'
import type { FieldSpec, RowPredicate } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'

/** What a request may know of a field; `byRow` where a predicate has to look at each row. */
export type Visibility = 'visible' | 'hidden' | 'byRow'

/** Asked before any row is read. A predicate that fails hides the field. */
export function visibilityOf({ hidden, writeOnly }: FieldSpec, context: RequestContext): Visibility {
  if (hidden === true || writeOnly === true) return 'hidden'
  if (typeof writeOnly === 'function' && hides(() => writeOnly(context))) return 'hidden'
  return typeof hidden === 'function' ? hidesRows(hidden, context) : 'visible'
}

/**
 * Whether a request may filter and sort by a field: whoever does not see it must not find it out by asking. So a predicate
 * that decides row by row hides the field.
 */
export function isVisible(spec: FieldSpec, context: RequestContext): boolean {
  return visibilityOf(spec, context) === 'visible'
}

function hidesRows(hidden: RowPredicate, context: RequestContext): Visibility {
  let looked = false
  // Whatever is done to the row asks its handler for a trap first.
  const noteLook: ProxyHandler<ProxyHandler<object>> = {
    get() {
      looked = true
      return undefined
    },
  }
  const row = new Proxy({}, new Proxy({}, noteLook))
  const hidesAll = hides(() => hidden(row, context))
  if (looked) return 'byRow'
  return hidesAll ? 'hidden' : 'visible'
}

function hides(predicate: () => unknown): boolean {
  try {
    const answer = predicate()
    ignoreRejection(answer)
    return Boolean(answer)
  } catch {
    return true
  }
}
