import { pointer } from '../document/json-pointer.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import type { Place } from './each-identifier.js'
import { eachEmbedded, eachMember } from './each-identifier.js'
import type { Faults } from './faults.js'
import { invalid } from './faults.js'

/** A local id. It is valid within its batch only; resources of different types may have the same `lid`. */
export interface LocalId {
  readonly type: string
  readonly lid: string
}

/** An identifier in an operation that refers to a resource by local id. */
export interface LocalIdUse extends LocalId {
  /** The path from the operation to the identifier. */
  readonly place: Place
}

/** The local ids of one operation. */
export interface LocalIds {
  /** The references to resources that earlier operations add. */
  readonly uses: readonly LocalIdUse[]
  /** The local id of the resource that the operation itself adds; `null` without one. */
  readonly given: LocalId | null
}

/** Whether an operation writes a relationship, and which relations exist: other local ids are ignored. */
export interface LocalIdScope {
  /** `null` if the target of the operation is invalid; its data is not checked then. */
  readonly isRelationship: boolean | null
  readonly hasRelation: (type: string, name: string) => boolean
}

const none: LocalIds = Object.freeze({ uses: Object.freeze([]), given: null })

/** Returns the local id of an identifier. An empty string is no local id. */
export function localIdOf({ lid }: Members): string | null {
  return typeof lid === 'string' && lid !== '' ? lid : null
}

export function localName({ type, lid }: LocalId): string {
  return `${type.length} ${type}${lid}`
}

/** Returns the pointer of a local id in the document. `at` is the pointer of the operation. */
export function localIdPointer({ place: path }: LocalIdUse, at: string): string {
  return `${at}${pointer(...path)}/lid`
}

/** Finds the local ids of an operation. Invalid structure is skipped here: other checks report it. */
export function localIdsIn(operation: Members, { isRelationship, hasRelation }: LocalIdScope): LocalIds {
  const { op, ref, data } = operation
  const uses: LocalIdUse[] = []
  const collect = (identifier: Members, path: Place): boolean => {
    const { type, id } = identifier
    const lid = id === undefined ? localIdOf(identifier) : null
    if (lid !== null && typeof type === 'string') uses.push({ type, lid, place: path })
    return true
  }
  // The 'ref' of an added resource repeats its own local id, so it refers to no earlier resource.
  if (isPlainObject(ref) && (op !== 'add' || isRelationship === true)) collect(ref, ['ref'])
  if (isRelationship === true) eachMember(data, ['data'], collect)
  else if (isRelationship === false && op !== 'remove' && isPlainObject(data)) {
    if (op === 'update') collect(data, ['data'])
    eachEmbedded(data, relationsOf(data, hasRelation), (identifier, path) => collect(identifier, ['data', ...path]))
  }
  const given = op === 'add' && isRelationship !== true && isPlainObject(data) ? addedLocalId(data) : null
  return uses.length === 0 && given === null ? none : { uses, given }
}

/**
 * Checks the local ids of an operation. Two operations must not add the same local id of a type, and a local id can be
 * used from the next operation on.
 *
 * @param known the local ids that earlier operations add
 */
export function noteLocalIds({ uses, given }: LocalIds, at: string, known: Set<string>, faults: Faults): void {
  for (const use of uses) {
    if (faults.isFull) return
    if (!known.has(localName(use))) {
      const { type, lid } = use
      faults.note(problem('LOCAL_ID_NOT_FOUND', { type, lid }, { source: { pointer: localIdPointer(use, at) } }))
    }
  }
  if (given === null) return
  const { type, lid } = given
  if (known.has(localName(given))) {
    faults.note(problem('LOCAL_ID_CONFLICT', { type, lid }, { source: { pointer: `${at}/data/lid` } }))
  }
  known.add(localName(given))
}

/** Checks the local id of an identifier: it is a string, and an identifier with a local id has no id. */
export function noteNames({ id, lid }: Members, at: () => string, faults: Faults): void {
  if (lid === undefined) return
  if (typeof lid !== 'string') {
    faults.note(problem('RESOURCE_IDENTIFIER_LID_INVALID', {}, { source: { pointer: `${at()}/lid` } }))
  } else if (lid !== '' && id !== undefined) {
    faults.note(invalid("an identifier has 'id' or 'lid', not both", at()))
  }
}

/** Returns a function that returns whether a name is a relation of the type of a resource object. */
export function relationsOf({ type }: Members, has: LocalIdScope['hasRelation']): (name: string) => boolean {
  return typeof type === 'string' ? (name) => has(type, name) : () => false
}

function addedLocalId(data: Members): LocalId | null {
  const lid = localIdOf(data)
  const { type } = data
  return lid === null || typeof type !== 'string' ? null : { type, lid }
}
