import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { AttributeSpec, ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { FilterSpecs } from '../../resource/filters/filter-spec.js'
import type { SortSpec, SortSpecs } from '../../resource/sorts/sort-spec.js'
import { invariant } from '../../util/invariant.js'

/** What `filter` and `sort` may say at an endpoint. */
export interface QueryVocabulary {
  /** The type whose rows are asked. */
  readonly served: ServedType
  readonly filters: FilterSpecs
  readonly sorts: SortSpecs
  /** What is sorted by without a `sort`. */
  readonly defaultSort: DefaultSort
  /** The relation that leads to the rows, whose join rows may have fields of their own; `null` for a collection. */
  readonly relation: ServedRelation | null
}

interface DefaultSort {
  readonly keys: readonly string[]
  /** What the keys stand for: a relation may give keys of the type another meaning, but not in the type's own order. */
  readonly sorts: SortSpecs
}

/** The rows that a query is about. */
export type QueriedRows = Pick<QueryVocabulary, 'served' | 'relation'>

/** What stands before the name of a field of join rows. */
export const pivotPrefix = 'pivot.'

/** Of the collection of a type. */
export function primaryVocabulary(served: ServedType): QueryVocabulary {
  const { filters, sorts, defaultSort } = served.type
  return { served, filters, sorts, defaultSort: { keys: defaultSort, sorts }, relation: null }
}

/**
 * Of a relation to one type: that type's own words, with those of the relation laid over them. Each field of the join
 * rows is a sort as well, unless somebody else has its name.
 */
export function relatedVocabulary(relation: ServedRelation): QueryVocabulary {
  const [served, ...others] = relation.related.values()
  invariant(served !== undefined && others.length === 0, `'${relation.name}' does not lead to one type`)
  const { filters, sorts, defaultSort } = served.type
  const { spec } = relation
  const allSorts = { ...pivotSorts(spec.pivot), ...sorts, ...spec.sorts }
  return {
    served,
    filters: { ...filters, ...spec.filters },
    sorts: allSorts,
    defaultSort: spec.defaultSort === null ? { keys: defaultSort, sorts } : { keys: spec.defaultSort, sorts: allSorts },
    relation,
  }
}

function pivotSorts(pivot: ChildSpecs): SortSpecs {
  const stored = Object.entries(pivot).filter(([name, spec]) => pivotColumn(name, spec) !== null)
  return Object.fromEntries(
    stored.map(([name]): [string, SortSpec] => [name, { kind: 'field', column: `${pivotPrefix}${name}` }]),
  )
}

/** The column of a field of join rows; `null` for what has none. */
export function pivotColumn(name: string, spec: AttributeSpec): string | null {
  return spec.computed || spec.kind.children === 'columns' ? null : (spec.storedAs ?? name)
}
