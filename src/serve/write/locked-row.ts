import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, primaryNode, setRelationship } from '../read/graph/graph-node.js'
import type { OpenTransactions } from '../read/read-context.js'
import { guardFlags, linkageFlag } from '../read/plan/row-flags.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import type { RowFlag } from '../../declare/resource/capabilities/provider.js'
import { isSet } from '../../core/rows/row-set.js'
import { containsLinkage, linkageNeedsFlag, rowLinkage } from '../../declare/resource/reading/row-linkage.js'
import { invariant } from '../../core/util/invariant.js'
import { guardsOfMembers } from './document/writable-members.js'
import type { UpdateWrite } from './prepare-write.js'

/** The values of flags, by name. A store may have left some out, or all. */
export type FlagValues = ReadonlyMap<string, boolean>

/** A row that is locked until the transaction ends. */
export interface LockedRow {
  /** The resource, without flags, since user-defined code gets the row. It has the linkage that flags decide about. */
  readonly node: GraphNode
  readonly flags: FlagValues
}

/** Reads and locks the row to update, with the flags that the checks and the response need. */
export async function lockedRow(write: UpdateWrite, open: OpenTransactions): Promise<LockedRow> {
  const { served, document, linkages, request } = write
  const flags = flagsOf(write)
  // The flags of the response are the same list as long as the plan is cached.
  const cacheKey = flags === write.plan.flags(served) ? write.plan : undefined
  const options = { ...request, open, ...(flags.length > 0 && { flags, cacheKey }), forChange: true }
  const found = await fetchRow(served, document.id ?? '', null, options)
  const [flagged] = nodesOf(served, found)
  invariant(flagged !== undefined, `a resource of '${served.type.type}' was found, and has no row`)
  const { columns } = found
  const read = flags.filter(({ name }) => columns.includes(name)).map(({ name }) => name)
  if (read.length === 0) return { node: flagged, flags: new Map() }
  const positions = columns.flatMap((column, position) => (read.includes(column) ? [] : [position]))
  const node = primaryNode(
    { served, columns: positions.map((position) => columns[position] ?? '') },
    positions.map((position) => flagged.row[position]),
  )
  for (const { relation } of linkages) {
    if (!linkageNeedsFlag(relation) || !containsLinkage(relation, columns)) continue
    const data = rowLinkage(relation, columns)(flagged.row)
    setRelationship(node, relation.name, { data, total: null, page: null, members: null })
  }
  return { node, flags: new Map(read.map((name) => [name, isSet(flagged.row[columns.indexOf(name)])])) }
}

/** Returns the flags of the fields that may be written, of the linkage that was sent, and of the fields in the response. */
function flagsOf({ served, plan, writable, linkages }: UpdateWrite): readonly RowFlag[] {
  const guards = guardsOfMembers(writable).filter(({ checksRow }) => !checksRow)
  const sent = linkages.flatMap(({ relation }) => (linkageNeedsFlag(relation) ? [linkageFlag(relation)] : []))
  const shown = plan.flags(served)
  return guards.length + sent.length === 0 ? shown : [...new Set([...guardFlags(served, guards), ...sent, ...shown])]
}
