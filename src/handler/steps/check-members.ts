import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { ResourceDocument } from './resource-document.js'
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
  const unrelated = Object.keys(relationships).filter((name) => !related.has(name))
  return [
    ...unknown.slice(0, limit).map((attribute) => {
      const source = { pointer: pointer('data', 'attributes', attribute) }
      return problem('ATTRIBUTE_UNRECOGNIZED', { attribute, type }, { source })
    }),
    ...unrelated.slice(0, limit).map((relationship) => {
      const source = { pointer: pointer('data', 'relationships', relationship) }
      return problem('RELATIONSHIP_UNRECOGNIZED', { relationship, type }, { source })
    }),
  ]
}
