import type { Candidate, QueryWorld } from '../../data/row-query/query-world.js'
import type { CollectionCriteria, RelatedCriteria } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { checkColumns, checkNamed } from './check-columns.js'
import { loadOwned } from './load-owned.js'
import type { RelatedRows } from './related-rows.js'

/** Rows of one type, and what is asked of them. */
export interface AskedRows {
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
export async function worldOfRows(asked: readonly AskedRows[], occasion: Occasion): Promise<QueryWorld> {
  const reached: Reached = new Map()
  await Promise.all(asked.map((rows) => follow(rows, reached, occasion)))
  return { context: occasion.context, related: (link) => relatedRows(link, reached) }
}

interface Member extends Pick<Candidate, 'row' | 'pivot'> {
  readonly type: string
}

/** By relation, the members of each row that was met. */
type Reached = Map<string, Map<RowObject, readonly Member[]>>

/** A relation may be asked for some of its types only. */
function relatedRows(link: RelationLink, reached: Reached): (row: RowObject) => readonly Candidate[] {
  const members = reached.get(nameOf(link))
  const types = link.targets.map(({ type }) => type)
  return (row) =>
    (members?.get(row) ?? [])
      .map((member): Candidate => ({ ...member, type: types.indexOf(member.type) }))
      .filter(({ type }) => type !== -1)
}

function nameOf({ owner, name }: RelationLink): string {
  return `${owner.type}.${name}`
}

async function follow(rows: AskedRows, reached: Reached, occasion: Occasion): Promise<void> {
  const { served, objects } = rows
  if (objects.length === 0) return
  const ways = [...rows.conditions.flatMap(waysOf), ...rows.orders.flatMap(wayOf)]
  const names = new Set(ways.map(({ link }) => link.name))
  await Promise.all(
    [...served.relations.values()].map(async (relation) => {
      if (!names.has(relation.name)) return
      const related = await readFrom(rows, relation, occasion)
      const sets = related.sets.map(({ rows: { columns, rows: found } }) => found.map((row) => rowObject(columns, row)))
      note(relation, rows, { related, sets }, reached)
      await Promise.all(
        related.sets.map(async ({ served: entered }, set) => {
          const onward = ways.filter(({ link }) => link.name === relation.name && leadsTo(link, entered))
          const conditions = onward.flatMap((way) => way.conditions)
          const orders = onward.flatMap((way) => way.orders)
          const next = { served: entered, objects: sets[set] ?? [], conditions, orders }
          checkColumns(next)
          await follow(next, reached, occasion)
        }),
      )
    }),
  )
}

/** What is asked of the members is asked here, so all of them are read, and whole. */
function readFrom({ served, objects }: AskedRows, relation: ServedRelation, occasion: Occasion): Promise<RelatedRows> {
  const columns = parentColumns(relation)
  checkNamed(served, objects, columns ?? [])
  const criteria: RelatedCriteria = {
    ...occasion,
    conditions: [],
    conditionsOf: new Map(),
    columnsOf: new Map([...relation.related.keys()].map((type) => [type, null])),
    orders: [
      ...(relation.targets.length > 1 ? [{ kind: 'type', descending: false } as const] : []),
      { kind: 'key', descending: false },
    ],
    window: null,
    wantsCount: false,
  }
  return loadOwned(served, relation, rowSetOf(objects, columns ?? undefined), criteria)
}

interface Found {
  readonly related: RelatedRows
  /** The rows of each set as objects, which are told apart by being one. */
  readonly sets: readonly (readonly RowObject[])[]
}

function note(relation: ServedRelation, { objects }: AskedRows, { related, sets }: Found, reached: Reached): void {
  const members = reached.get(nameOf(relation)) ?? new Map<RowObject, readonly Member[]>()
  reached.set(nameOf(relation), members)
  related.groups.forEach((group, position) => {
    const parent = objects[position]
    if (parent === undefined) return
    const found = group.members.flatMap(({ set, row, pivot }): readonly Member[] => {
      const [object, type] = [sets[set]?.[row], related.sets[set]?.served.type.type]
      return object === undefined || type === undefined ? [] : [{ type, row: object, pivot }]
    })
    members.set(parent, found)
  })
}

function leadsTo({ targets }: RelationLink, { type }: ServedType): boolean {
  return targets.some((target) => target.type === type.type)
}

/** A relation that a query follows from a row, and what it asks at its end. */
interface Way extends Pick<AskedRows, 'conditions' | 'orders'> {
  readonly link: RelationLink
}

function waysOf(condition: RowCondition): readonly Way[] {
  switch (condition.kind) {
    case 'related': {
      const { relation: link, condition: asked } = condition
      return [{ link, conditions: asked === null ? [] : [asked], orders: [] }]
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
  return [{ link: first.relation, conditions, orders: [{ ...order, path }] }]
}
