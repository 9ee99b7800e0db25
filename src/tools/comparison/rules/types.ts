import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { listDifference } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import type { Contract } from '../model/contract.js'

/** Compares the types of resources. The operations and members of a new or removed type are not listed. */
export const types: ContractRule = ({ before, after }) => {
  const { added, removed } = listDifference(before.types.keys(), after.types.keys())
  const finding = (code: Finding['code'], type: string, clause: string): Finding => ({
    code,
    type,
    member: null,
    operations: [],
    sentence: `The type '${type}' ${clause}`,
    deprecation: before.types.get(type)?.deprecation ?? null,
  })
  return [
    ...removed.map((type) => finding('type-removed', type, `is gone${servedText(before, type)}.`)),
    ...added.map((type) => finding('type-added', type, `is new${servedText(after, type)}.`)),
    ...[...before.types.values()].flatMap(({ name, deprecation }) => {
      const newer = after.types.get(name)
      if (newer === undefined) return []
      return deprecationFindings(deprecation, newer.deprecation, (code, clause) => finding(code, name, clause))
    }),
  ]
}

function servedText({ operations }: Contract, type: string): string {
  const { length } = [...operations.values()].filter(({ owner }) => owner === type)
  return length === 0 ? '' : `, with ${length} operation${length === 1 ? '' : 's'}`
}
