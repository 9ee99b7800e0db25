import { invariant } from '../../../core/util/invariant.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { CompiledAttribute, CompiledType } from '../compiled/compiled-type.js'

/** The chain of to-one relations to the row that holds the value of a flattened attribute. */
export interface FlattenedChain {
  readonly relations: readonly ServedRelation[]
  /** The type at the end of the chain. */
  readonly end: ServedType
  /** The column of that type's rows that holds the value. */
  readonly column: string
  /** The name of the column that is added to the rows at the start of the chain, with the value. */
  readonly valueColumn: string
}

/** Returns the chain of an attribute; `null` if it is not flattened. */
export function flattenedChain(
  served: ServedType,
  { name, spec, valueColumn }: CompiledAttribute,
): FlattenedChain | null {
  if (spec.on === null || valueColumn === null) return null
  const relations: ServedRelation[] = []
  let end = served
  for (const relationName of spec.on) {
    const relation = end.relations.get(relationName)
    const [next] = relation?.related.values() ?? []
    invariant(
      relation !== undefined && next !== undefined,
      `'${served.type.type}.${name}' has an unknown relation in 'on'`,
    )
    relations.push(relation)
    end = next
  }
  return { relations, end, column: endColumn(end.type, spec.storedAs ?? name), valueColumn }
}

/** Returns the chains of these attributes. Attributes with the same value share one chain. */
export function flattenedChainsOf(
  served: ServedType,
  attributes: readonly CompiledAttribute[],
): readonly FlattenedChain[] {
  const chains = attributes.flatMap((attribute) => flattenedChain(served, attribute) ?? [])
  return [...new Map(chains.map((chain) => [chain.valueColumn, chain])).values()]
}

/** Returns the column at the end of a chain, by the name of an attribute, the id, or a column. */
export function endColumn({ attributeNamed, id }: CompiledType, name: string): string {
  return attributeNamed.get(name)?.column ?? (name === 'id' ? id.column : name)
}
