import { memoize } from '../../../core/util/memoize.js'
import type { BuildRule, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that relations point to declared types, on this server or on another. */
export const relationTargets: BuildRule = eachType((declared, { types }) => {
  const known = typeNames(types)
  const remedy = (): string => `declare it, or name ${oneOf([...known].filter((name) => name !== ''))}`
  return declared.type.relations.flatMap(({ name: member, spec }) => [
    ...spec.targets
      .filter((target) => !known.has(target))
      .map((target) => ({
        member,
        problem: `points to the unknown type ${describeValue(target)}`,
        remedy: remedy(),
      })),
    ...(spec.inverseType === null || known.has(spec.inverseType)
      ? []
      : [
          {
            member,
            problem: `has the unknown inverse type ${describeValue(spec.inverseType)}`,
            remedy: remedy(),
          },
        ]),
  ])
})

/** Memoized: the rule calls it once for each type. */
const typeNames = memoize((types: readonly DeclaredType[]): ReadonlySet<string> => {
  return new Set(types.map(({ type }) => type.type))
})
