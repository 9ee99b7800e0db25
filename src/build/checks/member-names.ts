import { isMemberName } from '../../document/member-name.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/**
 * Fields have names that JSON:API allows; attributes and relations share one namespace with `type` and `id`.
 *
 * @see https://jsonapi.org/format/1.1/#document-resource-object-fields
 */
export const memberNames: BuildRule = eachType(({ type }) => {
  const places = attributePlaces(type)
  const inside = places.filter((place) => place.of !== 'type')
  const fields = [...type.attributes, ...type.relations]
  return [
    ...[...inside, ...fields.map(({ name }) => ({ member: name, name }))]
      .filter(({ name }) => !isMemberName(name) && name !== '_self_')
      .map(({ member, name }) => illegal(member, name)),
    ...fields.filter(({ name }) => name === 'id' || name === 'type').map(({ name }) => taken(name)),
    ...type.relations
      .filter(({ name }) => type.attributeNamed.has(name))
      .map(({ name }) => ({
        member: name,
        problem: 'is an attribute and a relation',
        remedy: 'rename one of the two: they share one namespace',
      })),
    ...type.relations
      .filter(({ name }) => name === '_self_')
      .map(({ name }) => ({
        member: name,
        problem: "has a name that 'withCount' keeps for the collection itself",
        remedy: 'give the relation another name',
      })),
  ]
})

function illegal(member: string, name: string): TypeFault {
  return {
    member,
    problem: `${shown(name)} is no name that JSON:API allows for a member`,
    remedy: 'use letters and digits, with hyphens or underscores between them',
  }
}

function taken(name: string): TypeFault {
  return {
    member: name,
    problem: `has the name of the resource's own '${name}'`,
    remedy: 'give it another name',
  }
}
