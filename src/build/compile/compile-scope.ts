import { ignoreRejection } from '../../errors/ignore-rejection.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { filterKit } from '../../resource/filters/filter-kit.js'
import type { RequestContext } from '../../resource/request-context.js'
import { filterFaults } from './query-vocabulary.js'
import { filterSpecOf } from '../../resource/fields/spec-shape.js'

/**
 * Reads what a scope answers in a request. A scope that answers something else than it should hides the rows from
 * everybody, by throwing: that is better than showing all of them.
 */
export function compileScope(type: string, given: unknown): CompiledType['scope'] {
  if (typeof given !== 'function') return null
  const declare = given as (context: RequestContext, kit: unknown) => unknown
  return (context) => {
    const answer = declare(context, filterKit())
    ignoreRejection(answer)
    if (answer === null) return null
    const spec = filterSpecOf(answer)
    if (spec === null) throw new Error(`The scope of '${type}' answered neither a filter nor null.`)
    const [fault] = filterFaults('scope', spec)
    if (fault !== undefined) throw new Error(`The scope of '${type}' cannot be asked: ${fault.problem}.`)
    return spec
  }
}
