import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

/** Relations lead to types that somebody declares, on this server or on another. */
export const relationTargets: BuildRule = eachType((declared, { types }) => {
  const known = new Set<unknown>(types.map(({ type }) => type.type))
  const names = [...new Set(types.map(({ type }) => type.type))].filter((name) => name !== '')
  return declared.type.relations.flatMap(({ name: member, spec }) => [
    ...spec.targets
      .filter((target) => !known.has(target))
      .map((target) => ({
        member,
        problem: `leads to the type ${shown(target)}, which nobody declares`,
        remedy: `declare it, or name ${oneOf(names)}`,
      })),
    ...(spec.inverseType === null || known.has(spec.inverseType)
      ? []
      : [
          {
            member,
            problem: `has the inverse type ${shown(spec.inverseType)}, which nobody declares`,
            remedy: `declare it, or name ${oneOf(names)}`,
          },
        ]),
  ])
})
