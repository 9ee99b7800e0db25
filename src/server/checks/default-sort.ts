import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'
import { oneOf, shown } from './shown.js'

/** The default sort names sorts of the type. */
export const defaultSort: BuildRule = eachType(({ type: { defaultSort: declared, sorts } }) =>
  declared
    .filter((key: unknown) => typeof key === 'string')
    .filter((key) => !Object.hasOwn(sorts, key.replace(/^-/, '')))
    .map((key) => ({
      member: 'defaultSort',
      problem: `names ${shown(key)}, which is no sort of the type`,
      remedy:
        Object.keys(sorts).length === 0
          ? 'make the attribute sortable(), or declare the sort'
          : `make the attribute sortable(), or name ${oneOf(Object.keys(sorts))}`,
    })),
)
