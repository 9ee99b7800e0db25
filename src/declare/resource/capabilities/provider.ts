import type { RowSet } from '../../../core/rows/row-set.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { CompiledType } from '../compiled/compiled-type.js'
import type { RowCondition } from '../querying/row-condition.js'
import type { GroupOrder, RowGroup, RowMeasure } from '../querying/row-aggregation.js'
import type { RowOrder } from '../querying/row-order.js'
import type { RowEdges, RowWindow } from '../querying/row-window.js'
import type { RelationLink } from '../compiled/relation-link.js'
import type { RequestContext } from '../request/request-context.js'
import type { Transaction } from '../request/transactions.js'

/** The columns to read; `null` for all columns, because user-defined code gets the whole row. */
export type WantedColumns = readonly string[] | null

/**
 * A condition that does not filter rows, but is read with them: a column of that name contains for each row whether it meets
 * the condition: `true` or 1 if it does. A store may omit the column.
 */
export interface RowFlag {
  readonly name: string
  readonly condition: RowCondition
}

/** The criteria of every read. */
interface AnyCriteria {
  /** Only rows that meet all conditions are read. */
  readonly conditions: readonly RowCondition[]
  /** The transaction to read in, so that a write sees what it has written. */
  readonly transaction: Transaction | null
  readonly context: RequestContext
  /**
   * An object that identifies this read: reads with the same cache key differ only in the transaction, the context, the id or
   * the parents, and the conditions that scopes have for the request. A store may cache prepared statements by it.
   */
  readonly cacheKey?: object | undefined
}

/** The criteria for a read of one row. */
export interface ReadCriteria extends AnyCriteria {
  readonly columns: WantedColumns
  readonly flags?: readonly RowFlag[]
  /** Whether the row will be changed. A store should lock it until the transaction ends. */
  readonly forChange?: boolean
}

interface Listing extends AnyCriteria {
  /** The sort keys, the most significant one first. No two rows are equal in all of them. */
  readonly orders: readonly RowOrder[]
  /** `null` for all rows. */
  readonly window: RowWindow | null
  /** Whether to count the rows before they are cut to the window. */
  readonly wantsCount: boolean
}

/** How the total of a collection may be estimated. A store may always count it instead. */
export interface EstimateCriteria {
  /** A total up to this number must be exact. */
  readonly exactUpTo: number
  /**
   * The conditions that hide no row from the caller, because they only compare values that the client sent. A store may use
   * statistics of all rows of a table only for a read without other conditions, or if this is `any`.
   */
  readonly filters: readonly RowCondition[] | 'any'
}

/** The criteria for a read of a collection. */
export interface CollectionCriteria extends Listing {
  readonly columns: WantedColumns
  readonly flags?: readonly RowFlag[]
  /** If it is set, `wantsCount` is too, and the result may have an `estimate` instead of the total. */
  readonly estimate?: EstimateCriteria | null
  /**
   * Whether other rows will refer to these rows without a foreign key. A store should lock them against deletion until the
   * transaction ends.
   */
  readonly forReference?: boolean
}

/** The criteria for a read of the rows related to several parents. Window and count apply to each parent. */
export interface RelatedCriteria extends Listing {
  /** The columns to read, by the name of the related type. */
  readonly columnsOf: ReadonlyMap<string, WantedColumns>
  /** The flags of the rows, by the name of the related type. */
  readonly flagsOf?: ReadonlyMap<string, readonly RowFlag[]> | undefined
  /** Further conditions for the rows of one type, by its name. */
  readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
  /**
   * The number of members, of all parents together, that the request may read; no limit if it is left out. Of a to-one
   * relation, it is the number of different rows. A request that would read more fails, so a store should stop after one
   * more: any of them, in any order. It applies to the members inside a window.
   */
  readonly maxMembers?: number | undefined
  /**
   * Whether the rows that hold the keys of the parents will get other keys. A store should lock them until the transaction
   * ends.
   */
  readonly forChange?: boolean
}

/** The criteria for groups of the rows of a collection: of an aggregate. */
export interface GroupCriteria extends AnyCriteria {
  /** Empty for one group of all rows, which exists even if there are no rows. */
  readonly groups: readonly RowGroup[]
  readonly measures: readonly RowMeasure[]
  /** The sort keys, the most significant one first. No two groups are equal in all of them. */
  readonly orders: readonly GroupOrder[]
  readonly window: { readonly offset: number; readonly limit: number }
  /** Groups of fewer rows are left out. */
  readonly minGroupSize: number
  /** Whether to count the groups before they are cut to the window. */
  readonly wantsCount: boolean
}

/** The groups of a window, in order. */
export interface GroupResult {
  /**
   * For each group its values, and after them its measures. A sum is a number, a bigint or a text with all digits of a whole number;
   * any other measure a stored value.
   */
  readonly groups: readonly (readonly unknown[])[]
  /** The number of groups that are not left out; `null` if it was not requested. */
  readonly total: number | null
  /** Whether more groups follow after the window. */
  readonly more: boolean
  /** Whether groups were left out because they are too small. */
  readonly omits: boolean
}

