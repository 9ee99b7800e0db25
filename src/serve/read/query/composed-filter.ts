import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import { filterSpecOf } from '../../../declare/resource/relations/spec-shape.js'
import { keylessFaults } from '../../../declare/resource/compiled/filter-faults.js'
import { filterKit } from '../../../declare/resource/filters/filter-kit.js'
import type { ComposeFilter, FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/**
 * Calls the function of a composed filter and validates its result. `null` means no condition. Throws if the result is
 * invalid: to fail is safer than to ignore a condition.
 */
export function composedFilter(declared: ComposeFilter, value: unknown, context: RequestContext): FilterSpec | null {
  const compose = declared as (value: unknown, kit: unknown, context: RequestContext) => unknown
  const result = compose(value, filterKit(), context)
  ignoreRejection(result)
  if (result === null) return null
  const spec = filterSpecOf(result)
  if (spec === null) throw new Error("The function 'where' of a custom filter returned neither a filter nor null.")
  const [fault] = keylessFaults('where', spec)
  if (fault !== undefined) throw new Error(`The function 'where' of a custom filter is not valid: ${fault.problem}.`)
  return spec
}
