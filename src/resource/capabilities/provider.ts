import type { RowSet } from '../../rows/row-set.js'
import type { Awaitable } from '../../util/types.js'
import type { CompiledType } from '../compiled-type.js'
import type { RowCondition } from '../querying/row-condition.js'
import type { RowOrder } from '../querying/row-order.js'
import type { RowEdges, RowWindow } from '../querying/row-window.js'
import type { RelationLink } from '../relations/relation-link.js'
import type { RequestContext } from '../request-context.js'
import type { Transaction } from './transactions.js'

/** The columns that are wanted; `null` for all of them, because a callback looks at the whole row. */
export type WantedColumns = readonly string[] | null

/** What every read is told. */
interface AnyCriteria {
  /** All of them must hold; a row for which one does not is not there. */
  readonly conditions: readonly RowCondition[]
  /** The transaction to read in, so that a write sees what it has written. */
  readonly transaction: Transaction | null
  readonly context: RequestContext
  /**
   * An object that stands for this read: reads with the same cache key differ only in the transaction, the context, the id or
   * the parents, and the conditions that scopes have for the request. A store may cache prepared statements by it.
   */
  readonly cacheKey?: object | undefined
}

/** What a read of one row needs. */
export interface ReadCriteria extends AnyCriteria {
  readonly columns: WantedColumns
  /** Whether the row is read to be changed: a store that can keeps others from changing it until the transaction ends. */
  readonly forChange?: boolean
}

interface Listing extends AnyCriteria {
  /** The first weighs most; no two rows are equal in all of them. */
  readonly orders: readonly RowOrder[]
  /** `null` for all rows. */
  readonly window: RowWindow | null
  /** Whether to count the rows before they are cut to the window. */
  readonly wantsCount: boolean
}

/** What a read of a collection asks for. */
export interface CollectionCriteria extends Listing {
  readonly columns: WantedColumns
  /**
   * Whether the rows are read to be pointed at from where no foreign key can: a store that can keeps others from deleting
   * them until the transaction ends.
   */
  readonly forReference?: boolean
}

/** What a read of the rows related to several parents asks for; the window and the count are of each parent. */
export interface RelatedCriteria extends Listing {
  /** By the name of the related type. */
  readonly columnsOf: ReadonlyMap<string, WantedColumns>
  /** What must hold besides for rows of one type, by its name. */
  readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
  /**
   * Whether the rows that hold the keys of the parents are read to be given others: a store that can keeps others from
   * changing them until the transaction ends.
   */
  readonly forChange?: boolean
}

/** What is known of the rows of one list besides the rows. */
export interface ListFacts {
  /** How many there are before the window, where that was asked for. */
  readonly total: number | null
  /** Whether more follow past the end of the window, in the direction in which it was cut. Default: no. */
  readonly more?: boolean
  /** Of a cursor window; `null` when no row is in it. */
  readonly edges?: RowEdges | null
}

interface VerifiedRows {
  /** Whether the store guarantees that all rows have their keys and that no row occurs twice in a list: it is not checked again. */
  readonly isVerified?: boolean
}

export interface CollectionResult extends ListFacts, VerifiedRows {
  /** Rows, or plain objects, which become rows at the border. */
  readonly rows: RowSet | readonly object[]
}

/** The row with an id, or none, after the conditions were looked at. */
export interface FoundRow {
  readonly rows: RowSet
}

/** One member of a relation: a row of one of the sets, by position. */
export interface RelatedMember {
  readonly set: number
  readonly row: number
  /** The columns of the join row that leads to it, where the relation has fields of its own. */
  readonly pivot: Readonly<Record<string, unknown>> | null
}

/** The members of one parent. */
export interface RelatedGroup extends ListFacts {
  readonly members: readonly RelatedMember[]
}

export interface RelatedResult extends VerifiedRows {
  /** The rows, each at most once, with the type among the relation's targets that they are of. */
  readonly sets: readonly { readonly type: string; readonly rows: RowSet | readonly object[] }[]
  /** One group for each parent, in the order of the parents. */
  readonly groups: readonly RelatedGroup[]
}

/**
 * Reads the rows behind a type. Ids come as the client wrote them; `CompiledType.id` decodes them.
 *
 * What a provider does not do itself, the service does for it. `{ rows }` says that all was done that was asked for: a
 * `FoundRow`, a `CollectionResult`. Bare rows say that nothing was looked at: objects, or a `RowSet`, with all columns.
 * The service then holds them against the conditions, and sorts a list and cuts it into pages. Without `fetchRelated` the
 * relations of the type are read from the collections of the related types.
 */
export interface Provider {
  readonly fetchOne: FetchOne
  readonly fetchCollection?: FetchCollection
  readonly fetchRelated?: FetchRelated
  readonly countRelated?: CountRelated
}

interface AcceptsScopes {
  /**
   * Whether conditions may contain `ScopeCondition`s. A property of the function, so that an application that replaces the
   * function gets conditions without them.
   */
  readonly acceptsScopes?: boolean
}

interface ReadFunctions {
  fetchOne(type: CompiledType, id: string, criteria: ReadCriteria): Awaitable<FoundRow | RowSet | object | null>
  fetchCollection(
    type: CompiledType,
    criteria: CollectionCriteria,
  ): Awaitable<CollectionResult | RowSet | readonly object[]>
  fetchRelated(relation: RelationLink, parents: RowSet, criteria: RelatedCriteria): Awaitable<RelatedResult>
  countRelated(relation: RelationLink, parents: RowSet, criteria: CountCriteria): Awaitable<readonly number[]>
}

/** Reads the row with an id; returns `null` when there is none. */
export type FetchOne = ReadFunctions['fetchOne'] & AcceptsScopes

/** Reads the rows of a collection. */
export type FetchCollection = ReadFunctions['fetchCollection'] & AcceptsScopes

/** Reads the related rows of several parents at once; `parents` has at least the columns that the relation uses. */
export type FetchRelated = ReadFunctions['fetchRelated'] & AcceptsScopes

/** Counts the related rows that meet the conditions, for each parent in their order. */
export type CountRelated = ReadFunctions['countRelated'] & AcceptsScopes

/** The criteria of a count of related rows. */
export type CountCriteria = Pick<RelatedCriteria, 'conditions' | 'conditionsOf' | 'transaction' | 'context'>

export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'fetchOne' in value && typeof value.fetchOne === 'function'
}
