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
import { containsLinkage, rowLinkage } from '../../declare/resource/reading/row-linkage.js'
import { shownValue } from '../../declare/resource/reading/shown-value.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { ResourceNode } from '../operation/response-value.js'
import { hasRowPredicate } from './relationships-writer.js'

/**
 * Returns the cells of a row, in the order of `cellNames()`. A cell that the client may not see, or that cannot be shown, is `undefined`. All rows
 * share the list: it is valid until the next row.
 */
export type ExportReader = (
  node: ResourceNode,
  context: RequestContext,
  onUnshown: (thrown: unknown, id: string) => void,
) => readonly unknown[]

/** A column of an export for rows with certain columns: it sets its cells, from its position on. */
type SetCells = (cells: unknown[], node: ResourceNode, object: RowObject | null, context: RequestContext) => void

/** Returns the names of the cells of each row. */
export function cellNames(columns: readonly ExportColumn[]): readonly string[] {
  return ['id', ...columns.flatMap(namesOf)]
}

function namesOf(column: ExportColumn): readonly string[] {
  const { name } = column
  if (column.kind === 'attribute') return [name]
  return column.hasTypes ? [`${name}.type`, `${name}.id`] : [`${name}.id`]
}

/** Compiles the reader of an export for rows with these columns. */
export function exportReader(
  { type }: ServedType,
  columns: readonly ExportColumn[],
  rowColumns: readonly string[],
): ExportReader {
  const keyOf = keyReader(rowColumns, type.id.column)
  const cells: unknown[] = cellNames(columns).map(() => undefined)
  let position = 1
  const setters = columns.map((column) => {
    const [from, width] = [position, namesOf(column).length]
    position += width
    return { from, to: position, set: cellsOf(column, from, rowColumns) }
  })
  const needsObject = columns.some((column) =>
    column.kind === 'attribute'
      ? needsRowObject(column.attribute)
      : hasRowPredicate({ relation: column.relation, onlyWhenLoaded: false }),
  )
  return (node, context, onUnshown) => {
    const object = needsObject ? rowObject(rowColumns, node.row) : null
    const id = type.id.encode(keyOf(node.row))
    cells[0] = id
    for (const { from, to, set } of setters) {
      try {
        set(cells, node, object, context)
      } catch (thrown) {
        onUnshown(thrown, id)
        cells.fill(undefined, from, to)
      }
    }
    return cells
  }
}

function cellsOf(column: ExportColumn, position: number, rowColumns: readonly string[]): SetCells {
  if (column.kind === 'attribute') {
    const [read, shown] = [attributeReader(column.attribute, rowColumns), shownValue(column.attribute)]
    return (cells, { row }, object, context) => {
      const value = read(row, object, context)
      cells[position] = value === absent ? undefined : shown(value)
    }
  }
  const { relation, hasTypes } = column
  const { spec, name } = relation
  const inRow = containsLinkage(relation, rowColumns) ? rowLinkage(relation, rowColumns) : null
  return (cells, { row, relationships }, object, context) => {
    const isHidden = isHiddenFrom(spec, object ?? {}, context)
    const loaded = relationships?.get(name)?.data as Identifier | null | undefined
    const member = loaded === undefined ? (inRow?.(row) ?? null) : loaded
    if (hasTypes) cells[position] = isHidden ? undefined : (member?.type ?? null)
    cells[hasTypes ? position + 1 : position] = isHidden ? undefined : (member?.id ?? null)
  }
}
