import { isPlainObject } from '../util/deep-freeze.js'
import type { JsonMembers } from '../util/types.js'

/** The path from an operation, or from its data, to a part of it, as the tokens of a JSON pointer. */
export type PointerPath = readonly (string | number)[]

/** Visits an identifier. Returns whether to go on. */
type Visit = (identifier: JsonMembers, path: PointerPath) => boolean

/** Visits the identifiers of linkage, one or a list, until `visit` returns false. Returns false if it stopped. */
export function visitLinkage(linkage: unknown, path: PointerPath, visit: Visit): boolean {
  if (isPlainObject(linkage)) return visit(linkage, path)
  if (!Array.isArray(linkage)) return true
  return linkage.every((each: unknown, index) => !isPlainObject(each) || visit(each, [...path, index]))
}

/** Visits the identifiers in the relationships of a resource object. Skips names that are no relations of its type. */
export function visitEmbeddedLinkage(
  { relationships }: JsonMembers,
  isRelation: (name: string) => boolean,
  visit: Visit,
): boolean {
  if (!isPlainObject(relationships)) return true
  return Object.keys(relationships).every((name) => {
    const relationship = isRelation(name) ? relationships[name] : null
    return !isPlainObject(relationship) || visitLinkage(relationship['data'], ['relationships', name, 'data'], visit)
  })
}
