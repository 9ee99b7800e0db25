import { ignoreRejection } from '../../errors/ignore-rejection.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { filterKit } from '../../resource/filters/filter-kit.js'
import type { RequestContext } from '../../resource/request-context.js'
import { filterFaults } from './compile-queries.js'
import { filterSpecOf } from '../../resource/fields/spec-shape.js'

/**
 * Compiles a scope into a function that validates its result in each request. It throws if a scope returns an invalid
 * result: to fail is safer than to show all rows.
 */
export function compileScope(type: string, declared: unknown): CompiledType['scope'] {
  if (typeof declared !== 'function') return null
  const scope = declared as (context: RequestContext, kit: unknown) => unknown
  return (context) => {
    const result = scope(context, filterKit())
    ignoreRejection(result)
    if (result === null) return null
    const spec = filterSpecOf(result)
    if (spec === null) throw new Error(`The scope of '${type}' returned neither a filter nor null.`)
    const [fault] = filterFaults('scope', spec)
    if (fault !== undefined) throw new Error(`The scope of '${type}' is not valid: ${fault.problem}.`)
    return spec
  }
}
