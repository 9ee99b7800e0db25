import type { ColumnTarget } from '../../serve/read/query/column-target.js'
import { isQueryable, targetByName, targetByPath } from '../../serve/read/query/column-target.js'
import type { KeyedFilter } from '../../serve/read/query/condition-of-filter.js'
import { filterTarget } from '../../serve/read/query/condition-of-filter.js'
import type { QueriedRows, QueryVocabulary } from '../../serve/read/query/query-vocabulary.js'
import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { FilterSpecs } from '../../declare/resource/filters/filter-spec.js'
import { isShown } from './shown-fields.js'
import { choicesOf } from '../../declare/pagination/choose-paginator.js'

/** Returns the filters that some request may use: their targets exist on this server, and some caller may see them. */
export function offeredFilters({ filters, ...rows }: QueryVocabulary): FilterSpecs {
  const offered = Object.entries(filters).filter(([key, spec]) => isOfferedFilter({ key, spec }, rows))
  return Object.fromEntries(offered)
}

function isOfferedFilter(filter: KeyedFilter, rows: QueriedRows): boolean {
  const { key, spec } = filter
  const { test } = spec
  switch (test.kind) {
    case 'has': {
      const relation = rows.served.relations.get(test.relation ?? key)
      return relation !== undefined && isQueryable(relation) && isShown(relation.spec)
    }
    case 'all':
    case 'any':
      return Object.entries(test.filters).every(([inner, each]) => isOfferedFilter({ key: inner, spec: each }, rows))
    case 'search':
      return test.fields.every(({ name }) => isEverShown(targetByName(name, rows)))
    case 'custom':
    case 'composed':
    case 'trashed':
      return true
    default:
      return isEverShown(filterTarget(filter, rows))
  }
}

/** Returns the sort keys that some request may use. A cursor cannot contain the position of a row in a custom order. */
export function offeredSorts(vocabulary: QueryVocabulary, paginator: AnyPaginator | null): readonly string[] {
  const hasOtherPages = paginator === null || choicesOf(paginator).some(({ strategy }) => strategy !== 'cursor')
  const offered = Object.entries(vocabulary.sorts).filter(([key, spec]) => {
    switch (spec.kind) {
      case 'field':
        return isEverShown(targetByName(spec.column ?? key, vocabulary))
      case 'through':
        return isEverShown(targetByPath(spec.path ?? key, vocabulary.served))
      case 'relevance':
        return offeredFilters(vocabulary)[spec.filter]?.test.kind === 'search'
      case 'custom':
        return hasOtherPages
    }
  })
  return offered.map(([key]) => key)
}

/** Whether some request may see a column. */
function isEverShown(target: ColumnTarget | null): boolean {
  if (target === null || !target.followed.every(({ spec }) => isShown(spec))) return false
  return target.shownBy.length === 0 || target.shownBy.some((fields) => fields.every(isShown))
}
