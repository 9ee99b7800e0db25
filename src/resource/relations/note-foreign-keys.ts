import type { CompiledRelation, CompiledType } from '../compiled-type.js'
import { foreignColumns } from './foreign-columns.js'

/**
 * Notes on every relation whose key is in its own row, and not named, the foreign keys that may be it. What a foreign key
 * points at is known only once all types are.
 */
export function noteForeignKeys(types: readonly CompiledType[]): readonly CompiledType[] {
  // One type has one model, wherever it is declared.
  const named = new Map(types.map((type) => [type.type, type]))
  return types.map((type) => {
    if (type.model?.foreignKeys === undefined) return type
    const relations = type.relations.map((relation) => noted(relation, type, named))
    return Object.freeze<CompiledType>({
      ...type,
      relations: Object.freeze(relations),
      relationNamed: new Map(relations.map((relation) => [relation.name, relation])),
      relationAtSegment: new Map(relations.map((relation) => [relation.uriName, relation])),
    })
  })
}

function noted(
  relation: CompiledRelation,
  owner: CompiledType,
  named: ReadonlyMap<string, CompiledType>,
): CompiledRelation {
  const { traits, key, storedAs, targets } = relation.spec
  const [target] = targets
  // What is `storedAs()` something has its place named.
  if (!traits.ownerSide || traits.polymorphic || key !== null || storedAs !== null || target === undefined) {
    return relation
  }
  const related = named.get(target)
  if (related === undefined) return relation
  return Object.freeze({ ...relation, foreignColumns: Object.freeze(foreignColumns(owner.model, related)) })
}
