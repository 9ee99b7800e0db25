import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'

/** Compares the descriptions of the service and of its operations. Descriptions of members are compared with the members. */
export const texts: ContractRule = (sides) => {
  const { before, after } = sides
  return [
    ...(before.text === after.text ? [] : [finding(null, [], 'The service is described in other words.')]),
    ...operationPairs(sides).flatMap((pair) =>
      pair.before.text === pair.after.text
        ? []
        : [finding(pair.before.owner, [pair.before.key], 'The operation is described in other words.')],
    ),
  ]
}

function finding(type: string | null, operations: readonly string[], sentence: string): Finding {
  return { code: 'text-changed', type, member: null, operations, sentence }
}
