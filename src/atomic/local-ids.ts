import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'

type Members = Readonly<Record<string, unknown>>

/** A place where a resource has a name that means something in its batch only. */
export interface LocalIdUse {
  readonly type: string
  readonly lid: string
  readonly pointer: string
}

/** A local id is a text; an empty one is none. */
export function localIdOf({ lid }: Members): string | null {
  return typeof lid === 'string' && lid !== '' ? lid : null
}

/** The local ids of one operation. */
export interface LocalIds {
  readonly uses: readonly LocalIdUse[]
  /** What it calls the resource that it adds; `null` for nothing. */
  readonly given: LocalIdUse | null
}

const none: LocalIds = Object.freeze({ uses: Object.freeze([]), given: null })

/** What has no sound structure has none: others tell of that. */
export function localIdsIn(operation: unknown, at: string): LocalIds {
  return isPlainObject(operation) ? { uses: usesIn(operation, at), given: givenBy(operation, at) } : none
}

/**
 * What is wrong with the local ids of a batch: a name is given once for a type, and means something from the next operation
 * on. All of it is known before anything is run; operation by operation.
 */
export function localIdProblems(operations: readonly LocalIds[]): readonly (readonly Problem[])[] {
  const known = new Set<string>()
  return operations.map(({ uses, given }) => {
    const problems = uses
      .filter((use) => !known.has(localName(use)))
      .map(({ type, lid, pointer: at }) => problem('LOCAL_ID_NOT_FOUND', { type, lid }, { source: { pointer: at } }))
    if (given === null) return problems
    const { type, lid, pointer: at } = given
    if (known.has(localName(given))) {
      problems.push(problem('LOCAL_ID_CONFLICT', { type, lid }, { source: { pointer: at } }))
    }
    known.add(localName(given))
    return problems
  })
}

function givenBy({ op, data, ref }: Members, at: string): LocalIdUse | null {
  if (op !== 'add' || !isPlainObject(data) || (isPlainObject(ref) && ref['relationship'] !== undefined)) return null
  const lid = localIdOf(data)
  const { type } = data
  return lid === null || typeof type !== 'string' ? null : { type, lid, pointer: `${at}/data/lid` }
}

/** Names are told apart by their types too. */
export function localName({ type, lid }: Pick<LocalIdUse, 'type' | 'lid'>): string {
  return `${type}\n${lid}`
}

function usesIn({ op, ref, data }: Members, at: string): readonly LocalIdUse[] {
  const own: Placed[] = op === 'update' && isPlainObject(data) ? [[data, `${at}/data`]] : []
  const target: Placed[] = isPlainObject(ref) ? [[ref, `${at}/ref`]] : []
  const members = isPlainObject(data) ? embeddedIdentifiers(data, `${at}/data`) : listed(data, `${at}/data`)
  return [...target, ...own, ...members].flatMap(([identifier, place]) => useOf(identifier, place))
}

function useOf(identifier: unknown, at: string): readonly LocalIdUse[] {
  if (!isPlainObject(identifier)) return []
  const lid = localIdOf(identifier)
  const { type, id } = identifier
  return lid === null || id !== undefined || typeof type !== 'string' ? [] : [{ type, lid, pointer: `${at}/lid` }]
}

type Placed = readonly [identifier: unknown, at: string]

/** The identifiers of linkage, with their places. */
export function listed(linkage: unknown, at: string): readonly Placed[] {
  if (Array.isArray(linkage)) return linkage.map((each: unknown, index) => [each, at + pointer(index)])
  return linkage === null || linkage === undefined ? [] : [[linkage, at]]
}

/** The identifiers in the relationships of a resource object. */
export function embeddedIdentifiers({ relationships }: Members, at: string): readonly Placed[] {
  if (!isPlainObject(relationships)) return []
  return Object.entries(relationships).flatMap(([name, relationship]) => {
    if (!isPlainObject(relationship)) return []
    return listed(relationship['data'], at + pointer('relationships', name, 'data'))
  })
}
