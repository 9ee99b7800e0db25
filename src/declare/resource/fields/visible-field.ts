import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import type { FieldGuard, Visibility } from './field-guard.js'
import type { FieldSpec, RowPredicate } from './field-spec.js'
import type { RequestContext } from '../request/request-context.js'

/** Returns the visibility of a field before any row is read. A predicate that throws hides the field. */
export function visibilityOf(spec: FieldSpec, context: RequestContext): Visibility {
  return both(addressability(spec, context), throughGuard(spec.readGuard, context))
}

/** Like `visibilityOf()`, but `security({ read })` of a relation does not count: its endpoints respond with 401 or 403. */
export function addressability(spec: FieldSpec, context: RequestContext): Visibility {
  const { writeOnly } = spec
  if (spec.hidden === true || writeOnly === true) return 'hidden'
  if (typeof writeOnly === 'function' && hides(() => writeOnly(context))) return 'hidden'
  return hiddenness(spec, context)
}

/**
 * Returns whether `hidden(predicate)` or `visibleIf()` hides a field, before any row is read. A client must not write a
 * field that is hidden from it.
 */
export function hiddenness(
  { hidden, guard }: Pick<FieldSpec, 'hidden' | 'guard'>,
  context: RequestContext,
): Visibility {
  if (hidden === true) return 'hidden'
  const byPredicate = typeof hidden === 'function' ? visibilityByPredicate(hidden, context) : 'visible'
  return both(byPredicate, throughGuard(guard, context))
}

function throughGuard(guard: FieldGuard | null, context: RequestContext): Visibility {
  return guard === null ? 'visible' : guard.visibilityIn(context)
}

function both(one: Visibility, other: Visibility): Visibility {
  if (one === 'hidden' || other === 'visible') return one
  return other
}

/**
 * Returns whether a request may filter and sort by a field. A client that cannot see a field must not infer its values from the
 * results, so a predicate that decides for each row hides the field here.
 */
export function isVisible(spec: FieldSpec, context: RequestContext): boolean {
  return visibilityOf(spec, context) === 'visible'
}

/**
 * Returns whether a request may filter through a relation. Where `security({ read })` decides for each row, the filter tests it: a row
 * that hides the relation has no related row for it.
 */
export function isFollowable(spec: FieldSpec, context: RequestContext): boolean {
  return addressability(spec, context) === 'visible' && throughGuard(spec.readGuard, context) !== 'hidden'
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
