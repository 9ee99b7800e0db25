import type { CompiledType } from '../resource/compiled-type.js'
import type { RelationLink } from '../resource/relations/relation-link.js'
import { referenceColumn } from '../resource/relations/relation-link.js'
import type { Candidate } from './query-world.js'
import { comparableOf, compareInOrder } from './stored-value.js'

/** The row of a to-one relation; where several claim to be it, the one that comes first by type and key. */
export function relatedOne({ targets }: RelationLink): (claiming: readonly Candidate[]) => Candidate | undefined {
  const keyOf = keyReader(targets)
  const comparable = comparableOf(null)
  const compare = (a: Candidate, b: Candidate): number =>
    a.type - b.type || compareInOrder(comparable(keyOf(a)), comparable(keyOf(b)))
  return (claiming) => (claiming.length > 1 ? claiming.toSorted(compare)[0] : claiming[0])
}

/** @param types what the rows may be of; candidates name theirs by its position */
export function keyReader(types: readonly CompiledType[]): (candidate: Candidate) => unknown {
  const columns = types.map(referenceColumn)
  return ({ row, type }) => row[columns[type] ?? 'id']
}
