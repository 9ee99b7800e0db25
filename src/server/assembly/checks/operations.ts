import { resourceOperations } from '../../../declare/resource/replies/responses.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that upserts are by the id, which clients may choose, and that both of their halves are served. */
function upsertFaults({ upsertBy, operations: served, id }: CompiledType): readonly TypeFault[] {
  const member = 'upsertBy'
  const unknown = upsertBy.filter((key) => key !== 'id')
  if (unknown.length > 0) {
    const [key] = unknown
    return [{ member, problem: `${describeValue(key)} is not the id`, remedy: "use upsertBy: 'id'" }]
  }
  if (upsertBy.length === 0) return []
  if (served.has('Create') !== served.has('Update')) {
    const missing = served.has('Create') ? 'Update' : 'Create'
    const problem = `creates or updates resources, but the operation '${missing}' is not served`
    return [{ member, problem, remedy: `add '${missing}' to the operations, or remove upsertBy` }]
  }
  if (!served.has('Upsert') || id.spec.clientIds !== 'forbidden') return []
  const problem = 'lets clients choose the id of a new resource, but the id refuses ids of clients'
  return [{ member, problem, remedy: 'declare the id with allowClientId() or requireClientId()' }]
}

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
    ...upsertFaults(type),
  ]
})
