import { resourceOperations } from '../../../declare/resource/replies/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that the allow-list names known operations, and is not combined with `readOnly`. */
export const operations: BuildRule = eachType(({ type, rawMembers: given }) => {
  const known: readonly unknown[] = resourceOperations
  const readOnly = given['readOnly']
  return [
    ...type.declaredOperations
      .filter((name) => !known.includes(name))
      .map((name) => ({
        member: 'operations',
        problem: `${describeValue(name)} is not an operation`,
        remedy: `use ${oneOf(resourceOperations)}`,
      })),
    ...(readOnly === undefined || typeof readOnly === 'boolean'
      ? []
      : [{ member: 'readOnly', problem: `is ${describeValue(readOnly)}`, remedy: 'give true or false' }]),
    ...(type.readOnly && type.declaredOperations.length > 0
      ? [
          {
            member: 'readOnly',
            problem: "is declared together with 'operations'",
            remedy: "keep one of the two; readOnly is short for operations: ['FetchCollection', 'FetchOne']",
          },
        ]
      : []),
  ]
})
