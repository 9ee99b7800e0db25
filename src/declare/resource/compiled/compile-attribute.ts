import type { CompiledAttribute } from './compiled-type.js'
import type { AttributeSpec } from '../fields/attribute-declaration.js'
import { checksRow } from '../fields/field-guard.js'

export function compileAttribute(name: string, spec: AttributeSpec): CompiledAttribute {
  return Object.freeze({
    name,
    spec,
    column: columnOf(name, spec),
    valueColumn: spec.on === null ? columnOf(name, spec) : flattenedColumn(name, spec.on, spec),
    readColumns: readColumns(name, spec),
  })
}

function columnOf(name: string, spec: AttributeSpec): string | null {
  if (spec.computed || spec.on !== null || spec.kind.children === 'columns') return null
  return spec.storedAs ?? name
}

/** Returns the name under which reads add the value of a flattened attribute to a row: `on(artist).name`. */
function flattenedColumn(name: string, path: readonly string[], { storedAs }: AttributeSpec): string {
  return `on(${path.join('.')}).${storedAs ?? name}`
}

function readColumns(name: string, spec: AttributeSpec): readonly string[] | null {
  if (spec.extract !== null || spec.serialize !== null || typeof spec.hidden === 'function') return null
  if (checksRow(spec)) return null
  if (spec.kind.children !== 'columns') {
    const column = columnOf(name, spec)
    return Object.freeze(column === null ? [] : [column])
  }
  const columns: string[] = []
  for (const [child, childSpec] of Object.entries(spec.children)) {
    const needed = readColumns(child, childSpec)
    if (needed === null) return null
    columns.push(...needed)
  }
  return Object.freeze(columns)
}

/**
 * Returns whether clients read an object of columns, which is never null, even if all columns are. They may send null to clear the
 * columns.
 */
export function readsColumns({ kind, computed, serialize, extract }: AttributeSpec): boolean {
  return kind.children === 'columns' && !computed && serialize === null && extract === null
}
