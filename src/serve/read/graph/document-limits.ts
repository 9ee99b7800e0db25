import { JsonApiError, fail } from '../../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RelationRead } from '../plan/relation-read.js'
import { limitedRead } from '../plan/relation-read.js'
import type { ReadContext } from '../read-context.js'
import type { RelatedRows } from '../rows/related-rows.js'

/** The limits of a document, and what it already contains. */
export interface DocumentCounts {
  /** The number of resources of each type that other paths may lead to as well. They are not added again. */
  readonly knownOf: Map<ServedType, number>
  readonly included: readonly unknown[]
  /** The maximum number of included resources. */
  readonly limit: number
  /** The number of identifiers in linkage, without the first one of each included resource. */
  linkageCount: number
  readonly linkageLimit: number
}

/** A relation to read for several resources. */
export interface CountedRead {
  readonly relation: ServedRelation
  readonly parents: ReadonlySet<object>
  /** The parents whose members are shown as resources, and not only as linkage. */
  readonly showing: ReadonlySet<object>
}

/**
 * Lets the store stop reading members as soon as the document has too many. Without it, the store reads all members
 * before the request is refused.
 */
export function limitedToDocument(read: RelationRead, job: CountedRead, counts: DocumentCounts): RelationRead {
  const { relation, showing } = job
  const { toMany } = relation.spec.traits
  const identifiers = counts.linkageLimit - counts.linkageCount
  if (showing.size === 0) return toMany ? limitedRead(read, identifiers) : read
  return limitedRead(read, resourcesLeft(relation, counts) + (toMany && hasOtherIdentifiers(job) ? identifiers : 0))
}

/** Returns the number of different members that can be read before the document has too many resources. */
function resourcesLeft({ related }: ServedRelation, { limit, included, knownOf }: DocumentCounts): number {
  let left = limit - included.length
  for (const served of related.values()) left += knownOf.get(served) ?? 0
  return left
}

/** Counts a resource that other paths may lead to as well. */
export function countKnown({ knownOf }: DocumentCounts, served: ServedType): void {
  knownOf.set(served, (knownOf.get(served) ?? 0) + 1)
}

/** Whether linkage may have other identifiers than the first one of each included resource: if parents share members. */
function hasOtherIdentifiers({ relation, parents, showing }: CountedRead): boolean {
  return showing.size < parents.size || (parents.size > 1 && relation.storage.kind !== 'relatedKey')
}

/**
 * Counts the identifiers of to-many relationships, without the first one of each included resource. Fails if a document would
 * have too many, or if the read has stopped for that reason.
 */
export function countMembers(
  job: CountedRead,
  { sets, groups, beyondLimit }: RelatedRows,
  counts: DocumentCounts,
  request: ReadContext,
): void {
  const { relation, parents, showing } = job
  if (beyondLimit !== undefined) {
    const isResource = showing.size > 0 && beyondLimit.rows > resourcesLeft(relation, counts)
    return isResource ? refuseIncluded(counts.limit) : refuseLinkage(job, counts, request)
  }
  if (!relation.spec.traits.toMany || !hasOtherIdentifiers(job)) return
  let [shown, others, position] = [0, 0, 0]
  for (const parent of parents) {
    const count = groups[position++]?.members.length ?? 0
    if (showing.has(parent)) shown += count
    else others += count
  }
  let rows = 0
  for (const set of sets) rows += set.rows.rows.length
  counts.linkageCount += others + Math.max(0, shown - rows)
  if (counts.linkageCount > counts.linkageLimit) refuseLinkage(job, counts, request)
}

export function refuseIncluded(limit: number): never {
  return fail('LIMIT_EXCEEDED', { limit, subject: 'included resources' }, { source: { parameter: 'include' } })
}

function refuseLinkage(
  { relation, showing }: CountedRead,
  { linkageLimit }: DocumentCounts,
  request: ReadContext,
): never {
  const { type } = relation.owner
  const isRequested = request.query.withLinkage.get(type)?.has(relation.name) === true
  const parameter = showing.size > 0 ? 'include' : `${isRequested ? 'withLinkage' : 'fields'}[${type}]`
  return fail('LIMIT_EXCEEDED', { limit: linkageLimit, subject: 'identifiers in linkage' }, { source: { parameter } })
}

/** The number of to-many relations that are read concurrently: each of them may read as many rows as are left. */
const MAX_CONCURRENT = 4

/** Splits the reads of a level into groups that are read one after the other, so that each group counts the members before it. */
export function concurrentGroups<Read extends CountedRead>(jobs: readonly Read[]): readonly (readonly Read[])[] {
  const groups: Read[][] = []
  let large = MAX_CONCURRENT
  for (const job of jobs) {
    const { toMany } = job.relation.spec.traits
    if (groups.length === 0 || (toMany && large === MAX_CONCURRENT)) {
      groups.push([])
      large = 0
    }
    groups.at(-1)?.push(job)
    if (toMany) large += 1
  }
  return groups
}

/** Whether a document that exceeds a limit is refused. The document of a write is not: the write is already committed. */
export function refusesDocument({ context }: ReadContext): boolean {
  if (context.operation !== 'CustomAction') return context.operation.startsWith('Fetch')
  const method = context.request?.method
  return method === 'GET' || method === 'HEAD'
}

export function isLimitExceeded(thrown: unknown): boolean {
  return JsonApiError.is(thrown) && thrown.problems.some(({ code }) => code === 'LIMIT_EXCEEDED')
}
