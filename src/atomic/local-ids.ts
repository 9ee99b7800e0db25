import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import { eachIdentifier } from './each-identifier.js'
import { invalid } from './invalid.js'

type Members = Readonly<Record<string, unknown>>

/** A place where a resource has a name that means something in its batch only. */
export interface LocalId {
  readonly type: string
  readonly lid: string
  readonly pointer: string
}

/** The local ids of one operation. */
export interface LocalIds {
  /** Where it names what an earlier one adds. */
  readonly uses: readonly LocalId[]
  /** What it calls the resource that it adds itself; `null` for nothing. */
  readonly given: LocalId | null
  /** What is wrong with the form of those in lists and in relationships. */
  readonly problems: readonly Problem[]
}

const none: LocalIds = Object.freeze({ uses: Object.freeze([]), given: null, problems: Object.freeze([]) })

/** A local id is a text; an empty one is none. */
export function localIdOf({ lid }: Members): string | null {
  return typeof lid === 'string' && lid !== '' ? lid : null
}

/** Names are told apart by their types too. */
export function localName({ type, lid }: Pick<LocalId, 'type' | 'lid'>): string {
  return `${type}\n${lid}`
}

/** What has no sound structure has none: others tell of that. */
export function localIdsIn(operation: unknown, at: string): LocalIds {
  if (!isPlainObject(operation)) return none
  const { op, ref, data } = operation
  const uses: LocalId[] = []
  const problems: Problem[] = []
  if (isPlainObject(ref)) noteUse(ref, `${at}/ref`, uses)
  // A resource that is there, or the one member of a relationship.
  if (op === 'update' && isPlainObject(data)) noteUse(data, `${at}/data`, uses)
  eachIdentifier(data, (identifier, place) => {
    if (identifier['lid'] === undefined) return
    const here = `${at}/data${pointer(...place)}`
    noteUse(identifier, here, uses)
    problems.push(...nameProblems(identifier, here))
  })
  const given = op === 'add' && isPlainObject(data) && !isOfRelationship(ref) ? localId(data, `${at}/data`) : null
  return uses.length === 0 && given === null && problems.length === 0 ? none : { uses, given, problems }
}

/**
 * What is wrong with the local ids of a batch: a name is given once for a type, and means something from the next operation
 * on. All of it is known before anything is run; operation by operation.
 */
export function localIdProblems(operations: readonly LocalIds[]): readonly (readonly Problem[])[] {
  const known = new Set<string>()
  return operations.map(({ uses, given, problems: malformed }) => {
    if (uses.length === 0 && given === null) return malformed
    const problems = [...malformed]
    for (const use of uses) {
      if (!known.has(localName(use))) problems.push(problemOf('LOCAL_ID_NOT_FOUND', use))
    }
    if (given === null) return problems
    if (known.has(localName(given))) problems.push(problemOf('LOCAL_ID_CONFLICT', given))
    known.add(localName(given))
    return problems
  })
}

function problemOf(code: 'LOCAL_ID_NOT_FOUND' | 'LOCAL_ID_CONFLICT', { type, lid, pointer: at }: LocalId): Problem {
  return problem(code, { type, lid }, { source: { pointer: at } })
}

function noteUse(identifier: Members, at: string, uses: LocalId[]): void {
  const use = identifier['id'] === undefined ? localId(identifier, at) : null
  if (use !== null) uses.push(use)
}

function localId(named: Members, at: string): LocalId | null {
  const lid = localIdOf(named)
  const { type } = named
  return lid === null || typeof type !== 'string' ? null : { type, lid, pointer: `${at}/lid` }
}

function isOfRelationship(ref: unknown): boolean {
  return isPlainObject(ref) && ref['relationship'] !== undefined
}

/** A resource is named by its id, or by what an earlier operation called it. */
export function nameProblems({ id, lid }: Members, at: string): readonly Problem[] {
  if (lid !== undefined && typeof lid !== 'string') {
    return [problem('RESOURCE_IDENTIFIER_LID_INVALID', {}, { source: { pointer: `${at}/lid` } })]
  }
  return id === undefined || lid === undefined || lid === ''
    ? []
    : [invalid("an identifier has 'id' or 'lid', not both", at)]
}
