import type { ChangeCode } from '../kinds/change-kinds.js'
import type { Finding } from './change.js'
import type { Contract, OperationContract } from '../model/contract.js'

/** The contracts that are compared. */
export interface Sides {
  readonly before: Contract
  readonly after: Contract
}

/** Returns the differences of one subject. Each rule has its own file; `contract-rules.ts` lists them all. */
export type ContractRule = (sides: Sides) => readonly Finding[]

/** An operation before and after. */
export interface OperationPair {
  readonly before: OperationContract
  readonly after: OperationContract
}

/** Returns the operations of both contracts. An operation with another path is found by its id. */
export function operationPairs({ before, after }: Sides): readonly OperationPair[] {
  const added = [...after.operations.values()].filter(({ key }) => !before.operations.has(key))
  return [...before.operations.values()].flatMap((old) => {
    const newer = after.operations.get(old.key) ?? added.find(({ id }) => id !== null && id === old.id)
    return newer === undefined ? [] : [{ before: old, after: newer }]
  })
}

/** Creates a finding with a sentence. */
export type AddFinding = (code: ChangeCode, sentence: string) => Finding

/** Creates a finding about the whole service. */
export const serviceFinding: AddFinding = (code, sentence) => {
  return { code, type: null, member: null, operations: [], sentence }
}

/** Returns a rule that compares each operation, and creates findings about it. */
export function eachOperation(
  compare: (pair: OperationPair, finding: AddFinding, sides: Sides) => readonly Finding[],
): ContractRule {
  return (sides) =>
    operationPairs(sides).flatMap((pair) => {
      const { owner: type, key } = pair.before
      const finding: AddFinding = (code, sentence) => ({ code, type, member: null, operations: [key], sentence })
      return compare(pair, finding, sides)
    })
}

/** Returns a list with a finding if it applies, else an empty one. */
export function when<T>(applies: boolean, finding: T): readonly T[] {
  return applies ? [finding] : []
}

/** The difference between two lists. */
export interface ListDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export function listDifference(before: Iterable<string>, after: Iterable<string>): ListDifference {
  const [old, newer] = [new Set(before), new Set(after)]
  return {
    added: [...newer].filter((item) => !old.has(item)),
    removed: [...old].filter((item) => !newer.has(item)),
  }
}

/** Returns names in quotes, with commas and `and`. */
export function quotedNames(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} and ${last}`
}
