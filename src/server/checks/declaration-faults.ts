import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'

/** What the declarations noted while they were written. */
export const declarationFaults: BuildRule = eachType(({ type }) =>
  type.faults.map(({ member, problem, remedy }) => ({ member, problem, remedy })),
)
