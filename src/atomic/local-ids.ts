import { pointer } from '../document/json-pointer.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import type { Place } from './each-identifier.js'
import { eachEmbedded, eachMember } from './each-identifier.js'
import type { Faults } from './faults.js'
import { invalid } from './faults.js'

/** A name that means something in its batch only: names are told apart by their types too. */
export interface LocalId {
  readonly type: string
  readonly lid: string
}

/** A place in an operation where a resource has such a name. */
export interface LocalIdUse extends LocalId {
  /** From the operation to the identifier. */
  readonly place: Place
}

/** The local ids of one operation. */
export interface LocalIds {
  /** Where it names what an earlier one adds. */
  readonly uses: readonly LocalIdUse[]
  /** What it calls the resource that it adds itself; `null` for nothing. */
  readonly given: LocalId | null
}

/** Which operations are of relationships, and which relations there are: local ids elsewhere mean nothing. */
export interface LocalIdScope {
  /** `null` where that is not known, and nothing can be said of the names in an operation. */
  readonly isRelationship: boolean | null
  readonly hasRelation: (type: string, name: string) => boolean
}

const none: LocalIds = Object.freeze({ uses: Object.freeze([]), given: null })

/** A local id is a text; an empty one is none. */
export function localIdOf({ lid }: Members): string | null {
  return typeof lid === 'string' && lid !== '' ? lid : null
}

export function localName({ type, lid }: LocalId): string {
  return `${type.length} ${type}${lid}`
}

/** Where a local id stands, for an operation that stands somewhere. */
export function localIdPointer({ place }: LocalIdUse, at: string): string {
  return `${at}${pointer(...place)}/lid`
}

/** What has no sound structure has none: others tell of that. */
export function localIdsIn(operation: Members, { isRelationship, hasRelation }: LocalIdScope): LocalIds {
  const { op, ref, data } = operation
  const uses: LocalIdUse[] = []
  const note = (identifier: Members, place: Place): boolean => {
    const { type, id } = identifier
    const lid = id === undefined ? localIdOf(identifier) : null
    if (lid !== null && typeof type === 'string') uses.push({ type, lid, place })
    return true
  }
  // What an operation adds has no other name yet.
  if (isPlainObject(ref) && (op !== 'add' || isRelationship === true)) note(ref, ['ref'])
  if (isRelationship === true) eachMember(data, ['data'], note)
  else if (isRelationship === false && op !== 'remove' && isPlainObject(data)) {
    if (op === 'update') note(data, ['data'])
    eachEmbedded(data, relationsOf(data, hasRelation), (identifier, place) => note(identifier, ['data', ...place]))
  }
  const given = op === 'add' && isRelationship !== true && isPlainObject(data) ? givenIn(data) : null
  return uses.length === 0 && given === null ? none : { uses, given }
}

/**
 * Notes what is wrong with the local ids of an operation: a name is given once for a type, and means something from the next
 * operation on.
 *
 * @param known those that operations before have given
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

/** A resource is named by its id, or by what an earlier operation called it. */
export function noteNames({ id, lid }: Members, at: () => string, faults: Faults): void {
  if (lid === undefined) return
  if (typeof lid !== 'string') {
    faults.note(problem('RESOURCE_IDENTIFIER_LID_INVALID', {}, { source: { pointer: `${at()}/lid` } }))
  } else if (lid !== '' && id !== undefined) {
    faults.note(invalid("an identifier has 'id' or 'lid', not both", at()))
  }
}

/** Which names are relations of the type that a resource object has. */
export function relationsOf({ type }: Members, has: LocalIdScope['hasRelation']): (name: string) => boolean {
  return typeof type === 'string' ? (name) => has(type, name) : () => false
}

function givenIn(data: Members): LocalId | null {
  const lid = localIdOf(data)
  const { type } = data
  return lid === null || typeof type !== 'string' ? null : { type, lid }
}
