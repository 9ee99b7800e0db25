import { isMemberName } from '../../document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

const reserved: readonly unknown[] = Object.freeze(['id', 'type'])

/** The attributes that a serializer makes have names that JSON:API allows to attributes. */
export const serializerMembers: BuildRule = eachType(({ serializer, type }) => {
  const members: readonly unknown[] = serializer?.members ?? []
  return members.flatMap((name) => {
    const related = typeof name === 'string' && type.relationNamed.has(name)
    if (typeof name === 'string' && isMemberName(name) && !reserved.includes(name) && !related) return []
    return [
      {
        member: 'serializer',
        problem: related
          ? `makes an attribute ${shown(name)}, which is a relation of the type`
          : `makes an attribute ${shown(name)}, a name that no attribute may have`,
        remedy: 'rename it in the members of the serializer',
      },
    ]
  })
})
