import type { Finding } from '../compare/change.js'
import type { ContractRule } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import { hasRelation } from '../compare/has-relation.js'
import type { Contract, OperationContract } from '../model/contract.js'

/** Compares which operations there are. Those of a type or a relation that is new or gone are not listed. */
export const operations: ContractRule = (sides) => {
  const { before, after } = sides
  const pairs = operationPairs(sides)
  const [old, recent] = [new Set(pairs.map((pair) => pair.before)), new Set(pairs.map((pair) => pair.after))]
  const removed = [...before.operations.values()].filter((each) => !old.has(each) && isExpected(each, after))
  const added = [...after.operations.values()].filter((each) => !recent.has(each) && isExpected(each, before))
  return [
    ...removed.map((each) => finding('operation-removed', each, 'is gone.', before)),
    ...added.map((each) => finding('operation-added', each, 'is new.', after)),
    ...pairs.flatMap((pair) => [
      ...(pair.before.key === pair.after.key
        ? []
        : [finding('operation-moved', pair.before, `is ${pair.after.key} now.`, before)]),
      ...(pair.before.id === pair.after.id
        ? []
        : [
            finding(
              'operation-id-changed',
              pair.before,
              `has the id ${idText(pair.after)} instead of ${idText(pair.before)}.`,
              before,
            ),
          ]),
      ...changedDeprecations(pair.before, pair.after, sides.before, sides.after),
    ]),
  ]
}

function idText({ id }: OperationContract): string {
  return id === null ? 'none' : `'${id}'`
}

/** Whether an operation could be there: the other contract has its type and its relation. */
function isExpected({ owner, relation }: OperationContract, other: Contract): boolean {
  if (owner === null) return true
  return other.types.has(owner) && (relation === null || hasRelation(other, owner, relation))
}

function finding(code: Finding['code'], operation: OperationContract, says: string, contract: Contract): Finding {
  const { key, owner, deprecation } = operation
  const ofType = owner === null ? null : (contract.types.get(owner)?.deprecation ?? null)
  return {
    code,
    type: owner,
    member: null,
    operations: [key],
    sentence: `${key} ${says}`,
    deprecation: deprecation ?? ofType,
  }
}

/** The deprecation of a type or a relation is listed there. */
function changedDeprecations(
  before: OperationContract,
  after: OperationContract,
  ...[old, recent]: readonly [Contract, Contract]
): readonly Finding[] {
  const isOfType = [old, recent].some(({ types }) => (types.get(before.owner ?? '')?.deprecation ?? null) !== null)
  if (isOfType || before.relation !== null) return []
  return deprecationFindings(before.deprecation, after.deprecation, (code, says) => finding(code, before, says, old))
}
