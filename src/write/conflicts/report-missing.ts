import { failAll, problem } from '../../errors/json-api-error.js'
import type { StoreConflict } from '../../resource/capabilities/store-conflict.js'
import { resolveMembers } from '../linkage/resolve-members.js'
import type { ReadContext } from '../../read/read-context.js'
import type { SentLinkageChange } from './document-row.js'

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
