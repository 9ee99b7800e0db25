import type { MemberFault } from './compiled-type.js'
import { isFilterSpec } from '../relations/spec-shape.js'
import type { FilterSpec } from '../filters/filter-spec.js'

/** Returns the faults of a filter and of the filters in its group, all under the key that clients write. */
export function filterFaults(member: string, { test, faults }: FilterSpec): readonly MemberFault[] {
  const filterOnly = faults.map((fault) => ({ ...fault, member }))
  if (test.kind !== 'all' && test.kind !== 'any') return filterOnly
  const grouped: readonly unknown[] = Object.values(test.filters)
  return [
    ...filterOnly,
    ...grouped.flatMap((filter) => (isFilterSpec(filter) ? keylessFaults(member, filter) : [notFilter(member)])),
  ]
}

/** Returns the faults of a filter that clients cannot name: one in a group, of a scope, or that is composed. */
export function keylessFaults(member: string, spec: FilterSpec): readonly MemberFault[] {
  if (spec.usableIf === null) return filterFaults(member, spec)
  const problem = 'usableIf() does nothing on a filter that has no key of its own'
  const fault = { member, problem, remedy: 'put it on the filter that clients name' }
  return [fault, ...filterFaults(member, spec)]
}

export function notFilter(member: string): MemberFault {
  return { member, problem: 'is not a filter', remedy: "declare it with the kit, such as f.contains('title')" }
}
