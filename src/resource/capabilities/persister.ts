import type { Awaitable } from '../../util/types.js'
import type { AcceptedAnswer } from '../answer.js'
import type { CompiledType } from '../compiled-type.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import type { RowCondition } from '../querying/row-condition.js'
import type { RelationLink } from '../relations/relation-link.js'
import type { RequestContext } from '../request-context.js'
import type { WorkContext } from './stored-rows.js'
import type { Transaction } from './transactions.js'

export interface WriteContext {
  readonly transaction: Transaction | null
  readonly context: WorkContext
  /**
   * Of a resource that is created or updated: what becomes of its relations once the row is written. `mutateRelationship`
   * is called with each of them; who puts the whole work off has to keep them for later.
   */
  readonly relationships?: readonly { readonly relation: RelationLink; readonly change: RelationshipChange }[]
}

/** Columns to set. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** A member of a relation: a row of one of the related types, by the key that relations point at (`referenceColumn`). */
export interface MemberKey {
  /** The name of the related type. */
  readonly type: string
  readonly key: unknown
}

/** A member with columns of the join row that leads to it. */
export interface MemberValues extends MemberKey {
  readonly values: ColumnValues
}

/** What becomes of a relation that is not held by the owner's own row. No member is named twice. */
export interface RelationshipChange {
  /**
   * To be members. One that is a member already stays one, and its join row takes the values. Where the rows of members hold
   * the key and one of them is gone, that is a conflict: `reference`.
   */
  readonly added: readonly MemberValues[]
  /** Members whose join rows take values. */
  readonly updated: readonly MemberValues[]
  /** To be members no more. One that is none is passed over. */
  readonly removed: readonly MemberKey[]
}

interface Creating {
  create(type: CompiledType, values: ColumnValues, write: WriteContext): Awaitable<object | AcceptedAnswer>
}

/** Writes a new row, and answers it; see `Persister`. An author may say more of the values than that they are some. */
export type CreateRow = Creating['create'] & {
  /**
   * Writes several new rows at once, where a batch creates one after the other. A part of the function itself: who puts
   * another `create` in its place is asked for each row. Answers all of them as stored, in their order. `null`, or a conflict,
   * where they cannot be written so: nothing of them stays then, and each is created by itself.
   */
  readonly many?: (
    type: CompiledType,
    rows: readonly ColumnValues[],
    write: WriteContext,
  ) => Awaitable<RowSet | readonly object[] | null>
  /**
   * Writes one new row that is all there is to write: without a transaction, and kept when it answers. A part of the function
   * itself, as `many` is. Answers the row as stored. `null` where that takes more than one write, where a row that it is to
   * point at is not there, and where the store refuses it, for whatever reason: nothing of it stays then, and it is created
   * in a transaction, which also says what is wrong.
   */
  readonly alone?: (type: CompiledType, values: ColumnValues, write: LoneWrite) => Awaitable<RowSet | object | null>
}

/** A write that stands alone. */
export interface LoneWrite {
  readonly context: RequestContext
  /** The columns whose values are keys of rows that have to be there. */
  readonly references: readonly RowReference[]
}

/** A column that holds the key of a row: what the ids of the type stand for. */
export interface RowReference {
  readonly column: string
  readonly type: CompiledType
  /** What that row has to meet to be there, such as the scope of its type in this request. */
  readonly conditions: readonly RowCondition[]
}

/**
 * Writes the rows behind a type. Every method answers only when the row is written, with the values that the store gave
 * it; within a transaction it can still be undone.
 */
export interface Persister {
  /** The columns of a blank row, before the client's values are laid over them. */
  instantiate?(type: CompiledType): ColumnValues
  /**
   * The key is among the values when the client or the service chose it. Answers the row as stored, or that the work was
   * accepted and goes on: `answer.accepted()`.
   */
  readonly create: CreateRow
  /** Answers the row as stored, `null` when it is gone, or that the work was accepted. */
  update(
    type: CompiledType,
    key: unknown,
    values: ColumnValues,
    write: WriteContext,
  ): Awaitable<object | AcceptedAnswer | null>
  /** Answers whether there was such a row. */
  delete(type: CompiledType, key: unknown, write: WriteContext): Awaitable<boolean>
  /** Changes who the members of a relation are. `owner` is the row as stored. */
  mutateRelationship?(
    relation: RelationLink,
    owner: RowObject,
    change: RelationshipChange,
    write: WriteContext,
  ): Awaitable<void>
}

export function isPersister(value: unknown): value is Persister {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['create', 'update', 'delete'].every((method) => typeof (value as Record<string, unknown>)[method] === 'function')
  )
}
