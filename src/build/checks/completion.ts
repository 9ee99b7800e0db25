import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/** What answers a fetch with 303 says where the client finds what was made, and with 200 until it is made. */
export const completion: BuildRule = eachType(({ type, given }): readonly TypeFault[] => {
  const asked = given['completionLocation'] ?? null
  if (asked !== null && typeof asked !== 'function') {
    const remedy = 'give a function of a row that answers a place, or null while the work goes on'
    return [{ member: 'completionLocation', problem: `is ${shown(asked)}`, remedy }]
  }
  const kinds = type.responses.fetchOne.map((response): unknown => response?.kind)
  const redirects = kinds.includes('seeOther')
  if (asked === null) {
    const remedy = "say it with 'completionLocation', or leave seeOther() out"
    return redirects
      ? [{ member: 'fetchOne', problem: 'answers with seeOther(), and nothing says to where', remedy }]
      : []
  }
  const remedy = 'declare fetchOne: [ok(), seeOther()]'
  if (!redirects) {
    return [{ member: 'completionLocation', problem: 'is never asked: fetchOne has no seeOther()', remedy }]
  }
  return kinds.includes('ok') ? [] : [{ member: 'fetchOne', problem: 'has no answer while the work goes on', remedy }]
})
