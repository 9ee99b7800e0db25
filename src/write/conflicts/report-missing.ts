import { failAll, problem } from '../../errors/json-api-error.js'
import type { StoreConflict } from '../../resource/capabilities/store-conflict.js'
import { resolveMembers } from '../linkage/resolve-members.js'
import type { ReadContext } from '../../read/read-context.js'
import type { SentLinkageChange } from './document-row.js'

/**
 * 404 with the identifiers of linkage whose resources a store no longer found: somebody has deleted them meanwhile. Where
 * all are there, the declarations say something else than the store: the author's fault.
 */
export async function reportMissing(
  linkages: readonly Pick<SentLinkageChange, 'relation' | 'added'>[],
  conflict: StoreConflict,
  { context, open, services }: ReadContext,
): Promise<never> {
  const { maxErrors: limit } = services
  await resolveMembers(linkages, { context, open, limit })
  // Of what nobody reads only the store knows that it is not there.
  const unread = linkages.flatMap(({ relation, added }) => {
    return added.filter(({ type }) => relation.related.get(type)?.provider === null)
  })
  if (unread.length === 0) throw conflict
  const problems = unread.map(({ type, id, pointer }) => {
    return problem('RELATED_RESOURCE_NOT_FOUND', { type, id }, { source: { pointer } })
  })
  failAll(problems.slice(0, limit), { cause: conflict })
}
