import type { MemberFault, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { filterFaults, keylessFaults, notFilter } from '../../../declare/resource/compiled/filter-faults.js'
import { filterKit } from '../../../declare/resource/filters/filter-kit.js'
import type { FilterSpec, FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import { sortKit } from '../../../declare/resource/sorts/sort-kit.js'
import type { SortSpec, SortSpecs } from '../../../declare/resource/sorts/sort-spec.js'
import { sortBy } from '../../../declare/resource/sorts/sort-spec.js'
import { declaredMembers } from '../../../declare/resource/fields/declared-members.js'
import type { DeclaredFields } from './declared-fields.js'
import { filterSpecOf, sortSpecOf } from '../../../declare/resource/relations/spec-shape.js'
import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

interface ReadSpecs<Specs> {
  readonly specs: Specs
  readonly faults: readonly MemberFault[]
}

/**
 * Reads the filters of relations that are filterable, the filter of ids, and the declared filters, which override both.
 */
export function readFilters(filters: unknown, inventory: DeclaredFields, byId: boolean): ReadSpecs<FilterSpecs> {
  const specs: Record<string, FilterSpec> = {}
  const kit = filterKit()
  if (byId) specs['id'] = kit.idIn().spec
  for (const { name, spec } of inventory.relations) {
    if (!spec.filterable) continue
    const { filterableIf: usableIf, deprecation } = spec
    specs[name] = Object.freeze({ ...kit.through(`${name}.id`).spec, usableIf, deprecation })
  }
  const { members, faults: found } = declaredMembers(filters, filterKit(), 'filters: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'filters' }))
  for (const [key, declared] of members) {
    const spec = filterSpecOf(declared)
    if (spec === null) {
      faults.push(notFilter(`filters.${key}`))
      continue
    }
    specs[key] = spec
    faults.push(...filterFaults(`filters.${key}`, spec))
  }
  return { specs: Object.freeze(specs), faults }
}

/**
 * Reads the sorts of sortable attributes and the explicit sorts. An explicit sort overrides an attribute of the same
 * key.
 */
export function readSorts(sorts: unknown, inventory: DeclaredFields, idSortable: boolean): ReadSpecs<SortSpecs> {
  const specs: Record<string, SortSpec> = {}
  const { members, faults: found } = declaredMembers(sorts, sortKit(), 'sorts: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'sorts' }))
  const byKey = sortBy({ kind: 'field', column: null })
  if (idSortable) specs['id'] = byKey
  for (const { name, spec } of inventory.attributes) {
    const { sortableIf: usableIf, deprecation } = spec
    if (spec.sortable) specs[name] = Object.freeze({ ...byKey, usableIf, deprecation })
  }
  for (const [key, declared] of members) {
    const spec = sortSpecOf(declared)
    if (spec !== null) specs[key] = spec
    else
      faults.push({
        member: `sorts.${key}`,
        problem: 'is not a sort',
        remedy: "declare it with the kit, such as s.field('title')",
      })
  }
  return { specs: Object.freeze(specs), faults }
}

/**
 * Compiles a scope into a function that validates its result in each request. It throws if a scope returns an invalid
 * result: to fail is safer than to show all rows.
 */
export function compileScope(type: string, declared: unknown): CompiledType['scope'] {
  if (typeof declared !== 'function') return null
  const scope = declared as (context: RequestContext, kit: unknown) => unknown
  return (context) => {
    const result = scope(context, filterKit())
    ignoreRejection(result)
    if (result === null) return null
    const spec = filterSpecOf(result)
    if (spec === null) throw new Error(`The scope of '${type}' returned neither a filter nor null.`)
    const [fault] = keylessFaults('scope', spec)
    if (fault !== undefined) throw new Error(`The scope of '${type}' is not valid: ${fault.problem}.`)
    return { spec, value: undefined }
  }
}
