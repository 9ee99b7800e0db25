import { isDeepStrictEqual } from 'node:util'
import type { RelatedCriteria, RelatedMember, RowFlag } from '../../../declare/resource/capabilities/provider.js'
import { keyColumns, keyReader } from '../../../declare/resource/parts/key-columns.js'
import type { RowPosition, RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { keyText } from '../../row-query/key-text.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { ReadColumns, SqlColumn, SqlTables } from '../schema/sql-table.js'
import {
  columnOf,
  columnReference,
  hasDistinctValues,
  isKeyOfRows,
  namesOf,
  partsOf,
  propertiesOf,
  rowDecoder,
  wantedColumns,
} from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { areEqual } from '../statement/row-value.js'
import { comparedColumn } from './compared-column.js'
import type { ListedRows, ListStatement } from './list-statement.js'
import { readList, selectedColumn } from './list-statement.js'
import type { RelatedSource } from './related-source.js'
import { linkAlias, linkColumns, relatedSource } from './related-source.js'
import type { PreparedRead } from './scope-variants.js'
import { scopeVariants } from './scope-variants.js'
import { selectedFlags, sqlConditions } from './sql-conditions.js'
import { sqlOrders } from './sql-orders.js'
import type { SqlPart, StatementBuild } from './statement-build.js'
import { allOf, bind, boundList, listValue, statementBuild } from './statement-build.js'

/** A member that was read, with its position in the order if the window needs it. */
export interface ReadMember extends RelatedMember {
  readonly position: RowPosition | null
}

/** A prepared read of the members of one type, for any parents. */
export interface RelatedStatement {
  readonly type: string
  readonly columns: readonly string[]
  /** Whether the key of the type is unique in the database too. */
  readonly isVerified: boolean
  readonly source: RelatedSource
  /**
   * Returns the read for parents with these keys, at least one; `null` if the window contains no rows of the type.
   *
   * @param maxMembers the number of members after which the read stops, with one more; `null` for no limit
   */
  readFor(keys: ParentKeys, context: RequestContext, maxMembers: number | null): PreparedRead<MembersIn> | null
}

export interface ReadMembers {
  /** The rows without duplicates, even if several owners share them. */
  readonly unique: readonly Row[]
  /** The members by the key of their owner. */
  readonly byLink: ReadonlyMap<string, readonly ReadMember[]>
}

type MembersIn = (rows: readonly Row[]) => ReadMembers

export interface RelatedTypeRead {
  readonly relation: RelationLink
  /** The index of the type among the targets. */
  readonly position: number
  readonly criteria: RelatedCriteria
}

/** Prepares a read. It holds the criteria, but not the request, since other requests may use it too. */
export function relatedStatement(store: SqlStore, tables: SqlTables, options: RelatedTypeRead): RelatedStatement {
  const { relation, position, criteria } = options
  const source = relatedSource(relation, position, statementBuild(store, tables, criteria.context))
  const { type, table, pivot } = source
  const flags = criteria.flagsOf?.get(type.type) ?? []
  const wanted = wantedColumns(table, criteria.columnsOf.get(type.type) ?? null, flags)
  const hasOneEach = hasOneRowEach(relation, source)
  const window = hasOneEach && isFirstRow(criteria.window) ? null : windowOfType(criteria.window, options)
  // The rows of one type before an offset that spans several types are no members of the window.
  const isPartOfOffset = relation.targets.length > 1 && criteria.window?.kind === 'offset'
  const list = {
    relation,
    position,
    wanted,
    flags,
    conditions: [...criteria.conditions, ...(criteria.conditionsOf.get(type.type) ?? [])],
    orders: criteria.orders,
    pivots: pivot === null || Object.keys(relation.spec.pivot).length === 0 ? [] : pivot.columns,
    lock: isLocked(relation, criteria) ? ('update' as const) : null,
  }
  const variantFor = scopeVariants(store, tables, (build, wantedRows: RowsOfParents) =>
    writeList(store, list, wantedRows, build),
  )
  return {
    type: type.type,
    columns: wanted.properties,
    isVerified: isKeyOfRows(table, type.id.column),
    source,
    readFor(keys, context, maxMembers) {
      if (window === 'nothing') return null
      const maxRows = isPartOfOffset || maxMembers === null ? null : rowLimit(keys, { hasOneEach, window }, maxMembers)
      const found = variantFor(formOf(keys, maxRows), context, { keys, window, maxRows })
      const { values } = found
      values[0] = parentsValue(keys, store.dialect)
      if (maxRows !== null) values[values.length - 1] = maxRows
      return found
    },
  }
}

function formOf({ distinct }: ParentKeys, maxRows: number | null): string {
  const [first] = distinct
  return `${distinct.length === 1} ${first?.type} ${first?.fine} ${maxRows === null}`
}

/** Whether the database guarantees that each key of a parent leads to at most one row. */
function hasOneRowEach({ storage }: RelationLink, { type, table }: RelatedSource): boolean {
  if (storage.kind === 'ownKey') return hasDistinctValues(table, referenceColumn(type))
  return storage.kind === 'relatedKey' && hasDistinctValues(table, storage.key.id)
}

/** Whether a window contains the first row of each list: rows need no numbers if there is at most one. */
function isFirstRow(window: RowWindow | null): boolean {
  return window?.kind === 'offset' && window.offset === 0 && window.limit === 1
}

/**
 * Returns the number of rows after which a read has one member too many; `null` if it cannot have so many. Of the windows of
 * several parents, each may have one more row, which shows that others follow.
 */
function rowLimit(
  { distinct }: ParentKeys,
  { hasOneEach, window }: { readonly hasOneEach: boolean; readonly window: RowWindow | null },
  maxMembers: number,
): number | null {
  const perParent = window?.limit ?? (hasOneEach ? 1 : Number.POSITIVE_INFINITY)
  if (distinct.length * perParent <= maxMembers) return null
  return maxMembers + 1 + (window === null || distinct.length === 1 ? 0 : distinct.length)
}

interface ListOptions extends Pick<RelatedCriteria, 'conditions' | 'orders'>, Pick<ListedRows, 'lock'> {
  readonly relation: RelationLink
  readonly position: number
  readonly wanted: ReadColumns
  readonly flags: readonly RowFlag[]
  readonly pivots: readonly SqlColumn[]
}

interface RowsOfParents {
  readonly keys: ParentKeys
  readonly window: RowWindow | null
  readonly maxRows: number | null
}

/** The first value of the statement contains the keys of the parents; the last one is the limit, if there is one. */
function writeList(
  store: SqlStore,
  list: ListOptions,
  { keys, window, maxRows }: RowsOfParents,
  build: StatementBuild,
): Omit<PreparedRead<MembersIn>, 'values'> {
  const { relation, position, wanted, flags, orders, pivots, lock } = list
  const source = relatedSource(relation, position, build)
  const { type, table, pivot } = source
  build.shape.describe('list', table, `${relation.owner.type}.${relation.name}`)
  build.shape.addKeyPart(`related ${wanted.names} ${namesOf(pivots)}`)
  const belongs = readParents(keys, source, build)
  const condition = allOf([belongs, ...source.conditions, sqlConditions(list.conditions, source, build)])
  const flagged = selectedFlags(flags, source, build)
  const [links, keyParts] = [partsOf(source.link), partsOf(columnOf(table, referenceColumn(type)))]
  const { write, positionOf, positions } = readList(
    {
      from: source.from,
      condition,
      levels: sqlOrders(orders, source, build),
      selected: [
        ...wanted.columns.map((column) => selectedColumn(column)),
        ...links.map((column) => selectedColumn(column, pivot === null ? 'row' : 'pivot')),
        ...keyParts.map((column) => selectedColumn(column)),
        ...pivots.map((column) => selectedColumn(column, 'pivot')),
        ...flagged,
      ],
      isJoined: pivot !== null,
      lock,
      maxRows,
      partition: keys.distinct.length === 1 ? null : (at) => linkColumns(source, at),
    },
    window,
    build,
  )
  invariant(
    isDeepStrictEqual(build.shape.values[0], parentsValue(keys, build.dialect)),
    'the keys of the parents are not the first value of the statement',
  )
  const typePosition = orders[0]?.kind === 'type' ? [position] : []
  const readPosition = positionOf === null ? null : (row: Row) => [...typePosition, ...positionOf(row)]
  const read = memberReader(source, list, { positions, positionOf: readPosition })
  return { text: store.statements.text(build.shape, write), read }
}

/** Reads the columns of a list: those of the row, of the link to the owner, of the key of the row, and of the join row, and the flags. */
function memberReader(
  source: RelatedSource,
  { wanted: { columns }, pivots, flags }: ListOptions,
  { positions, positionOf }: Pick<ListStatement, 'positions' | 'positionOf'>,
): MembersIn {
  const afterRow = columns.length
  const afterLink = afterRow + partsOf(source.link).length
  const afterKey = afterLink + partsOf(columnOf(source.table, referenceColumn(source.type))).length
  const [keysAt, pivotsAt] = [positions.slice(afterLink, afterKey), positions.slice(afterKey, afterKey + pivots.length)]
  const linkOf = linkReader(source, positions.slice(afterRow, afterLink))
  const [keyAt = -1] = keysAt
  const textOfKey =
    keysAt.length === 1 ? (row: Row) => keyText(row[keyAt]) : (row: Row) => keyText(keysAt.map((at) => row[at]))
  const decodedPivot = rowDecoder(pivots, pivotsAt)
  const flagsAt = positions.slice(positions.length - flags.length)
  const decoded = rowDecoder(columns, [...positions.slice(0, afterRow), ...flagsAt], flags.length)
  const pivotNames = propertiesOf(pivots)
  return (rows) => {
    const unique: Row[] = []
    // Several join rows may refer to one row. Without a join table, each row occurs once.
    const known = source.pivot === null ? null : new Map<string, number>()
    const byLink = new Map<string, ReadMember[]>()
    for (const row of rows) {
      const key = known === null ? '' : (textOfKey(row) ?? '')
      let index = known?.get(key)
      if (index === undefined) {
        index = unique.push(decoded(row)) - 1
        known?.set(key, index)
      }
      const pivot = pivots.length === 0 ? null : rowObject(pivotNames, decodedPivot(row))
      const member: ReadMember = { set: 0, row: index, pivot, position: positionOf === null ? null : positionOf(row) }
      const link = linkOf(row) ?? ''
      const same = byLink.get(link)
      if (same === undefined) byLink.set(link, [member])
      else same.push(member)
    }
    return { unique, byLink }
  }
}

/**
 * Returns whether the rows are locked. Join rows need no lock, since their owner is locked. Only rows with a foreign key may be
 * changed for two owners at the same time.
 */
export function isLocked({ storage }: RelationLink, { forChange = false, transaction }: RelatedCriteria): boolean {
  return forChange && transaction !== null && storage.kind === 'relatedKey'
}

/**
 * Returns the part of the window for the rows of one of several types, which are listed one type after the other;
 * `nothing` if the window contains no rows of the type.
 */
function windowOfType(window: RowWindow | null, { relation, position }: RelatedTypeRead): RowWindow | null | 'nothing' {
  if (window === null || relation.targets.length === 1) return window
  if (window.kind === 'offset') return { kind: 'offset', offset: 0, limit: window.offset + window.limit }
  const { after, before } = window
  const [first, last] = [after === null ? -1 : Number(after[0]), before === null ? Infinity : Number(before[0])]
  if (position < first || position > last) return 'nothing'
  return {
    ...window,
    after: after !== null && position === first ? after.slice(1) : null,
    before: before !== null && position === last ? before.slice(1) : null,
  }
}

/** The keys by which parents find the members of one type. */
export interface ParentKeys {
  /** The key of each parent as text, in the order of the parents; `null` for a parent without members of the type. */
  readonly ofParent: readonly (string | null)[]
  /** The keys without duplicates, in the form in which they are compared. */
  readonly distinct: readonly Operand[]
}

export function parentKeys({ columns, rows }: RowSet, source: RelatedSource, dialect: SqlDialect): ParentKeys {
  const type = columns.indexOf(source.ownerTypeColumn ?? '')
  const missing = keyColumns(source.ownerColumn).find((column) => !columns.includes(column))
  invariant(missing === undefined, `the rows of the parents have no column '${missing}'`)
  const keyOf = keyReader(columns, source.ownerColumn)
  const { operand } = comparedColumn(source.link, { kind: null, isKey: true }, dialect)
  const distinct = new Map<string, Operand>()
  const ofParent = rows.map((row) => {
    const isOfType = source.ownerTypeColumn === null || keyText(row[type]) === source.type.storedType
    const key = keyOf(row)
    const text = isOfType ? keyText(key) : null
    if (text === null || distinct.has(text)) return text
    const found = operand(key)
    if (found === null) return null
    distinct.set(text, found)
    return text
  })
  return { ofParent, distinct: [...distinct.values()] }
}

/**
 * Returns a function that reads the text of the parent's key from a row of the driver.
 *
 * @param positions the positions of the columns of the link
 */
export function linkReader({ link }: RelatedSource, positions: readonly number[]): (row: Row) => string | null {
  const [position = -1] = positions
  if (link.parts === undefined) {
    const textOf = linkText(link)
    return (row) => textOf(row[position])
  }
  const decoded = rowDecoder(link.parts, positions)
  return (row) => keyText(decoded(row))
}

function linkText({ codec, mapping }: SqlColumn): (stored: unknown) => string | null {
  const { decode } = codec
  return mapping === null || decode === null ? keyText : (stored) => keyText(stored === null ? stored : decode(stored))
}

/** Returns a condition for the rows that belong to one of the parents. */
export function readParents({ distinct }: ParentKeys, source: RelatedSource, build: StatementBuild): SqlPart {
  const [only, ...others] = distinct
  invariant(only !== undefined, 'members were requested without parents')
  if (others.length === 0) {
    const bound = bind(only, build)
    build.shape.addKeyPart('of one')
    return (at) => areEqual(columnReference(source.link, linkAlias(at)), bound(), build.dialect.can)
  }
  const list = boundList(distinct, build)
  return (at) => list.contains(columnReference(source.link, linkAlias(at)))
}

/** Returns the parameter value for the keys of the parents: a single key, or a list. */
function parentsValue({ distinct }: ParentKeys, dialect: SqlDialect): unknown {
  const [only, ...others] = distinct
  return others.length === 0 ? only?.value : listValue(distinct, dialect)
}
