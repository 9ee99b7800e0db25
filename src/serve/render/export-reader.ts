import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { rowObject } from '../../core/rows/row-set.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { Identifier } from '../../declare/resource/parts/identifier.js'
import { keyReader } from '../../declare/resource/parts/key-columns.js'
import {
  absent,
  attributeReader,
  isHiddenFrom,
  needsRowObject,
} from '../../declare/resource/reading/attribute-reader.js'
import type { ExportColumn } from '../../declare/resource/reading/export-columns.js'
import { containsLinkage, rowLinkage } from '../../declare/resource/reading/row-identifiers.js'
import { shownValue } from '../../declare/resource/reading/shown-value.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { ResourceNode } from '../operation/response-value.js'
import { hasRowPredicate } from './relationships-writer.js'

/** Returns the cells of a row by name. A cell that the client may not see, or that cannot be shown, is `undefined`. */
export type ExportReader = (
  node: ResourceNode,
  context: RequestContext,
  onUnshown: (thrown: unknown, id: string) => void,
) => ReadonlyMap<string, unknown>

/** A column of an export for rows with certain columns: it adds its cells. */
type AddCells = (
  cells: Map<string, unknown>,
  node: ResourceNode,
  object: RowObject | null,
  context: RequestContext,
) => void

/** Compiles the reader of an export for rows with these columns. */
export function exportReader(
  { type }: ServedType,
  columns: readonly ExportColumn[],
  rowColumns: readonly string[],
): ExportReader {
  const keyOf = keyReader(rowColumns, type.id.column)
  const readers = columns.map((column) => ({ name: column.name, add: cellsOf(column, rowColumns) }))
  const needsObject = columns.some((column) =>
    column.kind === 'attribute'
      ? needsRowObject(column.attribute)
      : hasRowPredicate({ relation: column.relation, onlyWhenLoaded: false }),
  )
  return (node, context, onUnshown) => {
    const object = needsObject ? rowObject(rowColumns, node.row) : null
    const id = type.id.encode(keyOf(node.row))
    const cells = new Map<string, unknown>([['id', id]])
    for (const { name, add } of readers) {
      try {
        add(cells, node, object, context)
      } catch (thrown) {
        onUnshown(thrown, id)
        cells.set(name, undefined)
      }
    }
    return cells
  }
}

function cellsOf(column: ExportColumn, rowColumns: readonly string[]): AddCells {
  const { name } = column
  if (column.kind === 'attribute') {
    const [read, shown] = [attributeReader(column.attribute, rowColumns), shownValue(column.attribute)]
    return (cells, { row }, object, context) => {
      const value = read(row, object, context)
      cells.set(name, value === absent ? undefined : shown(value))
    }
  }
  const { relation, hasTypes } = column
  const { spec } = relation
  const inRow = containsLinkage(relation, rowColumns) ? rowLinkage(relation, rowColumns) : null
  return (cells, { row, relationships }, object, context) => {
    const isHidden = isHiddenFrom(spec, object ?? {}, context)
    const loaded = relationships?.get(name)?.data as Identifier | null | undefined
    const member = loaded === undefined ? (inRow?.(row) ?? null) : loaded
    if (hasTypes) cells.set(`${name}.type`, isHidden ? undefined : (member?.type ?? null))
    cells.set(`${name}.id`, isHidden ? undefined : (member?.id ?? null))
  }
}
