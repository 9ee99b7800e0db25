import type { Finding } from '../compare/change.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import { relationOf } from '../compare/relation-of.js'
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
      ...changedDeprecations(pair, sides),
    ]),
  ]
}

function idText({ id }: OperationContract): string {
  return id === null ? 'none' : `'${id}'`
}

/** Whether an operation could be there: the other contract has its type and its relation. */
function isExpected({ owner, relation }: OperationContract, other: Contract): boolean {
  if (owner === null) return true
  return other.types.has(owner) && (relation === null || relationOf(other, owner, relation) !== null)
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
function changedDeprecations({ before, after }: OperationPair, sides: Sides): readonly Finding[] {
  const isInherited = isOfType(before, sides.before) && isOfType(after, sides.after)
  if (isInherited || before.relation !== null) return []
  const { deprecation: old } = before
  return deprecationFindings(old, after.deprecation, (code, says) => finding(code, before, says, sides.before))
}

/** Whether an operation is deprecated as its type is. */
function isOfType({ owner, deprecation }: OperationContract, { types }: Contract): boolean {
  const ofType = types.get(owner ?? '')?.deprecation ?? null
  return ofType?.sunset === deprecation?.sunset && (ofType === null) === (deprecation === null)
}
