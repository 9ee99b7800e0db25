import type {
  Provider,
  RelatedCriteria,
  RelatedMember,
  RelatedResult,
} from '../../declare/resource/capabilities/provider.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { RelationLink } from '../../declare/resource/compiled/relation-link.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { rowObject, rowSetOf } from '../../core/rows/row-set.js'
import { invariant } from '../../core/util/invariant.js'
import { groupRows } from '../row-query/group-rows.js'
import type { RowList } from '../row-query/list-rows.js'
import { listRows, rowLister } from '../row-query/list-rows.js'
import type { Candidate } from '../row-query/query-context.js'
import { rowMatcher, typedRowMatcher } from '../row-query/row-matcher.js'
import { allRows } from './layered-rows.js'
import type { MemoryStore } from './memory-store.js'
import { findTableRow } from './memory-table.js'
import { memoryQueryContext, modelOf, relatedRows } from './memory-query-context.js'

export function memoryProvider(store: MemoryStore): Provider {
  return Object.freeze<Provider>({
    acceptsSearch: true,

    fetchOne(type, id, { columns, conditions, ...criteria }) {
      const table = store.table(modelOf(type), criteria.transaction)
      const found = findTableRow(table, type.id.column, type.id.decode(id))
      if (found === undefined) return null
      const matches = rowMatcher(conditions, memoryQueryContext(store, criteria))
      return matches(candidateOf(found.row)) ? { rows: rowSetOf([found.row], columns ?? undefined) } : null
    },

    fetchCollection(type, { columns, ...criteria }) {
      const { rows } = store.table(modelOf(type), criteria.transaction)
      const all = allRows(rows).map(candidateOf)
      const list = listRows(all, { ...criteria, types: [type] }, memoryQueryContext(store, criteria))
      const { candidates, total, more, edges } = list
      const found = candidates.map(({ row }) => row)
      return { rows: rowSetOf(found, columns ?? undefined), total, more, edges }
    },

    fetchRelated(relation, parents, criteria) {
      const related = relatedRows(relation, { store, transaction: criteria.transaction })
      const list = rowLister({ ...criteria, types: relation.targets }, memoryQueryContext(store, criteria))
      const { maxMembers = Number.POSITIVE_INFINITY, window } = criteria
      let left = maxMembers + 1
      const rows = new Set<RowObject>()
      const lists = objectsOf(parents).map((parent) => {
        const found = list(left > 0 ? related(parent) : [], window === null ? left : undefined)
        for (const { row } of found.candidates) {
          // Parents may share the row of a to-one relation.
          if (relation.spec.traits.toMany || !rows.has(row)) left -= 1
          rows.add(row)
        }
        return found
      })
      return relatedResult(relation, lists, criteria)
    },

    fetchGroups(type, criteria) {
      const { rows } = store.table(modelOf(type), criteria.transaction)
      return groupRows(allRows(rows).map(candidateOf), criteria, memoryQueryContext(store, criteria))
    },

    countRelated(relation, parents, criteria) {
      const queryContext = memoryQueryContext(store, criteria)
      const related = queryContext.related(relation)
      const matches = typedRowMatcher({ ...criteria, types: relation.targets }, queryContext)
      return objectsOf(parents).map((parent) => related(parent).filter(matches).length)
    },
  })
}

function candidateOf(row: RowObject): Candidate {
  return { row, pivot: null, type: 0 }
}

function objectsOf({ columns, rows }: RowSet): readonly RowObject[] {
  return rows.map((row) => rowObject(columns, row))
}

/** Builds the result. Each row is in the set of its type once, even if several parents share it. */
function relatedResult(
  { targets, spec }: RelationLink,
  lists: readonly RowList[],
  { columnsOf }: RelatedCriteria,
): RelatedResult {
  const hasPivot = Object.keys(spec.pivot).length > 0
  const sets = new Map<number, { readonly set: number; readonly indexes: Map<RowObject, number> }>()
  const memberOf = ({ row, pivot, type }: Candidate): RelatedMember => {
    const { set, indexes } = sets.get(type) ?? { set: sets.size, indexes: new Map<RowObject, number>() }
    sets.set(type, { set, indexes })
    const index = indexes.get(row) ?? indexes.size
    indexes.set(row, index)
    return { set, row: index, pivot: hasPivot ? pivot : null }
  }
  const groups = lists.map(({ candidates, ...facts }) => ({ ...facts, members: candidates.map(memberOf) }))
  return {
    groups,
    sets: [...sets].map(([position, { indexes }]) => {
      const target = targets[position]
      invariant(target !== undefined, 'the type of a related row is not a target of its relation')
      return { type: target.type, rows: rowSetOf([...indexes.keys()], columnsOf.get(target.type) ?? undefined) }
    }),
  }
}
