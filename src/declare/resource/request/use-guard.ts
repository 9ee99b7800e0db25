import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import { memoize } from '../../../core/util/memoize.js'
import { OperationContext, resultKey } from './memoize-in-request.js'
import type { RequestContext } from './request-context.js'

/**
 * Who may use a filter, a sort or an include path: the name of an ability of the type's policy that the caller decides,
 * or a function that returns true for the requests that may use it. For all other requests it does not exist.
 *
 * @example
 * ```ts
 * const staff: UseCondition = ({ caller }) => (caller as { admin: boolean } | null)?.admin === true
 * const filters = (f: FilterKit<'title' | 'margin'>) => ({ title: f.contains(), margin: f.range().usableIf(staff) })
 * ```
 */
export type UseCondition = string | ((context: RequestContext) => boolean)

/**
 * Returns the condition that a modifier was given. A missing condition must not permit the use:
 * `undefined` is a fault, while `null` means that a specification has no condition.
 */
export function givenCondition(condition: UseCondition): UseCondition {
  return condition ?? (undefined as unknown as UseCondition)
}

/** Decides whether a request may use a filter, a sort or an include path. It is evaluated before rows are read. */
export interface UseGuard {
  /** Evaluates the condition, once for each request. */
  allows(context: RequestContext): boolean
  /** Sets that result for a context without a caller, which is used to create a plan that several callers share. */
  assume(context: RequestContext, allowed: boolean): void
}

/** A filter, a sort or an include path that a guard may withhold from a request. */
export interface Guarded {
  readonly useGuard: UseGuard | null
}

/** Returns whether a request may use a filter, a sort or an include path. */
export function isUsable({ useGuard }: Guarded, context: RequestContext): boolean {
  return useGuard === null || useGuard.allows(context)
}

export function newUseGuard(decide: (context: RequestContext) => boolean): UseGuard {
  const key = resultKey<boolean>()
  return Object.freeze<UseGuard>({
    allows: (context) =>
      OperationContext.resultIn(context, key) ?? OperationContext.storeIn(context, key, decide(context)),
    assume(context, allowed) {
      OperationContext.storeIn(context, key, allowed)
    },
  })
}

type Predicate = (context: RequestContext) => unknown

/** Returns the guard of a function that permits the use. All keys that share a function share its guard. */
export const permittingGuard: (permits: Predicate) => UseGuard = memoize((permits) =>
  newUseGuard((context) => resultOf(permits, context) === true),
)

/** Returns the guard of a function that forbids the use: that of `cannotBeIncluded()`. */
export const forbiddingGuard: (forbids: Predicate) => UseGuard = memoize((forbids) =>
  newUseGuard((context) => !resultOf(forbids, context)),
)

/** The result of a function that throws: it does not permit the use, and it forbids it. */
const failed = Symbol('failed')

function resultOf(predicate: Predicate, context: RequestContext): unknown {
  try {
    const result = predicate(context)
    ignoreRejection(result)
    return result
  } catch {
    return failed
  }
}

/** Refuses the use to everybody. */
export const refusingGuard: UseGuard = newUseGuard(() => false)
