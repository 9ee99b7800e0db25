import type { MemberFault } from '../compiled-type.js'
import { isFilterSpec } from '../fields/spec-shape.js'
import type { FilterSpec } from './filter-spec.js'

/** Returns the faults of a filter and of the filters in its group, all under the key that clients write. */
export function filterFaults(member: string, { test, faults }: FilterSpec): readonly MemberFault[] {
  const filterOnly = faults.map((fault) => ({ ...fault, member }))
  if (test.kind !== 'all' && test.kind !== 'any') return filterOnly
  const grouped: readonly unknown[] = Object.values(test.filters)
  return [
    ...filterOnly,
    ...grouped.flatMap((filter) => (isFilterSpec(filter) ? filterFaults(member, filter) : [notFilter(member)])),
  ]
}

export function notFilter(member: string): MemberFault {
  return { member, problem: 'is not a filter', remedy: "declare it with the kit, such as f.contains('title')" }
}
