import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'

/** The way from the data of an operation to a part of it, as a pointer has it. */
export type Place = readonly (string | number)[]

/** Answers whether to go on. */
type Meet = (identifier: Members, place: Place) => boolean

/** Meets the identifiers of linkage, one or a list, until told to stop. */
export function eachMember(linkage: unknown, place: Place, meet: Meet): boolean {
  if (isPlainObject(linkage)) return meet(linkage, place)
  if (!Array.isArray(linkage)) return true
  return linkage.every((each: unknown, index) => !isPlainObject(each) || meet(each, [...place, index]))
}

/** The same for the linkage of a resource object, as far as its type has such relations. */
export function eachEmbedded({ relationships }: Members, isRelation: (name: string) => boolean, meet: Meet): boolean {
  if (!isPlainObject(relationships)) return true
  return Object.keys(relationships).every((name) => {
    const relationship = isRelation(name) ? relationships[name] : null
    return !isPlainObject(relationship) || eachMember(relationship['data'], ['relationships', name, 'data'], meet)
  })
}
