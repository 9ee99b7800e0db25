import { filterFaults } from '../../../declare/resource/compiled/filter-faults.js'
import { isFilterSpec } from '../../../declare/resource/relations/spec-shape.js'
import type { CompiledRelation, MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** Reports the faults that were recorded while the declarations were read. */
export const declarationFaults: BuildRule = eachType(({ type }) =>
  [...type.faults, ...type.relations.flatMap(relationFilterFaults)].map(({ member, problem, remedy }) => ({
    member,
    problem,
    remedy,
  })),
)

function relationFilterFaults({ name, spec }: CompiledRelation): readonly MemberFault[] {
  return Object.entries(spec.filters).flatMap(([key, filter]: [string, unknown]) => {
    const member = `${name}.filters.${key}`
    if (isFilterSpec(filter)) return filterFaults(member, filter)
    return [{ member, problem: 'is not a filter', remedy: "declare it with the kit, such as f.contains('title')" }]
  })
}
