import { failAll, problem } from '../../errors/json-api-error.js'
import type { SentLinkage } from './sent-linkage.js'

/** 409 for every identifier of a type that its relation does not lead to. */
export function checkTypes(linkages: readonly SentLinkage[], limit: number): void {
  const problems = linkages.flatMap(({ relation, members }) => {
    const accepted = [...relation.related.keys()].join(', ')
    return members
      .filter(({ type }) => !relation.related.has(type))
      .map(({ type, pointer }) => {
        const source = { pointer: `${pointer}/type` }
        return problem('RESOURCE_TYPE_UNACCEPTABLE', { type, accepted }, { source })
      })
  })
  if (problems.length > 0) failAll(problems.slice(0, limit))
}
