import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'

/** Compares what aggregates group by and compute: their fields do not show it. */
export const aggregates: ContractRule = (sides) =>
  operationPairs(sides).flatMap(({ before, after }): readonly Finding[] => {
    const [old, newer] = [before.aggregate, after.aggregate]
    if (old === null || newer === null) return []
    const finding = (code: Finding['code'], member: string | null, sentence: string): Finding => {
      return { code, type: before.owner, member, operations: [before.key], sentence }
    }
    const [groups, others] = [groupsText(old.groups), groupsText(newer.groups)]
    return [
      ...(groups === others
        ? []
        : [finding('groups-changed', null, `'${before.owner}' has groups by ${others} instead of ${groups}.`)]),
      ...[...old.measures].flatMap(([name, measure]) => {
        const now = newer.measures.get(name) ?? measure
        if (now === measure) return []
        return [
          finding(
            'measure-changed',
            `.${name}`,
            `The measure '${name}' of '${before.owner}' is ${now} instead of ${measure}.`,
          ),
        ]
      }),
    ]
  })

function groupsText(groups: ReadonlyMap<string, string>): string {
  return groups.size === 0 ? 'nothing' : [...groups.values()].toSorted().join(', ')
}
