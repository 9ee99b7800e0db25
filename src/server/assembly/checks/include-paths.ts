import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { walkPath } from './relation-paths.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that default includes name relations that may be included, and that allowed paths follow declared relations.
 */
export const includePaths: BuildRule = eachType((declared, context) => {
  const { type } = declared
  const defaults: readonly unknown[] = typeof type.defaultIncludes === 'function' ? [] : type.defaultIncludes
  const allowed = type.allowedIncludePaths ?? []
  return [
    ...defaults
      .filter((name) => typeof name === 'string')
      .flatMap((name): readonly TypeFault[] => {
        const relation = type.relationNamed.get(name)
        if (relation?.spec.cannotBeIncluded === true) {
          const problem = `includes ${describeValue(name)}, which cannotBeIncluded()`
          return [{ member: 'defaultIncludes', problem, remedy: 'leave it out, or remove cannotBeIncluded()' }]
        }
        if (relation !== undefined) return []
        const problem = `names ${describeValue(name)}, which is not a relation of the type`
        return [{ member: 'defaultIncludes', problem, remedy: "name one that 'relations' declares" }]
      }),
    ...allowed.flatMap(({ path }): readonly TypeFault[] => {
      const end = walkPath(declared, path.split('.'), {
        context,
        refuse: ({ name, spec }, owner) =>
          spec.cannotBeIncluded === true ? `'${owner.type.type}.${name}' cannotBeIncluded()` : null,
      })
      if (end.kind === 'types') return []
      const problem = `allows ${describeValue(path)}, which is not a valid path: ${end.problem}`
      return [{ member: 'allowedIncludePaths', problem, remedy: 'correct the path, or leave it out' }]
    }),
  ]
})
