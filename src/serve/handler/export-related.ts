import type { ExportFormat } from '../../declare/resource/parts/export.js'
import { exportOfMembers } from '../../declare/resource/reading/export-columns.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { primaryNode } from '../read/graph/graph-node.js'
import { readRelation } from '../read/graph/read-relation.js'
import { type ExportTarget, planExport } from '../read/plan/export-plan.js'
import { relationRead, usesWholeMembers } from '../read/plan/relation-read.js'
import type { ReadContext } from '../read/read-context.js'
import { relatedMemberReader } from '../read/rows/related-rows.js'
import { type ExportSource, exportRows } from './export-rows.js'

type RelationTarget = Extract<ExportTarget, { readonly kind: 'related' }>

/** GET `/{type}/{id}/{rel}`, in a format of the export of the related type. The parent is read before the snapshot begins. */
export async function exportRelated(
  { target, format }: { readonly target: RelationTarget; readonly format: ExportFormat },
  readParent: () => Promise<GraphNode>,
  request: ReadContext,
): Promise<ResponseValue> {
  const { subject: relation } = target
  const options = exportOfMembers(relation)
  const [served] = relation.related.values()
  if (options === null || served === undefined) throw new TypeError(`The members of '${relation.name}' have no export.`)
  const plan = await planExport(served, target, options, request)
  const parent = await readParent()
  const { document, list } = plan
  const columnsOf = usesWholeMembers(relation) ? () => null : document.primaryColumns
  const members = relationRead(relation, { query: list, parameters: [], columnsOf, flagsOf: document.flags })
  const readPart: ExportSource['readPart'] = async (window, inSnapshot) => {
    const part = { ...members, criteria: { ...members.criteria, window } }
    const { related } = await readRelation(relation, [parent], part, inSnapshot)
    const nodeOf = relatedMemberReader(related, ({ rows: { columns } }) => {
      const shared = { served, columns }
      return (row) => primaryNode(shared, row)
    })
    const [group] = related.groups
    const { more = false, edges = null } = group ?? {}
    return { nodes: (group?.members ?? []).map(nodeOf), more, edges }
  }
  return exportRows({ served, format, options, plan, readPart }, request)
}
