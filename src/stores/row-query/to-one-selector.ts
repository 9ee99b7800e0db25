import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { isComposite, keyIn } from '../../declare/resource/parts/key-columns.js'
import type { RelationLink } from '../../declare/resource/compiled/relation-link.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import type { Candidate } from './query-context.js'
import { compareKeys } from './compare-keys.js'

/** Selects the row of a to-one relation: if several rows hold the key of the owner, the first by type and key. */
export function toOneSelector({ targets }: RelationLink): (candidates: readonly Candidate[]) => Candidate | undefined {
  const keyOf = candidateKeyReader(targets)
  const compare = (a: Candidate, b: Candidate): number => a.type - b.type || compareKeys(keyOf(a), keyOf(b))
  return (candidates) => (candidates.length > 1 ? candidates.toSorted(compare)[0] : candidates[0])
}

/** @param types the possible types of the rows; a candidate has the index of its type */
export function candidateKeyReader(types: readonly CompiledType[]): (candidate: Candidate) => unknown {
  const columns = types.map(referenceColumn)
  if (columns.some(isComposite)) return ({ row, type }) => keyIn(row, columns[type] ?? 'id')
  return ({ row, type }) => row[columns[type] ?? 'id']
}
