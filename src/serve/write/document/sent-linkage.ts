import { pointer } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { problem, failAll } from '../../../core/errors/json-api-error.js'
import type { RequestServices } from '../../read/read-context.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { memoize } from '../../../core/util/memoize.js'
import type { ResourceDocument } from './resource-document.js'

/** A resource identifier of a body. Its structure is checked, but not whether the resource exists. */
export interface SentIdentifier {
  readonly type: string
  readonly id: string
  /** The fields of the join row: `meta.pivot`. */
  readonly pivot: Readonly<Record<string, unknown>>
  /** The JSON pointer to the identifier in the body. */
  readonly pointer: string
}

/** The linkage of a relation in a body. */
export interface SentLinkage {
  readonly relation: ServedRelation
  /** In the order of the body; at most one for a to-one relation. */
  readonly members: readonly SentIdentifier[]
  /** The JSON pointer to the linkage in the body: the member `data`. */
  readonly pointer: string
}

/** Linkage as it was sent, or the problems that make it invalid. */
export type ReadLinkage =
  | { readonly linkage: SentLinkage; readonly problems: readonly [] }
  | { readonly linkage: null; readonly problems: readonly Problem[] }

/**
 * Reads the linkage of a relationship, and checks its structure.
 *
 * https://jsonapi.org/format/1.1/#document-resource-object-linkage
 *
 * @param at the JSON pointer to the linkage
 * @param limit the maximum number of identifiers
 */
export function readLinkage(relation: ServedRelation, data: unknown, at: string, limit: number): ReadLinkage {
  const { toMany } = relation.spec.traits
  if (Array.isArray(data) !== toMany) {
    return { linkage: null, problems: [inappropriate(relation, at)] }
  }
  if (Array.isArray(data) && data.length > limit) {
    const source = { pointer: at }
    const subject = 'identifiers in one relationship'
    return { linkage: null, problems: [problem('LIMIT_EXCEEDED', { limit, subject }, { source })] }
  }
  if (!toMany && isIdentifier(data)) {
    return { linkage: { relation, members: [identifierIn(data, at)], pointer: at }, problems: [] }
  }
  const sent: readonly (readonly [identifier: unknown, at: string])[] = toMany
    ? (data as readonly unknown[]).map((identifier, index) => [identifier, `${at}${pointer(index)}`])
    : data === null
      ? []
      : [[data, at]]
  const problems = sent.flatMap(([identifier, identifierPointer]) => identifierProblems(identifier, identifierPointer))
  if (problems.length > 0) return { linkage: null, problems }
  const members = sent.map(([identifier, identifierPointer]) => identifierIn(identifier, identifierPointer))
  return { linkage: { relation, members, pointer: at }, problems: [] }
}

export function inappropriate({ name, spec }: ServedRelation, at: string): Problem {
  const cardinality = spec.traits.toMany ? 'to-many' : 'to-one'
  return problem('RELATIONSHIP_TYPE_INAPPROPRIATE', { relationship: name, cardinality }, { source: { pointer: at } })
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function identifierProblems(identifier: unknown, at: string): readonly Problem[] {
  if (!isPlainObject(identifier)) {
    const message = 'a resource identifier is an object'
    return [problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: at } })]
  }
  if (isIdentifier(identifier)) return none
  const { lid } = identifier
  if (Object.hasOwn(identifier, 'lid') && lid !== '') {
    const source = { pointer: `${at}/lid` }
    if (typeof lid !== 'string') return [problem('RESOURCE_IDENTIFIER_LID_INVALID', {}, { source })]
    // A local id is only meaningful if an earlier operation of the same request has defined it.
    return [problem('LOCAL_ID_NOT_SUPPORTED', { lid }, { source })]
  }
  return [...memberProblems(identifier, at, 'type'), ...memberProblems(identifier, at, 'id')]
}

const none: readonly Problem[] = Object.freeze([])

/** Whether a value is a valid resource identifier with an id. */
function isIdentifier(value: unknown): boolean {
  if (!isPlainObject(value) || Object.hasOwn(value, 'lid')) return false
  const { type, id } = value
  // `Object.hasOwn()` ignores members of a polluted `Object.prototype`.
  return (
    typeof type === 'string' && typeof id === 'string' && Object.hasOwn(value, 'type') && Object.hasOwn(value, 'id')
  )
}

