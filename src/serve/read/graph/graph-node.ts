import type { LoadedRelationship, ResourceNode, ResourceRows } from '../../operation/response-value.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { guardHides, isGuarded } from '../../../declare/resource/fields/field-guard.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowObject } from '../../../core/rows/row-set.js'

/** A relationship that was read, with its members if the document shows them as resources. */
export interface ReadRelationship extends LoadedRelationship {
  /** `null` if only the linkage was read. */
  readonly members: readonly GraphNode[] | null
}

/** A resource of the document while the document is built: relationships are added to it when they are read. */
export interface GraphNode extends ResourceNode {
  /** Replaced, together with `row`, if values are added to the row. */
  rows: ResourceRows
  row: Row
  /** Created for the first relationship that is read, since no relationship is read of most included resources. */
  relationships: Map<string, ReadRelationship> | null
  /** Whether it is primary data. Relationship queries apply only to these resources, even if they are also included. */
  readonly isPrimary: boolean
  /** Whether the linkage that is always shown has been read. */
  isLinked: boolean
}

export function primaryNode(rows: ResourceRows, row: Row, meta: ResourceNode['meta'] = null): GraphNode {
  return { rows, row, meta, relationships: null, isPrimary: true, isLinked: false }
}

export function includedNode(rows: ResourceRows, row: Row): GraphNode {
  return { rows, row, meta: null, relationships: null, isPrimary: false, isLinked: false }
}

/** Returns the rows of a type as primary resources of the document. */
export function nodesOf(served: ServedType, { columns, rows }: RowSet): readonly GraphNode[] {
  const shared = { served, columns }
  return rows.map((row) => primaryNode(shared, row))
}

export function objectOf({ rows, row }: Pick<ResourceNode, 'rows' | 'row'>): RowObject {
  return rowObject(rows.columns, row)
}

/** Whether a predicate or a guard hides a relation of this resource from this request. */
export function hidesRelation(node: GraphNode, { spec }: ServedRelation, context: RequestContext): boolean {
  const { hidden } = spec
  if (typeof hidden !== 'function' && !isGuarded(spec)) return false
  const row = objectOf(node)
  return guardHides(spec, row) || (typeof hidden === 'function' && hidden(row, context))
}

export function setRelationship(node: GraphNode, name: string, read: ReadRelationship): void {
  node.relationships ??= new Map()
  node.relationships.set(name, read)
}
