import type { Awaitable } from '../../../core/util/types.js'
import type { AcceptedReply } from '../replies/reply.js'
import type { CompiledType } from '../compiled/compiled-type.js'
import type { RowObject } from '../fields/field-spec.js'
import type { ValueKind } from '../fields/value-kind.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import type { RowCondition } from '../querying/row-condition.js'
import type { RelationLink } from '../compiled/relation-link.js'
import type { RequestContext } from '../request/request-context.js'
import type { RowFlag } from './provider.js'
import type { WorkContext } from '../events/stored-rows.js'
import type { Transaction } from '../request/transactions.js'

/** The context of every write. */
export interface WriteContext {
  readonly transaction: Transaction | null
  readonly context: WorkContext
  /**
   * For a resource that is created or updated: the changes of its relations after the row is written. `mutateRelationship` is
   * called with each of them. A persister that returns `reply.accepted()` has to store them for later.
   */
  readonly relationships?: readonly { readonly relation: RelationLink; readonly change: RelationshipChange }[]
}

/** Columns to set. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** A member of a relation: a row of one of the related types, by the key that relations refer to (`referenceColumn`). */
export interface MemberKey {
  /** The name of the related type. */
  readonly type: string
  readonly key: unknown
}

/** A member with columns of its join row. */
export interface MemberValues extends MemberKey {
  readonly values: ColumnValues
}

/** A change of a relation that is not stored in the owner's own row. No member is named twice. */
export interface RelationshipChange {
  /**
   * Members to add. One that is a member already stays one, and its join row gets the values. If the rows of members hold the
   * key and one of them does not exist, the store reports a conflict of the kind `reference`.
   */
  readonly added: readonly MemberValues[]
  /** Members whose join rows get values. */
  readonly updated: readonly MemberValues[]
  /** Members to remove. One that is not a member is ignored. */
  readonly removed: readonly MemberKey[]
}

interface WriteFunctions {
  create(type: CompiledType, values: ColumnValues, write: WriteContext): Awaitable<object | AcceptedReply>
  update(
    type: CompiledType,
    key: unknown,
    values: ColumnValues,
    write: WriteContext,
  ): Awaitable<object | AcceptedReply | null>
  delete(type: CompiledType, key: unknown, write: WriteContext): Awaitable<boolean>
  mutateRelationship(
    relation: RelationLink,
    owner: RowObject,
    change: RelationshipChange,
    write: WriteContext,
  ): Awaitable<void>
}

/**
 * A write by one statement, which commits by itself unless a transaction is open: a shortcut named `autocommit` or `autocommitMany`.
 *
 * It returns `null` if the write takes more than one statement, if a row that it needs does not exist or is not visible, and if
 * the database refuses it for any reason. Nothing is stored then, and the framework writes in a transaction instead, which also
 * determines the error.
 */
export interface AutocommitWrite {
  readonly context: RequestContext
  /**
   * The transaction that the statement is a part of, such as that of a batch; always `null` without `joinsTransactions`. A statement that
   * the database refuses must not end it.
   */
  readonly transaction: Transaction | null
  /** Columns whose values are keys of rows that must exist. */
  readonly references: readonly RowReference[]
  /**
   * The conditions under which the written row is visible in this request. Those of a create look at columns of the stored row only, such as
   * one that the database fills; without `checksRows` there are none.
   */
  readonly conditions: readonly RowCondition[]
  /**
   * Columns with values that a client may have read before and sends back. Return `null` if such a column can hold more than the
   * kind of the attribute shows, such as microseconds: the transaction compares the value with the stored one.
   */
  readonly clientColumns: readonly { readonly column: string; readonly kind: ValueKind }[]
}

/** An update by one statement, which returns the row as stored. */
export interface AutocommitUpdate extends AutocommitWrite {
  /** Flags to return with the row. No condition looks at rows of the same model. A store may leave them out. */
  readonly flags: readonly RowFlag[]
  /** A column of integers that the update raises by one, where null counts as 0; `null` for none, and without `raisesVersions`. */
  readonly raises: string | null
}

/** A column that holds the key of a row: the key that ids of the type represent. */
export interface RowReference {
  readonly column: string
  readonly type: CompiledType
  /** The conditions under which that row is visible in this request, such as the scope of its type. */
  readonly conditions: readonly RowCondition[]
}

/** Inserts a row and returns it as stored; see `Persister`. */
export type CreateRow = WriteFunctions['create']

/** Sets columns of a row and returns it as stored; see `Persister`. */
export type UpdateRow = WriteFunctions['update']

/** Deletes a row; see `Persister`. */
export type DeleteRow = WriteFunctions['delete']

/** Changes the members of a relation; see `Persister`. */
export type MutateRelationship = WriteFunctions['mutateRelationship']

/**
 * Faster forms of the functions of a persister, and what they can do. All of them are optional.
 *
 * Each group names the function that it stands for, as `insteadOf`. If the persister has another function there, its shortcuts
 * are not called: so `{ ...store, create }` calls the new `create` for every row.
 */
export interface WriteShortcuts {
  readonly create?: CreateShortcuts
  readonly update?: UpdateShortcuts
  readonly delete?: DeleteShortcuts
  readonly mutateRelationship?: MemberShortcuts
}

