import { isMemberName } from '../../document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

const reserved: readonly unknown[] = Object.freeze(['id', 'type'])

/** Checks that the attributes of a serializer have names that JSON:API allows for attributes, and are listed once. */
export const serializerMembers: BuildRule = eachType(({ serializer, type }) => {
  const members: readonly unknown[] = serializer?.members ?? []
  return members.flatMap((name, index) => {
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
})
