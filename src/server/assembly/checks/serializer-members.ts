import { isMemberName } from '../../../core/document/member-name.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

const reserved: readonly unknown[] = Object.freeze(['id', 'type'])

/** Checks that the attributes of a serializer have names that JSON:API allows for attributes, and are listed once. */
export const serializerMembers: BuildRule = eachType(({ serializer, type }) => {
  const members: readonly unknown[] = serializer?.members ?? []
  const schemas: readonly [string, unknown][] = [...(serializer?.schemas ?? [])]
  const faults = schemas.flatMap(([name, schema]) => {
    if (isPlainObject(schema)) return []
    const problem = `${describeValue(schema)} is not a JSON Schema for the attribute ${describeValue(name)}`
    return [{ member: 'serializer', problem, remedy: "give an object, such as { type: 'string' }" }]
  })
  const nameFaults = members.flatMap((name, index) => {
    if (members.indexOf(name) !== index) {
      const problem = `lists the attribute ${describeValue(name)} twice`
      return [{ member: 'serializer', problem, remedy: 'list it once in the members of the serializer' }]
    }
    const isRelation = typeof name === 'string' && type.relationNamed.has(name)
    if (typeof name === 'string' && isMemberName(name) && !reserved.includes(name) && !isRelation) return []
    return [
      {
        member: 'serializer',
        problem: isRelation
          ? `returns an attribute ${describeValue(name)}, which is a relation of the type`
          : `returns an attribute ${describeValue(name)}, which is not an attribute name that JSON:API allows`,
        remedy: 'rename it in the members of the serializer',
      },
    ]
  })
  return [...nameFaults, ...faults]
})
