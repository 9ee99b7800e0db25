import type { CompiledType } from './compiled-type.js'
import { keyColumn, keyColumns } from '../parts/key-columns.js'
import type { ForeignKey, Model } from '../parts/model.js'
import { referenceColumn } from './relation-link.js'

/**
 * Returns the names of the foreign keys of a model to the rows of a type. The columns of a composite foreign key are in
 * the order of the key that they refer to. Foreign keys that do not refer to the `referenceColumn` of the type are
 * ignored: no relation can use them.
 */
export function foreignColumns(from: Model<unknown> | null, to: CompiledType): readonly string[] {
  const { model } = to
  if (model === null) return []
  const names = validForeignKeys(from).flatMap(({ columns, model: name, references }) => {
    const ordered = keyColumns(referenceColumn(to)).map((column) => columns[references.indexOf(column)])
    const isKey = ordered.length === columns.length && ordered.every((column) => column !== undefined)
    return isKey && name === model.name ? [keyColumn(ordered)] : []
  })
  return [...new Set(names)]
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
