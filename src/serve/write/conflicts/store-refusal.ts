import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { StoreConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { ReadContext } from '../../read/read-context.js'
import { declaredOrder } from './taken-problems.js'
import { resolveMembers } from '../linkage/resolve-members.js'
import type { SentLinkageChange } from './document-row.js'

/** Returns the problems to report to the client for a conflict. */
type FindProblems = (request: ReadContext) => Awaitable<readonly Problem[]>

/** The error of a conflict with values of the body. It rolls the transactions back before it is reported. */
export class StoreRefusal extends Error {
  readonly conflict: StoreConflict
  readonly findProblems: FindProblems

  constructor(conflict: StoreConflict, findProblems: FindProblems) {
    super(conflict.message, { cause: conflict })
    this.conflict = conflict
    this.findProblems = findProblems
  }
}

/**
 * Reports an error that a write has thrown: a store refusal with the problems of the body, any other error as it is.
 * The transactions have been rolled back, so that further conflicts, which the store did not report, can be read.
 *
 * @param served the type of the document
 */
export async function reportRefusal(thrown: unknown, { type }: ServedType, request: ReadContext): Promise<never> {
  if (!(thrown instanceof StoreRefusal)) throw thrown
  const { conflict, findProblems } = thrown
  const problems = declaredOrder(type, await findProblems(request))
  const distinct = problems.filter((each, index) => index === problems.findIndex((other) => isSame(each, other)))
  failAll(distinct.slice(0, request.services.maxErrors), { cause: conflict })
}

/** Whether two problems are the same: several unique sets may lead to the same problem of one member. */
function isSame(one: Problem, other: Problem): boolean {
  return isDeepStrictEqual([one.context, one.source], [other.context, other.source])
}

/**
 * Fails with 404 for the identifiers of linkage whose resources were deleted since they were read. Rethrows the
 * conflict if all of them exist: then the declarations do not match the foreign keys of the store, a fault of the
 * application.
 */
export async function reportMissing(
  linkages: readonly Pick<SentLinkageChange, 'relation' | 'added'>[],
  conflict: StoreConflict,
  { context, open, services }: ReadContext,
): Promise<never> {
  const { maxErrors: limit } = services
  await resolveMembers(linkages, { context, open, limit })
  // Resources of types without a provider cannot be read: only the store knows that they are missing.
  const unreadable = linkages.flatMap(({ relation, added }) => {
    return added.filter(({ type }) => relation.related.get(type)?.provider === null)
  })
  if (unreadable.length === 0) throw conflict
  const problems = unreadable.map(({ type, id, pointer }) => {
    return problem('RELATED_RESOURCE_NOT_FOUND', { type, id }, { source: { pointer } })
  })
  failAll(problems.slice(0, limit), { cause: conflict })
}
