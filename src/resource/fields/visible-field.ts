import { ignoreRejection } from '../../errors/ignore-rejection.js'
import type { FieldSpec, RowPredicate } from './field-spec.js'
import type { RequestContext } from '../request-context.js'

/** Whether a request may see a field; `byRow` if a predicate decides for each row. */
export type Visibility = 'visible' | 'hidden' | 'byRow'

/** Returns the visibility of a field before any row is read. A predicate that throws hides the field. */
export function visibilityOf({ hidden, writeOnly }: FieldSpec, context: RequestContext): Visibility {
  if (hidden === true || writeOnly === true) return 'hidden'
  if (typeof writeOnly === 'function' && hides(() => writeOnly(context))) return 'hidden'
  return hiddenness({ hidden }, context)
}

/** Returns whether `hidden(predicate)` hides a field, before any row is read. A client must not write what is hidden from it. */
export function hiddenness({ hidden }: Pick<FieldSpec, 'hidden'>, context: RequestContext): Visibility {
  if (typeof hidden === 'function') return visibilityByPredicate(hidden, context)
  return hidden ? 'hidden' : 'visible'
}

/**
 * Whether a request may filter and sort by a field. A client that cannot see a field must not infer its values from the
 * results, so a predicate that decides for each row hides the field here.
 */
export function isVisible(spec: FieldSpec, context: RequestContext): boolean {
  return visibilityOf(spec, context) === 'visible'
}

/** Calls the predicate with an empty row, and records whether it reads from the row. */
function visibilityByPredicate(hidden: RowPredicate, context: RequestContext): Visibility {
  let readsRow = false
  // Every operation on the row first gets a trap from the handler of its proxy.
  const recordAccess: ProxyHandler<ProxyHandler<object>> = {
    get() {
      readsRow = true
      return undefined
    },
  }
  const row = new Proxy({}, new Proxy({}, recordAccess))
  const hidesAll = hides(() => hidden(row, context))
  if (readsRow) return 'byRow'
  return hidesAll ? 'hidden' : 'visible'
}

function hides(predicate: () => unknown): boolean {
  try {
    const result = predicate()
    ignoreRejection(result)
    return Boolean(result)
  } catch {
    return true
  }
}
