import { pointer } from '../../document/json-pointer.js'
import { isAtMember } from '../../document/member-name.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { isPlainObject } from '../../util/frozen.js'
import { childrenOf } from '../validation/resulting-value.js'
import type { ResourceDocument } from './resource-document.js'
import { isWritableChild } from './writable-attributes.js'
import type { WritableMembers } from './writable-members.js'

/** A problem for each member that a client may not write here. A hydrator may know attributes that nobody declared. */
export function unknownMemberProblems(
  { type: { type, attributeNamed }, hydrator }: ServedType,
  { attributes, relationships }: ResourceDocument,
  writable: WritableMembers,
  limit: number,
): readonly Problem[] {
  const names = new Set(writable.attributes.map(({ name }) => name))
  const related = new Set(writable.relations.map(({ name }) => name))
  const unknown = Object.keys(attributes).filter((name) => {
    return !names.has(name) && (hydrator === null || attributeNamed.has(name))
  })
  const nested = writable.attributes.flatMap(({ name, spec }) =>
    Object.hasOwn(attributes, name) ? unknownChildren(spec, attributes[name], [name]) : [],
  )
  const unrelated = Object.keys(relationships).filter((name) => !related.has(name))
  return [
    ...[...unknown.map((name) => [name]), ...nested].slice(0, limit).map((path) => {
      const source = { pointer: pointer('data', 'attributes', ...path) }
      return problem('ATTRIBUTE_UNRECOGNIZED', { attribute: path.join('.'), type }, { source })
    }),
    ...unrelated.slice(0, limit).map((relationship) => {
      const source = { pointer: pointer('data', 'relationships', relationship) }
      return problem('RELATIONSHIP_UNRECOGNIZED', { relationship, type }, { source })
    }),
  ]
}

/** The members of a composite that a client may not write; of a value without a variant nothing is known. */
function unknownChildren(spec: AttributeSpec, value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const children = childrenOf(spec, value)
  if (children === null || !isPlainObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (isAtMember(name) || (spec.kind.children === 'variants' && name === spec.discriminator)) return []
    const child = Object.hasOwn(children, name) ? children[name] : undefined
    if (child === undefined || !isWritableChild(child)) return [[...path, name]]
    return unknownChildren(child, member, [...path, name])
  })
}
