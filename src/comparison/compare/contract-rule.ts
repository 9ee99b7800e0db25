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

/** Returns the operations that both contracts have. One with another path is found by its id. */
export function operationPairs({ before, after }: Sides): readonly OperationPair[] {
  const added = [...after.operations.values()].filter(({ key }) => !before.operations.has(key))
  return [...before.operations.values()].flatMap((old) => {
    const recent = after.operations.get(old.key) ?? added.find(({ id }) => id !== null && id === old.id)
    return recent === undefined ? [] : [{ before: old, after: recent }]
  })
}

/** A pair of lists: what one has and the other has not. */
export interface ListDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export function listDifference(before: Iterable<string>, after: Iterable<string>): ListDifference {
  const [old, recent] = [new Set(before), new Set(after)]
  return {
    added: [...recent].filter((item) => !old.has(item)),
    removed: [...old].filter((item) => !recent.has(item)),
  }
}

/** Returns names in quotes, with commas and `and`. */
export function quotedNames(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} and ${last}`
}
