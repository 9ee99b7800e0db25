import type { KeyedFilter } from '../../serve/read/query/condition-of-filter.js'
import { filterTarget } from '../../serve/read/query/condition-of-filter.js'
import type { ColumnTarget } from '../../serve/read/query/column-target.js'
import { isQueryable, targetByName, targetByPath } from '../../serve/read/query/column-target.js'
import type { QueriedRows } from '../../serve/read/query/query-vocabulary.js'
import type { FilterSpec, FilterSpecs } from '../../declare/resource/filters/filter-spec.js'
import type { SortSpec, SortSpecs } from '../../declare/resource/sorts/sort-spec.js'
import type { FilterContract, SortContract } from './contract.js'
import type { FilteredRows } from './filter-form.js'
import { comparedWith, filterForm } from './filter-form.js'
import { filterSchema } from './filter-schema.js'
import { filterSentence } from './filter-sentence.js'
import { isShown } from './shown-fields.js'
import type { EnumerationSchema } from './value-schema.js'

/** Returns the filters of a type or of a relation, by key. */
export function filterContracts(
  filters: FilterSpecs,
  rows: FilteredRows,
  enumerations: EnumerationSchema,
): Readonly<Record<string, FilterContract>> {
  const all = Object.entries(filters).map(([key, spec]) => [key, filterContract({ key, spec }, rows, enumerations)])
  return Object.fromEntries(all) as Readonly<Record<string, FilterContract>>
}

function filterContract(filter: KeyedFilter, rows: FilteredRows, enumerations: EnumerationSchema): FilterContract {
  const { key, spec } = filter
  const { test, shape, delimiter, description, examples, deprecation, singular, usableIf } = spec
  const { queried } = rows
  const isServed = queried !== null && isOfferedFilter(filter, queried)
  const isOfRelation = test.kind === 'through' && test.path === `${key}.id` && isFilterable(key, rows)
  return {
    isServed,
    isConditional: usableIf !== null,
    isSingular: singular,
    isCombinable: test.kind !== 'trashed',
    isSearch: test.kind === 'search',
    description,
    sentence: isServed ? filterSentence(key, spec, queried) : '',
    deprecation,
    examples,
    default: jsonDefault(spec),
    shape,
    delimiter,
    // The filter of a relation that is filterable compares ids.
    form: isOfRelation ? 'text' : filterForm(spec),
    compared: comparedWith(key, spec, rows),
    value: isServed ? filterSchema(filter, queried, enumerations) : {},
  }
}

function isFilterable(key: string, { owner, relation }: FilteredRows): boolean {
  return relation === null && owner.type.relationNamed.get(key)?.spec.filterable === true
}

/** Returns the default value of a filter; `null` if JSON does not have it. */
function jsonDefault({ default: given }: FilterSpec): unknown {
  const values: readonly unknown[] = Array.isArray(given?.value) ? given.value : [given?.value]
  return values.every((value) => ['string', 'number', 'boolean'].includes(typeof value)) ? given?.value : null
}

/** Returns whether some request may use a filter: its target exists on this server, and some caller may see it. */
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

/** Returns sorts by key. */
export function sortContracts(sorts: SortSpecs, queried: QueriedRows | null): Readonly<Record<string, SortContract>> {
  const all = Object.entries(sorts).map(([key, spec]): readonly [string, SortContract] => [
    key,
    {
      isServed: queried !== null && isOfferedSort(key, spec, queried),
      isConditional: spec.usableIf !== null,
      isCustom: spec.kind === 'custom',
      search: spec.kind === 'relevance' ? spec.filter : null,
      deprecation: spec.deprecation,
    },
  ])
  return Object.fromEntries(all)
}

function isOfferedSort(key: string, spec: SortSpec, rows: QueriedRows): boolean {
  switch (spec.kind) {
    case 'field':
      return isEverShown(targetByName(spec.column ?? key, rows))
    case 'through':
      return isEverShown(targetByPath(spec.path ?? key, rows.served))
    case 'relevance': {
      const filter = { ...rows.served.type.filters, ...rows.relation?.spec.filters }[spec.filter]
      return filter?.test.kind === 'search' && isOfferedFilter({ key: spec.filter, spec: filter }, rows)
    }
    case 'custom':
      return true
  }
}

/** Whether some request may see a column. */
function isEverShown(target: ColumnTarget | null): boolean {
  if (target === null || !target.followed.every(({ spec }) => isShown(spec))) return false
  return target.shownBy.length === 0 || target.shownBy.some((fields) => fields.every(isShown))
}
