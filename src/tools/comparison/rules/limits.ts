import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { operationPairs, serviceFinding } from '../compare/contract-rule.js'

/** Compares the limits of the server, and of exports. A document of an earlier version may have none. */
export const limits: ContractRule = (sides) => [
  ...[...sides.before.limits].flatMap(([name, old]): readonly Finding[] => {
    const newer = sides.after.limits.get(name) ?? old
    const sentence = `The limit '${name}' is ${newer} instead of ${old}.`
    return newer === old ? [] : [{ ...serviceFinding(codeOf(old, newer), sentence), member: `limits.${name}` }]
  }),
  ...operationPairs(sides).flatMap(({ before, after }): readonly Finding[] => {
    const { owner: type, key, exportRows: old } = before
    const { exportRows: newer } = after
    if (old === null || newer === null || newer === old) return []
    const sentence = `An export of '${type}' has at most ${newer} rows instead of ${old}.`
    return [{ code: codeOf(old, newer), type, member: null, operations: [key], sentence }]
  }),
]

function codeOf(old: number, newer: number): 'limit-lowered' | 'limit-raised' {
  return newer < old ? 'limit-lowered' : 'limit-raised'
}
