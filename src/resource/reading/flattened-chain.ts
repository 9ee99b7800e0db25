import { invariant } from '../../util/invariant.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { CompiledAttribute, CompiledType } from '../compiled-type.js'

/** Where the value of a flattened attribute lies: in the row at the end of a chain of to-one relations. */
export interface FlattenedChain {
  readonly relations: readonly ServedRelation[]
  /** The type at the end. */
  readonly end: ServedType
  /** The column of its rows that holds the value. */
  readonly column: string
  /** The column that the value is added as to the rows that the chain starts from. */
  readonly valueColumn: string
}

/** Where the value of an attribute lies; `null` for one that is not flattened. */
export function flattenedChain(
  served: ServedType,
  { name, spec, valueColumn }: CompiledAttribute,
): FlattenedChain | null {
  if (spec.on === null || valueColumn === null) return null
  const relations: ServedRelation[] = []
  let end = served
  for (const hop of spec.on) {
    const relation = end.relations.get(hop)
    const [next] = relation?.related.values() ?? []
    invariant(relation !== undefined && next !== undefined, `'${served.type.type}.${name}' is flattened from nowhere`)
    relations.push(relation)
    end = next
  }
  return { relations, end, column: endColumn(end.type, spec.storedAs ?? name), valueColumn }
}

/** The chains of these attributes. Attributes that show the same value share one. */
export function flattenedChains(
  served: ServedType,
  attributes: readonly CompiledAttribute[],
): readonly FlattenedChain[] {
  const chains = attributes.flatMap((attribute) => flattenedChain(served, attribute) ?? [])
  return [...new Map(chains.map((chain) => [chain.valueColumn, chain])).values()]
}

/** A chain ends in an attribute, the id, or a column. */
export function endColumn({ attributeNamed, id }: CompiledType, name: string): string {
  return attributeNamed.get(name)?.column ?? (name === 'id' ? id.column : name)
}
