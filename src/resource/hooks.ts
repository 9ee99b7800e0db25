import type { Awaitable } from '../util/types.js'
import type { Answer } from './answer.js'
import type { Declaring } from './answered.js'
import type { WorkContext } from './capabilities/stored-rows.js'
import type { RowObject } from './fields/field-spec.js'
import type { Identifier } from './identifier.js'

/** A row on its way to the store: what a hook sets on it is written with it. */
export type Draft<Row> = { -readonly [Column in keyof Row]?: Row[Column] }

/** How linkage is changed. */
export type RelationshipMode = 'replace' | 'add' | 'remove'

/** What hooks around a change of linkage are told. */
export interface RelationshipWorkContext extends WorkContext {
  /** The name of the relation. */
  readonly relationship: string
  /** As the client sent it. */
  readonly linkage: readonly Identifier[] | Identifier | null
  readonly mode: RelationshipMode
}

/** What a hook answers in place of the service; nothing leaves the answer as it is. */
type Replacement = Awaitable<Answer | Declaring | null | undefined | void>

/**
 * An author's own steps in the operations of a type.
 *
 * Those before run inside the transaction, after validation: they may change the draft, or throw, and then nothing is
 * written. Those after run when everything is committed, and may answer something else; `afterSave` has the last word.
 * A write that is only accepted for later processing runs those before and none after.
 */
export interface ResourceHooks<Row = RowObject> {
  /** Before `beforeCreate` and `beforeUpdate`. */
  beforeSave?(draft: Draft<Row>, creating: boolean, context: WorkContext): Awaitable<void>
  beforeCreate?(draft: Draft<Row>, context: WorkContext): Awaitable<void>
  /** `original` is the row as it is stored. */
  beforeUpdate?(draft: Draft<Row>, original: Readonly<Row>, context: WorkContext): Awaitable<void>
  beforeDelete?(row: Readonly<Row>, context: WorkContext): Awaitable<void>
  beforeRelationshipMutate?(parent: Readonly<Row>, context: RelationshipWorkContext): Awaitable<void>
  afterCreate?(row: Readonly<Row>, context: WorkContext): Replacement
  afterUpdate?(row: Readonly<Row>, context: WorkContext): Replacement
  afterSave?(row: Readonly<Row>, creating: boolean, context: WorkContext): Replacement
  afterDelete?(row: Readonly<Row>, context: WorkContext): Replacement
  afterRelationshipMutate?(parent: Readonly<Row>, context: RelationshipWorkContext): Replacement
  afterFetchOne?(row: Readonly<Row>, context: WorkContext): Replacement
  afterFetchCollection?(rows: readonly Readonly<Row>[], context: WorkContext): Replacement
}
