import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that relations point to declared types, on this server or on another. */
export const relationTargets: BuildRule = eachType((declared, { types }) => {
  const known = new Set<unknown>(types.map(({ type }) => type.type))
  const names = [...new Set(types.map(({ type }) => type.type))].filter((name) => name !== '')
  return declared.type.relations.flatMap(({ name: member, spec }) => [
    ...spec.targets
      .filter((target) => !known.has(target))
      .map((target) => ({
        member,
        problem: `points to the unknown type ${describeValue(target)}`,
        remedy: `declare it, or name ${oneOf(names)}`,
      })),
    ...(spec.inverseType === null || known.has(spec.inverseType)
      ? []
      : [
          {
            member,
            problem: `has the unknown inverse type ${describeValue(spec.inverseType)}`,
            remedy: `declare it, or name ${oneOf(names)}`,
          },
        ]),
  ])
})
