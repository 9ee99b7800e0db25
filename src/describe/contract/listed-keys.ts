import type { FilterContract, RelationContract, SortContract, TypeContract } from './contract.js'

/** The filters and sorts of a list of resources. */
export type ListKeys = Pick<TypeContract, 'filters' | 'sorts' | 'defaultSort' | 'page'>

/** Returns the filters and sorts of the related resources of a relation to one type: those of the type, overridden by those of the relation. */
export function keysOfMembers(relation: RelationContract, related: TypeContract): ListKeys {
  return {
    filters: { ...related.filters, ...relation.filters },
    sorts: { ...relation.pivotSorts, ...related.sorts, ...relation.sorts },
    defaultSort: relation.defaultSort ?? related.defaultSort,
    page: relation.page,
  }
}

/** Returns whether the relationship endpoint can filter, sort and paginate the linkage: not that of several types, or with fields of join rows. */
export function hasLinkagePages({ toMany, polymorphic, pivot }: RelationContract): boolean {
  return toMany && !polymorphic && pivot === null
}

/** Returns the filters that some request may use. */
export function offeredFilters({ filters }: ListKeys): readonly (readonly [key: string, filter: FilterContract])[] {
  return Object.entries(filters).filter(([, { isServed }]) => isServed)
}

/** Returns the sorts that some request may use. A cursor cannot contain the position of a row in a custom order. */
export function offeredSorts({ sorts, page }: ListKeys): readonly (readonly [key: string, sort: SortContract])[] {
  const hasOtherPages = page === null || page.choices.some(({ strategy }) => strategy !== 'cursor')
  return Object.entries(sorts).filter(([, { isServed, isCustom }]) => isServed && (!isCustom || hasOtherPages))
}
