import type { Candidate, QueryContext } from '../../../stores/row-query/query-context.js'
import type { CollectionCriteria, RelatedCriteria } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { parentColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { Row } from '../../../core/rows/row-set.js'
import { rowObject, rowSetOf } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import { checkQueriedColumns, checkNamedColumns } from './check-queried-columns.js'
import { loadFromOwner } from './checked-related.js'
import type { RelatedRows } from './related-rows.js'
import { relatedMemberReader } from './related-rows.js'

/** Row objects of one type, and the query on them. */
export interface QueriedObjects {
  readonly served: ServedType
  readonly objects: readonly RowObject[]
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
}

type ReadOptions = Pick<CollectionCriteria, 'transaction' | 'context'>

/**
 * Returns the context for a query on row objects. The relations that the query follows are read beforehand, since rows
 * are evaluated one by one: one read for each relation and level, by the providers of the types.
 */
export async function rowsQueryContext(
  queried: readonly QueriedObjects[],
  options: ReadOptions,
): Promise<QueryContext> {
  const reached: Reached = new Map()
  await Promise.all(queried.map((rows) => follow(rows, reached, options)))
  return { context: options.context, related: (link) => relatedRows(link, reached) }
}

/** The members of each row, by relation. */
type Reached = Map<string, Map<RowObject, readonly Candidate[]>>

function relatedRows(link: RelationLink, reached: Reached): (row: RowObject) => readonly Candidate[] {
  const members = reached.get(nameOf(link))
  return (row) => {
    const found = members?.get(row)
    invariant(found !== undefined, `a query follows '${nameOf(link)}', which was not read beforehand`)
    return found
  }
}

function nameOf({ owner, name }: RelationLink): string {
  return `${owner.type}.${name}`
}

async function follow(rows: QueriedObjects, reached: Reached, options: ReadOptions): Promise<void> {
  const { served, objects } = rows
  if (objects.length === 0) return
  const steps = [...rows.conditions.flatMap(stepsOfCondition), ...rows.orders.flatMap(stepsOfOrder)]
  await Promise.all(
    [...served.relations.values()].map(async (relation) => {
      const alongRelation = steps.filter(({ link }) => link.name === relation.name)
      if (alongRelation.length === 0) return
      const related = await readFrom(rows, relation, options)
      const sets = addMembers(relation, rows, related, reached)
      await Promise.all(
        related.sets.map(({ served: entered }, set) => {
          const next = { ...queryAt(entered, alongRelation), objects: sets[set] ?? [] }
          checkQueriedColumns(next)
          return follow(next, reached, options)
        }),
      )
    }),
  )
}

/** Reads all members with all columns, because the query is evaluated here. */
function readFrom(
  { served, objects }: QueriedObjects,
  relation: ServedRelation,
  { transaction, context }: ReadOptions,
): Promise<RelatedRows> {
  const columns = parentColumns(relation)
  checkNamedColumns(served, objects, columns ?? [])
  const criteria: RelatedCriteria = {
    conditions: [],
    conditionsOf: new Map(),
    columnsOf: new Map([...relation.related.keys()].map((type) => [type, null])),
    orders: [
      ...(relation.targets.length > 1 ? [{ kind: 'type', descending: false } as const] : []),
      { kind: 'key', descending: false },
    ],
    window: null,
    wantsCount: false,
    transaction,
    context,
  }
  return loadFromOwner(served, relation, rowSetOf(objects, columns ?? undefined), criteria)
}

/** Adds the members of rows to `reached`. Returns the objects of each set; there is one object for each row. */
function addMembers(
  relation: ServedRelation,
  { objects }: QueriedObjects,
  related: RelatedRows,
  reached: Reached,
): readonly (readonly RowObject[])[] {
  const objectsOfSets: Map<Row, RowObject>[] = []
  const candidateOf = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const type = relation.targets.findIndex((target) => target.type === served.type.type)
    const known = new Map<Row, RowObject>()
    objectsOfSets.push(known)
    return (values, { pivot }): Candidate => {
      const row = known.get(values) ?? rowObject(columns, values)
      known.set(values, row)
      return { row, pivot, type }
    }
  })
  const members = reached.get(nameOf(relation)) ?? new Map<RowObject, readonly Candidate[]>()
  reached.set(nameOf(relation), members)
  for (const [position, parent] of objects.entries()) {
    members.set(parent, (related.groups[position]?.members ?? []).map(candidateOf))
  }
  return objectsOfSets.map((known) => [...known.values()])
}

/** A relation that a query follows, and the query on the related rows. */
interface QueryStep extends Pick<QueriedObjects, 'conditions' | 'orders'> {
  readonly link: RelationLink
  /** Further conditions on rows of one type, by its name. */
  readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
}

function queryAt(served: ServedType, steps: readonly QueryStep[]): Omit<QueriedObjects, 'objects'> {
  const { type } = served.type
  return {
    served,
    conditions: steps.flatMap(({ conditions, conditionsOf }) => [...conditions, ...(conditionsOf.get(type) ?? [])]),
    orders: steps.flatMap(({ orders }) => orders),
  }
}

function stepsOfCondition(condition: RowCondition): readonly QueryStep[] {
  switch (condition.kind) {
    case 'related': {
      const { relation: link, conditionsOf, condition: inner } = condition
      return [{ link, conditionsOf, conditions: inner === null ? [] : [inner], orders: [] }]
    }
    case 'all':
    case 'any':
      return condition.conditions.flatMap(stepsOfCondition)
    case 'not':
      return stepsOfCondition(condition.condition)
    default:
      return []
  }
}

function stepsOfOrder(order: RowOrder): readonly QueryStep[] {
  if (order.kind !== 'column' && order.kind !== 'visibleColumn') return []
  const [first, ...path] = order.path
  if (first === undefined) return order.kind === 'column' ? [] : stepsOfCondition(order.condition)
  const conditions = first.condition === null ? [] : [first.condition]
  return [{ link: first.relation, conditionsOf: new Map(), conditions, orders: [{ ...order, path }] }]
}
