import type { Finding } from '../compare/change.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { operationPairs } from '../compare/contract-rule.js'
import { deprecationFindings } from '../compare/deprecation-findings.js'
import { relationOf } from '../compare/relation-of.js'
import type { Contract, OperationContract } from '../model/contract.js'

/** Finds new and removed operations. Operations of a new or removed type or relation are not listed. */
export const operations: ContractRule = (sides) => {
  const { before, after } = sides
  const pairs = operationPairs(sides)
  const [old, newer] = [new Set(pairs.map((pair) => pair.before)), new Set(pairs.map((pair) => pair.after))]
  const removed = [...before.operations.values()].filter((each) => !old.has(each) && isExpected(each, after))
  const added = [...after.operations.values()].filter((each) => !newer.has(each) && isExpected(each, before))
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

/** Returns whether the other contract has the type and the relation of an operation. */
function isExpected({ owner, relation }: OperationContract, other: Contract): boolean {
  if (owner === null) return true
  return other.types.has(owner) && (relation === null || relationOf(other, owner, relation) !== null)
}

function finding(code: Finding['code'], operation: OperationContract, clause: string, contract: Contract): Finding {
  const { key, owner, deprecation } = operation
  const ofType = owner === null ? null : (contract.types.get(owner)?.deprecation ?? null)
  return {
    code,
    type: owner,
    member: null,
    operations: [key],
    sentence: `${key} ${clause}`,
    deprecation: deprecation ?? ofType,
  }
}

/** Compares the deprecations of operations, unless they come from the type. */
function changedDeprecations({ before, after }: OperationPair, sides: Sides): readonly Finding[] {
  const isInherited = isOfType(before, sides.before) && isOfType(after, sides.after)
  if (isInherited || before.relation !== null) return []
  const { deprecation: old } = before
  return deprecationFindings(old, after.deprecation, (code, clause) => finding(code, before, clause, sides.before))
}

/** Returns whether an operation has the deprecation of its type. */
function isOfType({ owner, deprecation }: OperationContract, { types }: Contract): boolean {
  const ofType = types.get(owner ?? '')?.deprecation ?? null
  return ofType?.sunset === deprecation?.sunset && (ofType === null) === (deprecation === null)
}
