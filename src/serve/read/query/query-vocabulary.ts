import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { AttributeSpec, ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import type { SortSpec, SortSpecs } from '../../../declare/resource/sorts/sort-spec.js'
import { sortBy } from '../../../declare/resource/sorts/sort-spec.js'
import { invariant } from '../../../core/util/invariant.js'

/** The filters and sorts that an endpoint accepts. */
export interface QueryVocabulary {
  /** The type of the queried rows, which filters test. */
  readonly served: ServedType
  /** The type of the listed rows, which sorts order: the groups of an aggregate, or else the queried rows. */
  readonly listed: ServedType
  readonly filters: FilterSpecs
  readonly sorts: SortSpecs
  /** The sort of a request without a `sort` parameter. */
  readonly defaultSort: DefaultSort
  /** The relation whose members are queried, and whose join rows may have fields; `null` for a collection. */
  readonly relation: ServedRelation | null
}

interface DefaultSort {
  readonly keys: readonly string[]
  /** The sorts that the keys name. A relation may redefine sorts of the type, but not for the type's default sort. */
  readonly sorts: SortSpecs
}

/** The rows that a query reads. */
export type QueriedRows = Pick<QueryVocabulary, 'served' | 'relation'>

/** The prefix of the names of join row fields. */
export const pivotPrefix = 'pivot.'

/** Returns the vocabulary of the collection of a type. */
export function primaryVocabulary(served: ServedType): QueryVocabulary {
  const { filters, sorts, defaultSort } = served.type
  const { source } = served
  return {
    served: source ?? served,
    listed: served,
    filters,
    sorts,
    defaultSort: { keys: defaultSort, sorts },
    relation: null,
  }
}

/**
 * Returns the vocabulary of a relation to one type: the filters and sorts of that type, overridden by those of the
 * relation. Each field of the join rows is a sort too, unless another sort has its name.
 */
export function relatedVocabulary(relation: ServedRelation): QueryVocabulary {
  const [served, ...others] = relation.related.values()
  invariant(served !== undefined && others.length === 0, `'${relation.name}' is not a relation to one type`)
  const { filters, sorts, defaultSort } = served.type
  const { spec } = relation
  const allSorts = { ...pivotSorts(spec.pivot), ...sorts, ...spec.sorts }
  return {
    served,
    listed: served,
    filters: { ...filters, ...spec.filters },
    sorts: allSorts,
    defaultSort: spec.defaultSort === null ? { keys: defaultSort, sorts } : { keys: spec.defaultSort, sorts: allSorts },
    relation,
  }
}

/** Returns each field of the join rows that a column holds as a sort. */
export function pivotSorts(pivot: ChildSpecs): SortSpecs {
  const stored = Object.entries(pivot).filter(([name, spec]) => pivotColumn(name, spec) !== null)
  return Object.fromEntries(
    stored.map(([name, { deprecation }]): [string, SortSpec] => [
      name,
      { ...sortBy({ kind: 'field', column: `${pivotPrefix}${name}` }), deprecation },
    ]),
  )
}

/** Returns the column of a join row field; `null` if it has none. */
export function pivotColumn(name: string, spec: AttributeSpec): string | null {
  return spec.computed || spec.kind.children === 'columns' ? null : (spec.storedAs ?? name)
}
