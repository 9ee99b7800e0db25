import { isFollowable } from '../../../declare/resource/fields/visible-field.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { isUsable } from '../../../declare/resource/request/use-guard.js'
import { isFilterableTarget, isQueryable, targetByName } from './column-target.js'
import { composedFilter } from './composed-filter.js'
import type { KeyedFilter } from './condition-of-filter.js'
import { filterTarget } from './condition-of-filter.js'
import type { QueriedRows } from './query-vocabulary.js'

/**
 * Whether a request may use a declared filter: it meets the condition of the filter, the target exists, and the client
 * may see it. A group with a hidden member is refused as a whole, because without that member it would be another
 * condition. A filter that is composed for each request is tested when it is composed, by `hidesFilter`.
 */
export function isVisibleFilter(filter: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  return isUsable(filter.spec, context) && everyTargetPasses(filter, { rows, context, ifMissing: false })
}

/** Whether a filter uses a target that exists, but is hidden from the client. */
export function hidesFilter(filter: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  return !everyTargetPasses(filter, { rows, context, ifMissing: true })
}

/**
 * Whether an error message may name a filter. Composed filters are composed with an empty text for this, because the
 * client sent no valid value. A filter that cannot be composed of it is named.
 */
export function isOfferedFilter(filter: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  return isVisibleFilter(filter, rows, context) && !composesHidden(filter, rows, context)
}

interface TargetTest {
  readonly rows: QueriedRows
  readonly context: RequestContext
  /** The result for a target that does not exist. */
  readonly ifMissing: boolean
}

function everyTargetPasses(filter: KeyedFilter, tested: TargetTest): boolean {
  const { key, spec } = filter
  const { rows, context, ifMissing } = tested
  const { test } = spec
  switch (test.kind) {
    case 'has': {
      const relation = rows.served.relations.get(test.relation ?? key)
      return relation !== undefined && isQueryable(relation) ? isFollowable(relation.spec, context) : ifMissing
    }
    case 'all':
    case 'any':
      return members(test.filters).every((member) => everyTargetPasses(member, tested))
    case 'search':
      return test.fields.every(({ name }) => {
        const target = targetByName(name, rows)
        return target === null ? ifMissing : isFilterableTarget(target, context)
      })
    case 'custom':
    case 'composed':
    case 'trashed':
      return true
    default: {
      const target = filterTarget(filter, rows)
      return target === null ? ifMissing : isFilterableTarget(target, context)
    }
  }
}

function composesHidden({ key, spec }: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  const { test } = spec
  if (test.kind === 'all' || test.kind === 'any') {
    return members(test.filters).some((member) => composesHidden(member, rows, context))
  }
  const relation = test.kind === 'has' ? rows.served.relations.get(test.relation ?? key) : undefined
  const [related] = relation?.related.values() ?? []
  const compose = test.kind === 'composed' ? test.compose : test.kind === 'has' ? test.matching : null
  if (typeof compose !== 'function') return false
  const composedRows = related === undefined ? rows : { served: related, relation: null }
  const composed = composedOrNull(() => composedFilter(compose, '', context))
  if (composed === null) return false
  const result = { key, spec: composed }
  return hidesFilter(result, composedRows, context) || composesHidden(result, composedRows, context)
}

function composedOrNull(compose: () => FilterSpec | null): FilterSpec | null {
  try {
    return compose()
  } catch {
    return null
  }
}

function members(filters: Readonly<Record<string, FilterSpec>>): readonly KeyedFilter[] {
  return Object.entries(filters).map(([key, spec]) => ({ key, spec }))
}
