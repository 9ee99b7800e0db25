import type { CompiledRelation, CompiledType } from './compiled-type.js'
import { foreignColumns } from './foreign-columns.js'

/**
 * Sets `foreignColumns` on every relation whose key is in the owner's row and is not named by the declaration: the
 * columns that may be its foreign key. The targets of foreign keys are known only after all types are compiled.
 */
export function addForeignColumns(types: readonly CompiledType[]): readonly CompiledType[] {
  // A type has the same model in all of its declarations.
  const typeNamed = new Map(types.map((type) => [type.type, type]))
  return types.map((type) => {
    if (type.model?.foreignKeys === undefined) return type
    const relations = type.relations.map((relation) => withForeignColumns(relation, type, typeNamed))
    return Object.freeze<CompiledType>({
      ...type,
      relations: Object.freeze(relations),
      relationNamed: new Map(relations.map((relation) => [relation.name, relation])),
      relationAtSegment: new Map(relations.map((relation) => [relation.uriName, relation])),
    })
  })
}

function withForeignColumns(
  relation: CompiledRelation,
  owner: CompiledType,
  typeNamed: ReadonlyMap<string, CompiledType>,
): CompiledRelation {
  const { traits, key, storedAs, targets } = relation.spec
  const [target] = targets
  // A relation with `storedAs()` names where it is stored.
  if (!traits.ownerSide || traits.polymorphic || key !== null || storedAs !== null || target === undefined) {
    return relation
  }
  const related = typeNamed.get(target)
  if (related === undefined) return relation
  return Object.freeze({ ...relation, foreignColumns: Object.freeze(foreignColumns(owner.model, related)) })
}
