import { createHash } from 'node:crypto'
import type { AggregateGroup, AggregateMeasure } from '../../../declare/resource/aggregates/compiled-aggregate.js'
import { groupColumn, groupKeyColumn } from '../../../declare/resource/aggregates/group-columns.js'
import type {
  CollectionCriteria,
  GroupCriteria,
  GroupResult,
  WantedColumns,
} from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { GroupOrder, RowGroup, RowMeasure } from '../../../declare/resource/querying/row-aggregation.js'
import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import { visibilityFlag } from '../../../declare/resource/reading/row-linkage.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import { memoize } from '../../../core/util/memoize.js'
import type { FilterNode, FilterValue, QueryParameters } from '../../operation/query-parameters.js'
import { readTransaction } from '../read-context.js'
import { mayHideRows, targetByName } from '../query/column-target.js'
import { visibleMember } from '../query/condition-of-filter.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { ReadContext } from '../read-context.js'
import { withScopes } from './fill-scopes.js'

/** The groups of a page, as the rows of their type. */
export interface GroupList extends Omit<GroupResult, 'groups'> {
  readonly rows: RowSet
}

type ListCriteria = Pick<CollectionCriteria, 'conditions' | 'orders' | 'window' | 'wantsCount' | 'cacheKey' | 'columns'>

/** Reads the groups of an aggregate. The rows of the source are filtered, grouped, sorted and cut by its provider. */
export async function readGroups(
  served: ServedType,
  source: ServedType,
  { conditions, orders, window, wantsCount, cacheKey, columns }: ListCriteria,
  request: ReadContext,
): Promise<GroupList> {
  const { provider, type } = source
  const layout = layoutOf(served)
  invariant(provider?.fetchGroups !== undefined, `the provider of '${type.type}' has no fetchGroups`)
  invariant(window?.kind === 'offset', `the groups of '${type.type}' have no pages`)
  const measures = layout.measures.filter(({ column }) => isNeeded(column, columns, orders))
  const criteria: GroupCriteria = {
    groups: layout.groups.map(({ group }) => group),
    measures: measures.map(({ measure }) => measure),
    conditions,
    orders: groupOrders(orders, layout.groups, measures),
    window: { offset: window.offset, limit: window.limit },
    minGroupSize: served.type.groupsOf?.aggregate.minGroupSize ?? 1,
    wantsCount,
    cacheKey,
    transaction: request.open === null ? null : readTransaction(source, request.open),
    context: request.context,
  }
  const { groups, ...facts } = checkedGroups(
    await provider.fetchGroups(type, source.scopeReaders.fetchGroups ? criteria : withScopes(criteria)),
    criteria,
    type.type,
  )
  const subset = subsetText(request.query)
  const flags = layout.flags.map(() => 1)
  const keyOf = keyReader(layout.groups)
  return {
    ...facts,
    rows: rowSet(
      [groupKeyColumn, ...[...layout.groups, ...measures].map(({ column }) => column), ...layout.flags],
      groups.map((group): Row => [`${keyOf(group)}${subset}`, ...group, ...flags]),
    ),
  }
}

interface GroupSource {
  /** The column of the rows of groups. */
  readonly column: string
  readonly group: RowGroup
  /** Converts the value to that of documents, for ids, which do not depend on the store. */
  readonly read: (value: unknown) => unknown
}

interface MeasureSource {
  readonly column: string
  readonly measure: RowMeasure
}

interface Layout {
  readonly groups: readonly GroupSource[]
  readonly measures: readonly MeasureSource[]
  /** The flags of linkage. The key of a related row that is hidden is null already. */
  readonly flags: readonly string[]
}

const layoutOf: (served: ServedType) => Layout = memoize((served) => {
  const { source, type } = served
  const aggregate = type.groupsOf?.aggregate
  invariant(source !== null && aggregate !== undefined, `'${type.type}' is not the type of groups`)
  return {
    groups: aggregate.groups.flatMap((group) => groupSources(group, source)),
    measures: aggregate.measures.map((measure) => measureSource(measure, source)),
    flags: [...served.relations.values()].map(visibilityFlag),
  }
})

