import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { parentColumns } from '../../resource/relations/relation-link.js'

/**
 * Adds the columns that are needed to follow relations. Returns `null` for all columns if user-defined code gets the
 * row.
 */
export function withParentColumns(columns: WantedColumns, relations: readonly ServedRelation[]): WantedColumns {
  if (columns === null) return null
  const all = new Set(columns)
  for (const relation of relations) {
    const needed = parentColumns(relation)
    const { hidden, identifierMeta } = relation.spec
    if (needed === null || typeof hidden === 'function' || identifierMeta !== null) return null
    for (const column of needed) all.add(column)
  }
  return [...all]
}