/** An estimate of the number of rows without the window. */
export interface TotalEstimate {
  /** A number of rows that there certainly are. */
  readonly atLeast: number
  /** Not less than `atLeast`. */
  readonly bestGuess: number
}

/** The data of a list that determine its page links and its total. */
export interface ListFacts {
  /** The number of rows without the window; `null` if it was not requested, or is estimated. */
  readonly total: number | null
  /** Instead of the total, if the criteria let it be estimated. Default: `null`. */
  readonly estimate?: TotalEstimate | null
  /** Whether more rows follow after the window, in its direction. Default: no. */
  readonly more?: boolean
  /** The positions of the first and the last row of a cursor window; `null` if the window has no rows. */
  readonly edges?: RowEdges | null
}

interface VerifiedRows {
  /** Whether the store guarantees that all rows have keys and that no row occurs twice in a list. Then it is not checked. */
  readonly isVerified?: boolean
}

export interface CollectionResult extends ListFacts, VerifiedRows {
  /** A row set, or plain objects, which the framework converts. */
  readonly rows: RowSet | readonly object[]
}

/** The row with an id, or no row, if the provider has checked the conditions itself. */
export interface FoundRow {
  readonly rows: RowSet
}

/** One member of a relation: a row of one of the sets, by position. */
export interface RelatedMember {
  readonly set: number
  readonly row: number
  /** The columns of the join row; `null` if the relation has no fields. */
  readonly pivot: Readonly<Record<string, unknown>> | null
}

/** The members of one parent. */
export interface RelatedGroup extends ListFacts {
  readonly members: readonly RelatedMember[]
}

export interface RelatedResult extends VerifiedRows {
  /** The rows, each at most once, by their type, which is one of the related types. */
  readonly sets: readonly { readonly type: string; readonly rows: RowSet | readonly object[] }[]
  /** One group for each parent, in the order of the parents. */
  readonly groups: readonly RelatedGroup[]
}

/**
 * Reads the rows behind a type. Ids are passed as the client sent them; `CompiledType.id` decodes them.
 *
 * A provider that applies all criteria returns an object with `rows`: a `FoundRow` or a `CollectionResult`. A provider that
 * applies none returns the rows themselves, as objects or as a `RowSet`, with all columns. Then the framework filters, sorts
 * and paginates them. Without `fetchRelated`, the relations of the type are read from the collections of the related types.
 */
export interface Provider {
  readonly fetchOne: FetchOne
  readonly fetchCollection?: FetchCollection
  readonly fetchRelated?: FetchRelated
  readonly countRelated?: CountRelated
  /** Needed by types that declare aggregates. */
  readonly fetchGroups?: FetchGroups
  /**
   * The functions whose conditions may contain `ScopeCondition`s. A function that is not the one in this list gets conditions of
   * the request instead: so `{ ...store, fetchCollection }` gets them in the new `fetchCollection`.
   */
  readonly acceptsScopes?: Partial<ReadFunctions>
  /**
   * Whether its read functions apply search conditions and sort by relevance, or return all rows, which the framework searches.
   * Without it, filters with `search()` are a build fault.
   */
  readonly acceptsSearch?: boolean
}

/** All functions of a provider. */
export type ReadFunctions = Required<Omit<Provider, 'acceptsScopes' | 'acceptsSearch'>>

interface ReadSignatures {
  fetchOne(type: CompiledType, id: string, criteria: ReadCriteria): Awaitable<FoundRow | RowSet | object | null>
  fetchCollection(
    type: CompiledType,
    criteria: CollectionCriteria,
  ): Awaitable<CollectionResult | RowSet | readonly object[]>
  fetchRelated(relation: RelationLink, parents: RowSet, criteria: RelatedCriteria): Awaitable<RelatedResult>
  countRelated(relation: RelationLink, parents: RowSet, criteria: CountCriteria): Awaitable<readonly number[]>
  fetchGroups(type: CompiledType, criteria: GroupCriteria): Awaitable<GroupResult>
}

/** Returns the row with an id; `null` if there is none. */
export type FetchOne = ReadSignatures['fetchOne']

/** Reads the rows of a collection. */
export type FetchCollection = ReadSignatures['fetchCollection']

/** Reads the related rows of several parents together. `parents` has at least the columns that the relation uses. */
export type FetchRelated = ReadSignatures['fetchRelated']

/** Counts the related rows that meet the conditions, for each parent in their order. */
export type CountRelated = ReadSignatures['countRelated']

/** Groups the rows of a type, and computes the measures of each group. */
export type FetchGroups = ReadSignatures['fetchGroups']

/** The criteria of a count of related rows. */
export type CountCriteria = Pick<RelatedCriteria, 'conditions' | 'conditionsOf' | 'transaction' | 'context'>

export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'fetchOne' in value && typeof value.fetchOne === 'function'
}
