import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { serviceFinding } from '../compare/contract-rule.js'

/** Compares the limits of the server. A document of an earlier version may have none. */
export const limits: ContractRule = ({ before, after }) =>
  [...before.limits].flatMap(([name, old]): readonly Finding[] => {
    const newer = after.limits.get(name)
    if (newer === undefined || newer === old) return []
    const code = newer < old ? 'limit-lowered' : 'limit-raised'
    const sentence = `The limit '${name}' is ${newer} instead of ${old}.`
    return [{ ...serviceFinding(code, sentence), member: `limits.${name}` }]
  })
