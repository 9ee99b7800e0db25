import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference, operationPairs } from '../compare/contract-rule.js'
import { relationOf } from '../compare/relation-of.js'
import type { Contract } from '../model/contract.js'
import { placeOfQuery } from '../compare/query-place.js'

/** Compares the values of `withCount`. New and removed relations are not listed. */
export const counts: ContractRule = (sides) =>
  operationPairs(sides).flatMap((pair) => {
    const { subject } = pair.before
    const { added, removed } = listDifference(pair.before.query.counts, pair.after.query.counts)
    const finding = (code: Finding['code'], name: string, clause: string): Finding => {
      const { place, of } = placeOfQuery(pair.before, `?withCount=${name}`)
      const deprecation = subject === null ? null : (relationOf(sides.before, subject, name)?.deprecation ?? null)
      return { ...place, code, sentence: `'${name}'${of} ${clause} be counted by withCount.`, deprecation }
    }
    const isIn = (contract: Contract, name: string): boolean =>
      name === '_self_' || subject === null || relationOf(contract, subject, name) !== null
    return [
      ...removed
        .filter((name) => isIn(sides.after, name))
        .map((name) => finding('count-removed', name, 'can no longer')),
      ...added.filter((name) => isIn(sides.before, name)).map((name) => finding('count-added', name, 'can')),
    ]
  })
