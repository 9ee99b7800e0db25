import { pointer } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { problem } from '../../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { SentIdentifier } from './sent-linkage.js'
import { childrenOf } from '../../validation/resulting-value.js'
import type { ResourceDocument } from './resource-document.js'
import { isAtMember } from './resource-document.js'
import { isWritableChild } from '../../validation/writable-attributes.js'
import type { WritableMembers } from './writable-members.js'

/**
 * Returns a problem for each member that the client may not write. A user-defined hydrator may accept undeclared
 * attributes.
 */
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

/** Returns a problem for each field of a join row that the client may not write. */
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

/** Returns the paths of the values that the client may not write, each as a list of member names. */
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
  // Fast path: usually all names are known, and no set has to be created.
  if (writable.filter(({ name }) => Object.hasOwn(sent, name)).length === names.length) return []
  const known = new Set(writable.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

/**
 * Returns the paths of the members of a composite that the client may not write. Skips a value whose variant is
 * unknown.
 */
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
