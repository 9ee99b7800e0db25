import { isPlainObject } from '../util/frozen.js'

type Members = Readonly<Record<string, unknown>>

/** The way from the data of an operation to a part of it, as a pointer has it. */
type Place = readonly (string | number)[]

/** Meets every resource identifier in the data of an operation: those of a list, or of the linkage of a resource object. */
export function eachIdentifier(data: unknown, meet: (identifier: Members, place: Place) => void): void {
  if (Array.isArray(data)) {
    meetAll(data, [], meet)
    return
  }
  const relationships = isPlainObject(data) ? data['relationships'] : undefined
  if (!isPlainObject(relationships)) return
  for (const name of Object.keys(relationships)) {
    const relationship = relationships[name]
    if (!isPlainObject(relationship)) continue
    const { data: linkage } = relationship
    if (Array.isArray(linkage)) meetAll(linkage, ['relationships', name, 'data'], meet)
    else if (isPlainObject(linkage)) meet(linkage, ['relationships', name, 'data'])
  }
}

function meetAll(linkage: readonly unknown[], place: Place, meet: (identifier: Members, place: Place) => void): void {
  for (const [index, identifier] of linkage.entries()) {
    if (isPlainObject(identifier)) meet(identifier, [...place, index])
  }
}
