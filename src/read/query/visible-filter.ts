import type { RequestContext } from '../../resource/request-context.js'
import type { KeyedFilter } from './condition-of-filter.js'
import { filterTarget } from './condition-of-filter.js'
import { isQueryable, isVisibleTarget } from './column-target.js'
import type { QueriedRows } from './query-vocabulary.js'
import { isVisible } from '../../resource/fields/visible-field.js'

/**
 * Whether a request may use a filter: its target exists, and the client may see it. A group with one member that is not
 * visible is refused as a whole, because without that member it would be another condition.
 */
export function isVisibleFilter(filter: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  const { key, spec } = filter
  const { test } = spec
  switch (test.kind) {
    case 'has': {
      const relation = rows.served.relations.get(test.relation ?? key)
      return relation !== undefined && isQueryable(relation) && isVisible(relation.spec, context)
    }
    case 'all':
    case 'any':
      return Object.entries(test.filters).every(([member, child]) =>
        isVisibleFilter({ key: member, spec: child }, rows, context),
      )
    case 'custom':
    case 'trashed':
      return true
    default: {
      const target = filterTarget(filter, rows)
      return target !== null && isVisibleTarget(target, context)
    }
  }
}
