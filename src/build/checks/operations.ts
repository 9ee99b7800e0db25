import { resourceOperations } from '../../resource/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

/** The allow-list names operations, and `readOnly` is not said together with one. */
export const operations: BuildRule = eachType(({ type, given }) => {
  const known: readonly unknown[] = resourceOperations
  const readOnly = given['readOnly']
  return [
    ...type.declaredOperations
      .filter((name) => !known.includes(name))
      .map((name) => ({
        member: 'operations',
        problem: `${shown(name)} is no operation`,
        remedy: `use ${oneOf(resourceOperations)}`,
      })),
    ...(readOnly === undefined || typeof readOnly === 'boolean'
      ? []
      : [{ member: 'readOnly', problem: `is ${shown(readOnly)}`, remedy: 'give true or false' }]),
    ...(type.readOnly && type.declaredOperations.length > 0
      ? [
          {
            member: 'readOnly',
            problem: "is said together with 'operations'",
            remedy: "keep one of the two; readOnly is short for operations: ['FetchCollection', 'FetchOne']",
          },
        ]
      : []),
  ]
})