export interface ShortcutCapabilities {
  /** Whether the conditions of autocommit writes may contain `ScopeCondition`s. Default: no, they are conditions of the request. */
  readonly acceptsScopes?: boolean
  /** Whether `autocommit` also runs in a transaction that is open. Default: no, all steps of the write then run in it. */
  readonly joinsTransactions?: boolean
}

export interface CreateShortcuts extends ShortcutCapabilities {
  readonly insteadOf: CreateRow
  /**
   * Whether these functions store nothing if a row, as it is stored, does not meet the conditions of the write. Without it, rows with a rule
   * about a column that the database fills are written in a transaction, one by one.
   */
  readonly checksRows?: boolean
  /**
   * Inserts several rows in a transaction, for a batch that creates resources of one type. Returns them as stored, in their
   * order. Returns `null` or throws a conflict if they cannot be inserted together: none of them is stored then, and each is
   * created separately.
   */
  readonly many?: ShortcutFunctions['createMany']
  /** Returns the row as stored. */
  readonly autocommit?: ShortcutFunctions['create']
  /**
   * Inserts several rows, for a batch that does nothing else. Returns them as stored, in their order. It stores all of them or
   * none. A column of `references` may be null or missing in some of the rows.
   */
  readonly autocommitMany?: ShortcutFunctions['createManyAutocommit']
}

export interface UpdateShortcuts extends ShortcutCapabilities {
  readonly insteadOf: UpdateRow
  /** Whether `autocommit` raises the column that `raises` names. Without it, types with such a version need a transaction. */
  readonly raisesVersions?: boolean
  /** Returns the row as stored. There is at least one column to set. Called for soft deletes too. */
  readonly autocommit?: ShortcutFunctions['update']
}

export interface DeleteShortcuts extends ShortcutCapabilities {
  readonly insteadOf: DeleteRow
  /** Returns the row as it was before. `references` is empty. */
  readonly autocommit?: ShortcutFunctions['delete']
}

export interface MemberShortcuts extends ShortcutCapabilities {
  readonly insteadOf: MutateRelationship
  /** Adds or removes members that join rows hold. Returns whether it was done: `false` means the same as `null`. */
  readonly autocommit?: ShortcutFunctions['mutateRelationship']
}

export interface ShortcutFunctions {
  create(type: CompiledType, values: ColumnValues, write: AutocommitWrite): Awaitable<RowSet | object | null>
  createMany(
    type: CompiledType,
    rows: readonly ColumnValues[],
    write: WriteContext & Partial<Pick<AutocommitWrite, 'conditions'>>,
  ): Awaitable<RowSet | readonly object[] | null>
  createManyAutocommit(
    type: CompiledType,
    rows: readonly ColumnValues[],
    write: AutocommitWrite,
  ): Awaitable<RowSet | readonly object[] | null>
  update(
    type: CompiledType,
    key: unknown,
    values: ColumnValues,
    write: AutocommitUpdate,
  ): Awaitable<RowSet | object | null>
  delete(type: CompiledType, key: unknown, write: AutocommitWrite): Awaitable<RowSet | object | null>
  mutateRelationship(relation: RelationLink, change: JoinChange, write: JoinWrite): Awaitable<boolean>
}

/** Members to add to, or to remove from, a relation that join rows hold. No member is named twice. */
export interface JoinChange {
  readonly kind: 'add' | 'remove'
  /** The key that the id of the owner represents. */
  readonly owner: unknown
  /** The type of all members. */
  readonly type: CompiledType
  /** The keys that the ids of the members represent. */
  readonly members: readonly unknown[]
}

/** The context of a change of join rows by one statement. */
export interface JoinWrite {
  readonly context: RequestContext
  /** The transaction that the statement is a part of; always `null` without `joinsTransactions`. */
  readonly transaction: Transaction | null
  /** The conditions under which the owner is visible in this request. */
  readonly ownerConditions: readonly RowCondition[]
  /** The conditions under which each member is visible in this request. */
  readonly memberConditions: readonly RowCondition[]
}

/**
 * Writes the rows behind a type. Every function returns when the row is written, with the values that the store gave it;
 * within a transaction the write can still be rolled back.
 */
export interface Persister {
  /** Returns the columns of a blank row, before the values of the client are set. */
  instantiate?(type: CompiledType): ColumnValues
  /**
   * The key is among the values if the client or the framework chose it. Returns the row as stored, or `reply.accepted()` if
   * the work was accepted and continues.
   */
  readonly create: CreateRow
  /** Returns the row as stored, `null` if it does not exist, or `reply.accepted()`. */
  readonly update: UpdateRow
  /** Returns whether the row existed. */
  readonly delete: DeleteRow
  /** `owner` is the row as stored. */
  readonly mutateRelationship?: MutateRelationship
  /** Faster forms of these functions, which return the same. */
  readonly shortcuts?: WriteShortcuts
  /** Whether user-defined functions, such as listeners of the store, currently run with the writes of a type. Default: no. */
  isObserved?(type: CompiledType): boolean
}

export function isPersister(value: unknown): value is Persister {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['create', 'update', 'delete'].every((method) => typeof (value as Record<string, unknown>)[method] === 'function')
  )
}
