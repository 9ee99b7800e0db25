import type { Problem } from '../../errors/json-api-error.js'
import { failAll, problem } from '../../errors/json-api-error.js'
import type { SentLinkage } from './sent-linkage.js'

/** Fails with 409 for every identifier whose type the relation does not accept. */
export function checkTypes(linkages: readonly SentLinkage[], limit: number): void {
  const problems: Problem[] = []
  for (const { relation, members } of linkages) {
    for (const { type, pointer } of members) {
      if (relation.related.has(type)) continue
      const accepted = [...relation.related.keys()].join(', ')
      const source = { pointer: `${pointer}/type` }
      problems.push(problem('RESOURCE_TYPE_UNACCEPTABLE', { type, accepted }, { source }))
    }
  }
  if (problems.length > 0) failAll(problems.slice(0, limit))
}