const codes = Object.freeze({
  type: Object.freeze({ missing: 'RESOURCE_IDENTIFIER_TYPE_MISSING', invalid: 'RESOURCE_IDENTIFIER_TYPE_INVALID' }),
  id: Object.freeze({ missing: 'RESOURCE_IDENTIFIER_ID_MISSING', invalid: 'RESOURCE_IDENTIFIER_ID_INVALID' }),
} as const)

function memberProblems(
  identifier: Readonly<Record<string, unknown>>,
  at: string,
  member: 'type' | 'id',
): readonly Problem[] {
  const { missing, invalid } = codes[member]
  if (!Object.hasOwn(identifier, member)) return [problem(missing, {}, { source: { pointer: at } })]
  if (typeof identifier[member] === 'string') return []
  return [problem(invalid, {}, { source: { pointer: `${at}/${member}` } })]
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({})

function identifierIn(identifier: unknown, at: string): SentIdentifier {
  const { type, id, meta } = identifier as { readonly type: string; readonly id: string; readonly meta?: unknown }
  return { type, id, pivot: meta === undefined ? nothing : sentPivot(identifier), pointer: at }
}

/** Returns the fields of the join row that an identifier has. */
export function sentPivot(identifier: unknown): SentIdentifier['pivot'] {
  const { meta } = identifier as { readonly meta?: unknown }
  return isPlainObject(meta) && isPlainObject(meta['pivot']) ? meta['pivot'] : nothing
}

/**
 * Returns the linkage of a resource object, for the relations that the client may write. A relationship without `data`
 * is skipped: it does not name its members, and responses of the server often contain such relationships. Fails
 * with 400 for everything that is not valid linkage.
 */
export function sentRelationships(
  document: ResourceDocument,
  writable: readonly ServedRelation[],
  { maxErrors, maxIdentifiers }: Pick<RequestServices, 'maxErrors' | 'maxIdentifiers'>,
): readonly SentLinkage[] {
  const { sent, problems } = readRelationships(document, writable, maxIdentifiers)
  if (problems.length > 0) failAll(problems.slice(0, maxErrors))
  return sent
}

interface ReadRelationships {
  readonly sent: readonly SentLinkage[]
  readonly problems: readonly Problem[]
}

/**
 * Returns the linkage of a resource object together with its problems, instead of failing.
 *
 * @param limit the maximum number of identifiers in one relationship
 */
export function readRelationships(
  { relationships }: Pick<ResourceDocument, 'relationships'>,
  writable: readonly ServedRelation[],
  limit: number,
): ReadRelationships {
  const problems: Problem[] = []
  const sent: SentLinkage[] = []
  for (const relation of writable) {
    if (!Object.hasOwn(relationships, relation.name)) continue
    const relationship = relationships[relation.name]
    const at = relationshipPointer(relation)
    if (!isPlainObject(relationship)) {
      const message = 'a relationship is an object'
      problems.push(problem('REQUEST_BODY_INVALID_JSON_API', { message }, { source: { pointer: at } }))
    } else if (Object.hasOwn(relationship, 'data')) {
      const read = readLinkage(relation, relationship['data'], `${at}/data`, limit)
      problems.push(...read.problems)
      if (read.linkage !== null) sent.push(read.linkage)
    }
  }
  return { sent, problems }
}

/** Returns the JSON pointer to a relationship. Memoized, because it is needed for each request. */
export const relationshipPointer: (relation: ServedRelation) => string = memoize(({ name }: ServedRelation): string =>
  pointer('data', 'relationships', name),
)

/** Fails with 409 for every identifier whose type the relation does not accept. */
export function checkTypes(linkages: readonly SentLinkage[], limit: number): void {
  const problems: Problem[] = []
  for (const { relation, members } of linkages) {
    for (const { type, pointer: at } of members) {
      if (relation.related.has(type)) continue
      const accepted = [...relation.related.keys()].join(', ')
      const source = { pointer: `${at}/type` }
      problems.push(problem('RESOURCE_TYPE_UNACCEPTABLE', { type, accepted }, { source }))
    }
  }
  if (problems.length > 0) failAll(problems.slice(0, limit))
}

/** Returns the abilities of `security({ mutate })` of relations that a document sends. */
export function abilitiesOf(sent: readonly Pick<SentLinkage, 'relation'>[]): readonly string[] {
  const abilities: string[] = []
  for (const { relation } of sent) {
    const ability = relation.spec.security?.mutate
    if (typeof ability === 'string' && !abilities.includes(ability)) abilities.push(ability)
  }
  return abilities
}
