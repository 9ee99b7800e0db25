import type { CompiledType } from '../compiled-type.js'
import type { ForeignKey, Model } from '../model.js'
import { referenceColumn } from './relation-link.js'

/**
 * Returns the columns of a model that are foreign keys to the rows of a type. Composite foreign keys, and foreign keys
 * that do not refer to the `referenceColumn` of the type, are ignored: no relation can use them.
 */
export function foreignColumns(from: Model<unknown> | null, to: CompiledType): readonly string[] {
  const { model } = to
  if (model === null) return []
  const columns = validForeignKeys(from).flatMap(({ columns: keyColumns, model: name, references }) => {
    const isKey = keyColumns.length === 1 && references.length === 1 && references[0] === referenceColumn(to)
    return isKey && name === model.name ? keyColumns : []
  })
  return [...new Set(columns)]
}

/** Returns the well-formed foreign keys of a model; a build rule reports the others. */
function validForeignKeys(model: Model<unknown> | null): readonly ForeignKey[] {
  const foreignKeys: unknown = model?.foreignKeys
  return Array.isArray(foreignKeys) ? foreignKeys.filter(isForeignKey) : []
}

export function isForeignKey(value: unknown): value is ForeignKey {
  if (typeof value !== 'object' || value === null) return false
  const { columns, model, references } = value as { readonly [Member in keyof ForeignKey]?: unknown }
  return areNames(columns) && areNames(references) && columns.length === references.length && typeof model === 'string'
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && name !== '')
}
