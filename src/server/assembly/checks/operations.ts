import { resourceOperations } from '../../../declare/resource/replies/responses.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that upserts are by the id, which clients may choose, or by unique attributes, and that both of their halves are served. */
function upsertFaults({ type, provider, hydrator }: DeclaredType): readonly TypeFault[] {
  const { upsertBy, operations: served, id } = type
  const member = 'upsertBy'
  if (upsertBy.length === 0) return []
  const faults = upsertBy.flatMap((key) => {
    const fault = key === 'id' ? null : keyFault(key, type)
    return fault === null ? [] : [{ member, ...fault }]
  })
  if (faults.length > 0) return faults
  if (upsertBy.some((key) => key !== 'id') && (provider?.fetchCollection === undefined || hydrator !== null)) {
    const problem = 'names a unique attribute, but the type has a hydrator, or its provider has no collections'
    return [{ member, problem, remedy: "use upsertBy: 'id', or remove the hydrator and declare fetchCollection" }]
  }
  if (served.has('Create') !== served.has('Update')) {
    const missing = served.has('Create') ? 'Update' : 'Create'
    const problem = `creates or updates resources, but the operation '${missing}' is not served`
    return [{ member, problem, remedy: `add '${missing}' to the operations, or remove upsertBy` }]
  }
  if (!served.has('Upsert') || id.spec.clientIds !== 'forbidden') return []
  const problem = 'lets clients choose the id of a new resource, but the id refuses ids of clients'
  return [{ member, problem, remedy: 'declare the id with allowClientId() or requireClientId()' }]
}

/** Returns why a type cannot be upserted by an attribute; `null` if it can. Values of the key must not reveal what a client cannot read. */
function keyFault(key: unknown, { attributeNamed }: CompiledType): Omit<TypeFault, 'member'> | null {
  const attribute = typeof key === 'string' ? attributeNamed.get(key) : undefined
  const label = describeValue(key)
  if (attribute === undefined) {
    const problem = `${label} is neither the id nor an attribute`
    return { problem, remedy: "name the id, or an attribute with unique(): upsertBy: ['id', 'slug']" }
  }
  const { column, spec } = attribute
  if (!spec.constraints.some((rule) => rule.kind === 'unique' && rule.fields.length === 0)) {
    const problem = `the attribute ${label} is not unique by itself`
    return { problem, remedy: 'declare it with unique(), without other fields' }
  }
  if (column === null || spec.on !== null || spec.kind.comparedAs !== 'text' || spec.kind.children !== 'none') {
    return {
      problem: `the attribute ${label} is no text in a column of the row`,
      remedy: 'use an attribute with a text',
    }
  }
  if (spec.fill !== null || spec.deserialize !== null || spec.extract !== null || spec.serialize !== null) {
    const problem = `the attribute ${label} is converted by functions`
    return { problem, remedy: 'remove them, or use another attribute' }
  }
  if (spec.hidden !== false || spec.writeOnly !== false || spec.visibleIf !== null || spec.readOnlyOnCreate !== false) {
    const problem = `the attribute ${label} is not visible to all callers, or they cannot write it on create`
    return { problem, remedy: 'use an attribute that every caller may read and send' }
  }
  return null
}

/** Checks that the allow-list names known operations, and is not combined with `readOnly`. */
export const operations: BuildRule = eachType((declared) => {
  const { type, rawMembers: given } = declared
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
    ...upsertFaults(declared),
  ]
})
