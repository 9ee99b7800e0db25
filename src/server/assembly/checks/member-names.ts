import { isMemberName } from '../../../core/document/member-name.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that fields have names that JSON:API allows. Attributes and relations share one namespace with `type` and
 * `id`.
 *
 * @see https://jsonapi.org/format/1.1/#document-resource-object-fields
 */
export const memberNames: BuildRule = eachType(({ type }) => {
  const nested = declaredAttributes(type).filter(({ declaredOn: of }) => of !== 'type')
  const fields = [...type.attributes, ...type.relations]
  return [
    ...[...nested, ...fields.map(({ name }) => ({ member: name, name }))]
      .filter(({ name }) => !isMemberName(name) && name !== '_self_')
      .map(({ member, name }) => invalidName(member, name)),
    ...fields.filter(({ name }) => name === 'id' || name === 'type').map(({ name }) => reservedName(name)),
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
        problem: "has a name that 'withCount' reserves for the collection itself",
        remedy: 'give the relation another name',
      })),
  ]
})

function invalidName(member: string, name: string): TypeFault {
  return {
    member,
    problem: `${describeValue(name)} is not a member name that JSON:API allows`,
    remedy: 'use letters and digits, with hyphens or underscores between them',
  }
}

function reservedName(name: string): TypeFault {
  return {
    member: name,
    problem: `has the same name as the '${name}' of the resource`,
    remedy: 'give it another name',
  }
}
