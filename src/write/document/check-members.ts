import { pointer } from '../../document/json-pointer.js'
import { isAtMember } from '../../document/member-name.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { isPlainObject } from '../../util/deep-freeze.js'
import type { SentIdentifier } from './sent-linkage.js'
import { childrenOf } from '../../validation/resulting-value.js'
import type { ResourceDocument } from './resource-document.js'
import { isWritableChild } from '../../validation/writable-attributes.js'
import type { WritableMembers } from './writable-members.js'

/** A problem for each member that a client may not write here. A hydrator may know attributes that nobody declared. */
export function unknownMemberProblems(
  { type: { type, attributeNamed }, hydrator }: ServedType,
  { attributes, relationships }: ResourceDocument,
  writable: WritableMembers,
  limit: number,
): readonly Problem[] {
  const unknown = unknownPaths(attributes, writable.attributes).filter(([name = '', ...nested]) => {
    return hydrator === null || attributeNamed.has(name) || nested.length > 0
  })
  const unrelated = unknownNames(relationships, writable.relations)
  if (unknown.length === 0 && unrelated.length === 0) return []
  return [
    ...unknown.slice(0, limit).map((path) => {
      const source = { pointer: pointer('data', 'attributes', ...path) }
      return problem('ATTRIBUTE_UNRECOGNIZED', { attribute: path.join('.'), type }, { source })
    }),
    ...unrelated.slice(0, limit).map((relationship) => {
      const source = { pointer: pointer('data', 'relationships', relationship) }
      return problem('RELATIONSHIP_UNRECOGNIZED', { relationship, type }, { source })
    }),
  ]
}

/** The same for the fields of a join row. */
export function unknownFieldProblems(
  { name, owner: { type } }: ServedRelation,
  { pivot, pointer: at }: SentIdentifier,
  writable: readonly CompiledAttribute[],
  limit: number,
): readonly Problem[] {
  return unknownPaths(pivot, writable)
    .filter(([field = '']) => !isAtMember(field))
    .slice(0, limit)
    .map((path) => {
      const source = { pointer: `${at}${pointer('meta', 'pivot', ...path)}` }
      return problem('ATTRIBUTE_UNRECOGNIZED', { attribute: [name, ...path].join('.'), type }, { source })
    })
}

/** Where values stand that a client may not write: the names on the way. */
function unknownPaths(
  sent: Readonly<Record<string, unknown>>,
  writable: readonly CompiledAttribute[],
): readonly (readonly string[])[] {
  const unknown = unknownNames(sent, writable)
  const composites = writable.filter(({ name, spec }) => spec.kind.children !== 'none' && Object.hasOwn(sent, name))
  if (unknown.length === 0 && composites.length === 0) return []
  const nested = composites.flatMap(({ name, spec }) => unknownChildren(spec, sent[name], [name]))
  return [...unknown.map((name) => [name]), ...nested]
}

function unknownNames(
  sent: Readonly<Record<string, unknown>>,
  writable: readonly { readonly name: string }[],
): readonly string[] {
  const names = Object.keys(sent)
  // Mostly all of them are known: then no set of names has to be made.
  if (writable.filter(({ name }) => Object.hasOwn(sent, name)).length === names.length) return []
  const known = new Set(writable.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
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
