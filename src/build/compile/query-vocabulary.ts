import type { MemberFault } from '../../resource/compiled-type.js'
import { filterKit } from '../../resource/filters/filter-kit.js'
import type { FilterSpec, FilterSpecs } from '../../resource/filters/filter-spec.js'
import { sortKit } from '../../resource/sorts/sort-kit.js'
import type { SortSpec, SortSpecs } from '../../resource/sorts/sort-spec.js'
import { declaredMembers } from '../../resource/fields/declared-members.js'
import type { Inventory } from './inventory.js'
import { filterSpecOf, isFilterSpec } from '../../resource/fields/spec-shape.js'

interface Read<Specs> {
  readonly specs: Specs
  readonly faults: readonly MemberFault[]
}

export function readFilters(given: unknown): Read<FilterSpecs> {
  const specs: Record<string, FilterSpec> = {}
  const { members, faults: found } = declaredMembers(given, filterKit(), 'filters: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'filters' }))
  for (const [key, declared] of members) {
    const spec = filterSpecOf(declared)
    if (spec === null) {
      faults.push(noFilter(`filters.${key}`))
      continue
    }
    specs[key] = spec
    faults.push(...filterFaults(`filters.${key}`, spec))
  }
  return { specs: Object.freeze(specs), faults }
}

/** The sortable attributes and the explicit sorts; on one key the explicit one wins. */
export function readSorts(given: unknown, inventory: Inventory, idSortable: boolean): Read<SortSpecs> {
  const specs: Record<string, SortSpec> = {}
  const { members, faults: found } = declaredMembers(given, sortKit(), 'sorts: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'sorts' }))
  if (idSortable) specs['id'] = { kind: 'field', column: null }
  for (const { name, spec } of inventory.attributes) {
    if (spec.sortable) specs[name] = { kind: 'field', column: null }
  }
  for (const [key, declared] of members) {
    const spec = declared as SortSpec | null
    if (spec !== null && typeof spec === 'object' && 'kind' in spec) specs[key] = spec
    else
      faults.push({
        member: `sorts.${key}`,
        problem: 'is no sort',
        remedy: "declare it with the kit, such as s.field('title')",
      })
  }
  return { specs: Object.freeze(specs), faults }
}

/** The faults of a filter and of those that it groups, all under the key that clients write. */
export function filterFaults(member: string, { test, faults }: FilterSpec): readonly MemberFault[] {
  const own = faults.map((fault) => ({ ...fault, member }))
  if (test.kind !== 'all' && test.kind !== 'any') return own
  const grouped: readonly unknown[] = Object.values(test.filters)
  return [
    ...own,
    ...grouped.flatMap((filter) => (isFilterSpec(filter) ? filterFaults(member, filter) : [noFilter(member)])),
  ]
}

function noFilter(member: string): MemberFault {
  return { member, problem: 'is no filter', remedy: "declare it with the kit, such as f.contains('title')" }
}
