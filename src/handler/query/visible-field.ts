import { ignoreRejection } from '../../errors/ignore-rejection.js'
import type { FieldSpec, RowPredicate } from '../../resource/fields/field-spec.js'
import type { RequestContext } from '../../resource/request-context.js'

/**
 * Whether a request may filter and sort by a field: whoever does not see it must not find it out by asking. No row is
 * read yet, so a predicate that decides row by row hides the field, and so does one that fails.
 */
export function isVisible({ hidden, writeOnly }: FieldSpec, context: RequestContext): boolean {
  if (hidden === true || writeOnly === true) return false
  if (typeof writeOnly === 'function' && hides(() => writeOnly(context))) return false
  return typeof hidden !== 'function' || !hidesSomeRow(hidden, context)
}

function hidesSomeRow(hidden: RowPredicate, context: RequestContext): boolean {
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
  return hidesAll || looked
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
