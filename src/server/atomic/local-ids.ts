import { pointer } from '../../core/document/json-pointer.js'
import { problem } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { ProblemCollector } from './problem-collector.js'
import { invalidBatch } from './problem-collector.js'

/** A local id. It is valid within its batch only; resources of different types may have the same `lid`. */
export interface LocalId {
  readonly type: string
  readonly lid: string
}

/** An identifier in an operation that refers to a resource by local id. */
export interface LocalIdUse extends LocalId {
  /** The path from the operation to the identifier. */
  readonly path: PointerPath
}

/** The local ids of one operation. */
export interface LocalIds {
  /** The references to resources that earlier operations add. */
  readonly uses: readonly LocalIdUse[]
  /** The local id of the resource that the operation itself adds; `null` without one. */
  readonly added: LocalId | null
}

/** Whether an operation writes a relationship, and which relations exist: other local ids are ignored. */
export interface LocalIdScope {
  /** `null` if the target of the operation is invalid; its data is not checked then. */
  readonly isRelationship: boolean | null
  readonly hasRelation: (type: string, name: string) => boolean
}

const none: LocalIds = Object.freeze({ uses: Object.freeze([]), added: null })

/** Returns the local id of an identifier. An empty string is no local id. */
export function localIdOf({ lid }: JsonMembers): string | null {
  return typeof lid === 'string' && lid !== '' ? lid : null
}

export function localIdKey({ type, lid }: LocalId): string {
  return `${type.length} ${type}${lid}`
}

/** Returns the pointer of a local id in the document. `at` is the pointer of the operation. */
export function localIdPointer({ path }: LocalIdUse, at: string): string {
  return `${at}${pointer(...path)}/lid`
}

/** Finds the local ids of an operation. Invalid structure is skipped here: other checks report it. */
export function localIdsIn(operation: JsonMembers, { isRelationship, hasRelation }: LocalIdScope): LocalIds {
  const { op, ref, data } = operation
  const uses: LocalIdUse[] = []
  const collect = (identifier: JsonMembers, path: PointerPath): boolean => {
    const { type, id } = identifier
    const lid = id === undefined ? localIdOf(identifier) : null
    if (lid !== null && typeof type === 'string') uses.push({ type, lid, path: path })
    return true
  }
  // The 'ref' of an added resource repeats its own local id, so it refers to no earlier resource.
  if (isPlainObject(ref) && (op !== 'add' || isRelationship === true)) collect(ref, ['ref'])
  if (isRelationship === true) visitLinkage(data, ['data'], collect)
  else if (isRelationship === false && op !== 'remove' && isPlainObject(data)) {
    if (op === 'update') collect(data, ['data'])
    visitEmbeddedLinkage(data, relationsOf(data, hasRelation), (identifier, path) =>
      collect(identifier, ['data', ...path]),
    )
  }
  const given = op === 'add' && isRelationship !== true && isPlainObject(data) ? addedLocalId(data) : null
  return uses.length === 0 && given === null ? none : { uses, added: given }
}

/**
 * Checks the local ids of an operation. Two operations must not add the same local id of a type, and a local id can be
 * used from the next operation on.
 *
 * @param known the local ids that earlier operations add
 */
export function checkLocalIds(
  { uses, added: given }: LocalIds,
  at: string,
  known: Set<string>,
  faults: ProblemCollector,
): void {
  for (const use of uses) {
    if (faults.isFull()) return
    if (!known.has(localIdKey(use))) {
      const { type, lid } = use
      faults.report(problem('LOCAL_ID_NOT_FOUND', { type, lid }, { source: { pointer: localIdPointer(use, at) } }))
    }
  }
  if (given === null) return
  const { type, lid } = given
  if (known.has(localIdKey(given))) {
    faults.report(problem('LOCAL_ID_CONFLICT', { type, lid }, { source: { pointer: `${at}/data/lid` } }))
  }
  known.add(localIdKey(given))
}

/** Checks the local id of an identifier: it is a string, and an identifier with a local id has no id. */
export function checkLid({ id, lid }: JsonMembers, at: () => string, faults: ProblemCollector): void {
  if (lid === undefined) return
  if (typeof lid !== 'string') {
    faults.report(problem('RESOURCE_IDENTIFIER_LID_INVALID', {}, { source: { pointer: `${at()}/lid` } }))
  } else if (lid !== '' && id !== undefined) {
    faults.report(invalidBatch("an identifier has 'id' or 'lid', not both", at()))
  }
}

/** Returns a function that returns whether a name is a relation of the type of a resource object. */
export function relationsOf({ type }: JsonMembers, has: LocalIdScope['hasRelation']): (name: string) => boolean {
  return typeof type === 'string' ? (name) => has(type, name) : () => false
}

function addedLocalId(data: JsonMembers): LocalId | null {
  const lid = localIdOf(data)
  const { type } = data
  return lid === null || typeof type !== 'string' ? null : { type, lid }
}

/** The path from an operation, or from its data, to a part of it, as the tokens of a JSON pointer. */
export type PointerPath = readonly (string | number)[]

/** Visits an identifier. Returns whether to continue. */
type Visit = (identifier: JsonMembers, path: PointerPath) => boolean

/** Visits the identifiers of linkage, one or a list, until `visit` returns false. Returns false if it stopped. */
function visitLinkage(linkage: unknown, path: PointerPath, visit: Visit): boolean {
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
