import { memoryData } from 'ashlar/memory'
import type { DataSource, Provider, RowSet } from 'ashlar/store'
import { inject } from 'vitest'
import type { Seeds } from './derived-tables.js'
import { storedData } from './stored-data.js'

/** A list that was read: of a type (`albums`), or of a relation (`albums.tracks`). */
export interface RecordedRead {
  readonly name: string
  /** How many rows the database, or the memory store, returned. */
  readonly rows: number
  /** The text of the statement; the name in the memory store. */
  readonly sql: string
}

/** The store under test, which records the lists that are read. */
export function recordedReads(seeds: Seeds): { readonly data: DataSource; readonly reads: RecordedRead[] } {
  const reads: RecordedRead[] = []
  if (inject('store') === 'memory') return { data: recordedMemory(memoryData(seeds), reads), reads }
  const data = storedData(
    seeds,
    {},
    {
      onStatement({ shape, rows, sql }) {
        if (shape?.startsWith('list ') === true) reads.push({ name: shape.slice('list '.length), rows: rows ?? 0, sql })
      },
    },
  )
  return { data, reads }
}

function recordedMemory(data: DataSource, reads: RecordedRead[]): DataSource {
  const add = (name: string, rows: number): unknown => reads.push({ name, rows, sql: name })
  const recorded = (provider: Provider): Provider => ({
    ...provider,
    async fetchCollection(type, criteria) {
      const found = await provider.fetchCollection?.(type, criteria)
      const { rows, more } = found as { readonly rows: RowSet; readonly more: boolean }
      add(type.type, rows.rows.length + (more ? 1 : 0))
      return found as never
    },
    async fetchRelated(relation, parents, criteria) {
      const found = await provider.fetchRelated?.(relation, parents, criteria)
      const members = found?.groups.reduce((sum, group) => sum + group.members.length + (group.more ? 1 : 0), 0) ?? 0
      const { toMany } = relation.spec.traits
      const rows = found?.sets.reduce((sum, set) => sum + (set.rows as RowSet).rows.length, 0) ?? 0
      add(`${relation.owner.type}.${relation.name}`, toMany ? members : rows)
      return found as never
    },
  })
  return {
    ...data,
    provider(type) {
      const provider = data.provider(type)
      return provider === null ? null : recorded(provider)
    },
  }
}
