import { workContext } from '../../hooks/work-context.js'
import { nodesOf, objectOf } from '../../read/graph/graph-node.js'
import type { OpenTransactions, ReadContext } from '../../read/read-context.js'
import { writeTransaction } from '../../read/read-context.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { idReader } from '../../../declare/resource/reading/row-linkage.js'
import { invariant } from '../../../core/util/invariant.js'
import { pointersInLinkage } from '../conflicts/document-row.js'
import { writeRow } from '../conflicts/write-row.js'
import type { SentLinkage } from '../document/sent-linkage.js'
import { checkTypes } from '../document/sent-linkage.js'
import { linkageChanges } from '../linkage/current-members.js'
import { ownerColumns } from '../linkage/owner-columns.js'
import { resolveMembers } from '../linkage/resolve-members.js'
import { memberMutations, withMembers } from './write-members.js'
import type { WriteOutcome } from './write-outcome.js'
import { setColumns } from './write-outcome.js'

/**
 * Links a new resource to itself, where its own linkage names its `lid`. The row is stored before, because only then is its id
 * known.
 */
export async function linkToItself(
  served: ServedType,
  outcome: WriteOutcome,
  linkages: readonly SentLinkage[],
  { open, request }: { readonly open: OpenTransactions; readonly request: ReadContext },
): Promise<WriteOutcome> {
  if (outcome.kind === 'accepted') return outcome
  let result: WriteOutcome = outcome
  const { context, services } = request
  for (const { relation, members, pointer } of linkages) {
    const [node] = result.kind === 'row' ? nodesOf(served, result.rows) : []
    if (node === undefined) return result
    const id = idReader(served, node.rows.columns)(node.row, context)
    const linkage = { relation, pointer, members: members.map((member) => ({ ...member, id })) }
    checkTypes([linkage], services.maxErrors)
    const mode = relation.spec.traits.toMany ? 'add' : 'replace'
    const changes = await linkageChanges(node, [linkage], mode, { ...request, open })
    const [change] = changes
    invariant(change !== undefined, `the linkage of '${relation.name}' makes no change`)
    const memberOf = await resolveMembers(changes, { context, open, limit: services.maxErrors })
    const row = objectOf(node)
    const values = await ownerColumns(changes, { memberOf, row, attributes: {} })
    const mutations = await memberMutations(changes, memberOf, context)
    const work = workContext(context, open, services)
    const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
    const ownRow = { served, row, values, clientId: null, pointers: pointersInLinkage(change) }
    const written = await writeRow(ownRow, [], () => setColumns(served, row, values, { write, services }))
    result = await withMembers(served, written, mutations, { open, write })
  }
  return result
}
