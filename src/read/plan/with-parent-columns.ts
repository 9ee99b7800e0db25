import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { parentColumns } from '../../resource/relations/relation-link.js'

/** The columns, and those that following relations takes; `null` where somebody looks at the whole row. */
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
