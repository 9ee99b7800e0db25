import type { Candidate, QueryContext } from '../../row-query/query-context.js'
import type { CollectionCriteria, RelatedCriteria } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import type { Row } from '../../rows/row-set.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkQueriedColumns, checkNamedColumns } from './check-queried-columns.js'
import { loadOwned } from './load-owned.js'
import type { RelatedRows } from './related-rows.js'
import { relatedMemberReader } from './related-rows.js'

/** Rows of one type, and what is asked of them. */
export interface QueriedObjects {
  readonly served: ServedType
  readonly objects: readonly RowObject[]
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
}

type Occasion = Pick<CollectionCriteria, 'transaction' | 'context'>

/**
 * What a query about rows that are given one by one leads to. Relations are read beforehand, since rows are looked at
 * one after the other: one read per relation and level, by the providers of the types that the query passes.
 */
export async function rowsQueryContext(asked: readonly QueriedObjects[], occasion: Occasion): Promise<QueryContext> {
  const reached: Reached = new Map()
  await Promise.all(asked.map((rows) => follow(rows, reached, occasion)))
  return { context: occasion.context, related: (link) => relatedRows(link, reached) }
}

/** By relation, the members of each row that was met. */
type Reached = Map<string, Map<RowObject, readonly Candidate[]>>

function relatedRows(link: RelationLink, reached: Reached): (row: RowObject) => readonly Candidate[] {
  const members = reached.get(nameOf(link))
  return (row) => {
    const found = members?.get(row)
    invariant(found !== undefined, `'${nameOf(link)}' was asked, and not read beforehand`)
    return found
  }
}

function nameOf({ owner, name }: RelationLink): string {
  return `${owner.type}.${name}`
}

async function follow(rows: QueriedObjects, reached: Reached, occasion: Occasion): Promise<void> {
  const { served, objects } = rows
  if (objects.length === 0) return
  const ways = [...rows.conditions.flatMap(waysOf), ...rows.orders.flatMap(wayOf)]
  await Promise.all(
    [...served.relations.values()].map(async (relation) => {
      const along = ways.filter(({ link }) => link.name === relation.name)
      if (along.length === 0) return
      const related = await readFrom(rows, relation, occasion)
      const sets = note(relation, rows, related, reached)
      await Promise.all(
        related.sets.map(({ served: entered }, set) => {
          const next = { ...askedAt(entered, along), objects: sets[set] ?? [] }
          checkQueriedColumns(next)
          return follow(next, reached, occasion)
        }),
      )
    }),
  )
}

/** What is asked of the members is asked here, so all of them are read, and whole. */
function readFrom(
  { served, objects }: QueriedObjects,
  relation: ServedRelation,
  { transaction, context }: Occasion,
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
  return loadOwned(served, relation, rowSetOf(objects, columns ?? undefined), criteria)
}

/** Notes the members of rows, and answers those of each set as objects, which are told apart by being one. */
function note(
  relation: ServedRelation,
  { objects }: QueriedObjects,
  related: RelatedRows,
  reached: Reached,
): readonly (readonly RowObject[])[] {
  const met: Map<Row, RowObject>[] = []
  const candidateOf = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const type = relation.targets.findIndex((target) => target.type === served.type.type)
    const known = new Map<Row, RowObject>()
    met.push(known)
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
  return met.map((known) => [...known.values()])
}

/** A relation that a query follows from a row, and what it asks at its end. */
interface Way extends Pick<QueriedObjects, 'conditions' | 'orders'> {
  readonly link: RelationLink
  /** What it asks of rows of one type besides, by its name. */
  readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
}

function askedAt(served: ServedType, ways: readonly Way[]): Omit<QueriedObjects, 'objects'> {
  const { type } = served.type
  return {
    served,
    conditions: ways.flatMap(({ conditions, conditionsOf }) => [...conditions, ...(conditionsOf.get(type) ?? [])]),
    orders: ways.flatMap(({ orders }) => orders),
  }
}

function waysOf(condition: RowCondition): readonly Way[] {
  switch (condition.kind) {
    case 'related': {
      const { relation: link, conditionsOf, condition: asked } = condition
      return [{ link, conditionsOf, conditions: asked === null ? [] : [asked], orders: [] }]
    }
    case 'all':
    case 'any':
      return condition.conditions.flatMap(waysOf)
    default:
      return []
  }
}

function wayOf(order: RowOrder): readonly Way[] {
  if (order.kind !== 'column') return []
  const [first, ...path] = order.path
  if (first === undefined) return []
  const conditions = first.condition === null ? [] : [first.condition]
  return [{ link: first.relation, conditionsOf: new Map(), conditions, orders: [{ ...order, path }] }]
}
