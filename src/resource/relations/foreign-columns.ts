import type { CompiledType } from '../compiled-type.js'
import type { ForeignKey, Model } from '../model.js'
import { referenceColumn } from './relation-link.js'

/**
 * The columns of a model that lead to the rows of a type by a foreign key. Keys of several columns, and keys that point
 * at another column than the one that relations point at, hold no relation.
 */
export function foreignColumns(from: Model<unknown> | null, to: CompiledType): readonly string[] {
  const { model } = to
  if (model === null) return []
  const columns = soundKeys(from).flatMap(({ columns: own, model: name, references }) => {
    const isKey = own.length === 1 && references.length === 1 && references[0] === referenceColumn(to)
    return isKey && name === model.name ? own : []
  })
  return [...new Set(columns)]
}

/** Those that can be read; a build rule names the others. */
function soundKeys(model: Model<unknown> | null): readonly ForeignKey[] {
  const given: unknown = model?.foreignKeys
  return Array.isArray(given) ? given.filter(isForeignKey) : []
}

export function isForeignKey(given: unknown): given is ForeignKey {
  if (typeof given !== 'object' || given === null) return false
  const { columns, model, references } = given as { readonly [Member in keyof ForeignKey]?: unknown }
  return areNames(columns) && areNames(references) && columns.length === references.length && typeof model === 'string'
}

function areNames(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.length > 0 && given.every((name) => typeof name === 'string' && name !== '')
}
