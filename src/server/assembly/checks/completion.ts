import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that a type whose fetches respond with 303 declares where the client finds the result, and responds with 200
 * until there is a result.
 */
export const completion: BuildRule = eachType(({ type, rawMembers: given }): readonly TypeFault[] => {
  const location = given['completionLocation'] ?? null
  if (location !== null && typeof location !== 'function') {
    const remedy = 'give a function that takes a row and returns a location, or null while the work is in progress'
    return [{ member: 'completionLocation', problem: `is ${describeValue(location)}`, remedy }]
  }
  const kinds = type.responses.fetchOne.map((response): unknown => response?.kind)
  const redirects = kinds.includes('seeOther')
  if (location === null) {
    const remedy = "declare 'completionLocation', or leave seeOther() out"
    return redirects
      ? [{ member: 'fetchOne', problem: 'responds with seeOther(), but declares no location for it', remedy }]
      : []
  }
  const remedy = 'declare fetchOne: [ok(), seeOther()]'
  if (!redirects) {
    return [{ member: 'completionLocation', problem: 'is never called: fetchOne has no seeOther()', remedy }]
  }
  return kinds.includes('ok')
    ? []
    : [{ member: 'fetchOne', problem: 'has no response while the work is in progress', remedy }]
})