/** Returns the sources of a group: one, or one for each column of the key of a relation. */
function groupSources({ name, field, part }: AggregateGroup, source: ServedType): readonly GroupSource[] {
  const relation = source.relations.get(field)
  if (relation === undefined) {
    const column = columnOf(field, source)
    const { kind } = column
    const isDay = part === null && kind?.comparedAs === 'moment'
    const read = (value: unknown): unknown => (part === null && kind !== null ? kind.read(value) : value)
    return [{ column: groupColumn(name), group: { column, condition: null, part: isDay ? 'day' : part }, read }]
  }
  const { storage, related } = relation
  invariant(storage.kind === 'ownKey', `the key of '${field}' is not in the rows`)
  const mayBeHidden = [...related.values()].some((target) => mayHideRows(target.type))
  const condition = mayBeHidden ? visibleMember(relation, scopeConditions) : null
  return relationKeyColumns(storage.key).map((key) => ({
    column: groupColumn(name, key),
    group: {
      column: { of: 'row', name: key, kind: null, isKey: key !== storage.key.type },
      condition,
      part: null,
    },
    read: (value) => value,
  }))
}

function measureSource({ name, function: computed, field }: AggregateMeasure, source: ServedType): MeasureSource {
  const column = field === null ? null : columnOf(field, source)
  return { column: groupColumn(name), measure: { function: computed, column } }
}

function columnOf(field: string, served: ServedType): QueryColumn {
  const target = targetByName(field, { served, relation: null })
  invariant(target?.path.length === 0, `'${field}' of '${served.type.type}' has no column`)
  return target.column
}

/** Whether the document shows a measure, or is sorted by it. */
function isNeeded(column: string, wanted: WantedColumns, orders: readonly RowOrder[]): boolean {
  return wanted === null || wanted.includes(column) || orders.some((order) => orderedColumn(order) === column)
}

function orderedColumn(order: RowOrder): string | null {
  return order.kind === 'column' ? order.column.name : null
}

/** Converts the orders of the resources to those of the groups. The groups decide about equal ones. */
function groupOrders(
  orders: readonly RowOrder[],
  groups: readonly GroupSource[],
  measures: readonly MeasureSource[],
): readonly GroupOrder[] {
  const sorted = orders.flatMap((order): readonly GroupOrder[] => {
    const name = orderedColumn(order)
    const { descending } = order
    const [group, measure] = [indexIn(groups, name), indexIn(measures, name)]
    if (group !== -1) return [{ of: 'group', index: group, descending }]
    return measure === -1 ? [] : [{ of: 'measure', index: measure, descending }]
  })
  const isSorted = (index: number): boolean => sorted.some((order) => order.of === 'group' && order.index === index)
  const others = groups.flatMap((_, index): readonly GroupOrder[] =>
    isSorted(index) ? [] : [{ of: 'group', index, descending: false }],
  )
  return [...sorted, ...others]
}

function indexIn(sources: readonly { readonly column: string }[], name: string | null): number {
  return sources.findIndex(({ column }) => column === name)
}

/** Returns a function that makes the id of a group from its values: an opaque text. */
function keyReader(groups: readonly GroupSource[]): (group: Row) => string {
  return (group) => {
    const values = groups.map(({ read }, index) => {
      const value = group[index]
      return value === null || value === undefined ? null : String(read(value))
    })
    return Buffer.from(JSON.stringify(values)).toString('base64url')
  }
}

/**
 * Returns the end of the ids in a request with filters. The groups of other rows are other resources: a client that stores resources by
 * their ids must not mix their numbers.
 */
function subsetText({ filter, filterTree }: Pick<QueryParameters, 'filter' | 'filterTree'>): string {
  const nodes = filterTree?.nodes ?? []
  if (filter.size === 0 && nodes.length === 0) return ''
  const plain = entriesOf(filter)
  const digest = createHash('sha256')
    .update(JSON.stringify(nodes.length === 0 ? plain : [plain, nodes.map(nodeEntries)]))
    .digest('base64url')
  return `.${digest.slice(0, 12)}`
}

function nodeEntries(node: FilterNode): unknown {
  switch (node.kind) {
    case 'filter':
      return [node.key, entriesOf(node.value)]
    case 'not':
      return [node.kind, nodeEntries(node.node)]
    default:
      return [node.kind, ...node.nodes.map(nodeEntries)]
  }
}

function entriesOf(value: FilterValue): unknown {
  if (!(value instanceof Map)) return value
  const entries = [...(value as ReadonlyMap<string, FilterValue>)].map(([key, each]) => [key, entriesOf(each)] as const)
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Checks the result of a user-defined provider. */
function checkedGroups(result: GroupResult, { groups, measures }: GroupCriteria, type: string): GroupResult {
  const length = groups.length + measures.length
  const isList = Array.isArray(result?.groups) && result.groups.every((each) => each?.length === length)
  if (!isList) throw new TypeError(`fetchGroups() of '${type}' returned no groups with ${length} values each.`)
  return { ...result, more: result.more, omits: result.omits, total: result.total ?? null }
}
