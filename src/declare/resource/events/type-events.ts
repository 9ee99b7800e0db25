import type { Awaitable } from '../../../core/util/types.js'
import type { WorkContext } from './stored-rows.js'
import type { RowObject } from '../fields/field-spec.js'
import type { Draft, RelationshipMode, RelationshipWorkContext } from './hooks.js'
import type { Identifier } from '../parts/identifier.js'
import type { Replacement } from '../replies/replacement.js'

/** The members that every event of a type has. */
interface EventOfType<Context extends WorkContext = WorkContext> {
  /** The name of the server that handles the request. */
  readonly server: string
  readonly type: string
  /** The request, the caller, and access to the database. Inside a transaction, `db` and `rows()` take part in it. */
  readonly context: Context
}

interface SaveOf<Row> extends EventOfType {
  readonly row: Readonly<Row>
}

interface RelationshipEvent<Row> extends EventOfType<RelationshipWorkContext> {
  /** The row that owns the relation. */
  readonly parent: Readonly<Row>
  /** The name of the relation. */
  readonly relationship: string
  /** The linkage as the client sent it. */
  readonly linkage: readonly Identifier[] | Identifier | null
  readonly mode: RelationshipMode
}

interface RelatedRead<Row> extends EventOfType {
  /** The row that owns the relation. */
  readonly parent: Readonly<Row>
  /** The name of the relation. */
  readonly relationship: string
}

interface ActionEvent<Row> extends EventOfType {
  /** The path segment that names the action. */
  readonly action: string
  /** The row that the action is called on; `null` for an action on the collection. */
  readonly row: Readonly<Row> | null
}

/**
 * The events of a type by name, with the argument of their listeners. `Before…` events of writes fire inside the transaction: a listener
 * may change the draft, or throw, and then nothing is written. `After…` events fire after the commit, and in a batch after the
 * commit of the whole batch.
 *
 * @example
 * ```ts
 * const logCreated = ({ type, row }: TypeEvents<AlbumRow>['AfterCreate']) => console.log(type, row.title)
 * ```
 */
export interface TypeEvents<Row = RowObject> {
  /** Before `BeforeCreate` and `BeforeUpdate`. */
  readonly BeforeSave: EventOfType & {
    /** The columns that will be stored. A column that a listener sets is stored too. */
    readonly draft: Draft<Row>
    readonly creating: boolean
    /** The stored row; `null` for a create. */
    readonly original: Readonly<Row> | null
  }
  readonly BeforeCreate: EventOfType & { readonly draft: Draft<Row> }
  readonly BeforeUpdate: EventOfType & { readonly draft: Draft<Row>; readonly original: Readonly<Row> }
  readonly AfterCreate: SaveOf<Row>
  readonly AfterUpdate: SaveOf<Row>
  /** The last event of a create or an update. */
  readonly AfterSave: SaveOf<Row> & { readonly creating: boolean }
  readonly BeforeDelete: SaveOf<Row>
  /** The row as it was. */
  readonly AfterDelete: SaveOf<Row>
  readonly BeforeRelationshipMutate: RelationshipEvent<Row>
  readonly AfterRelationshipMutate: RelationshipEvent<Row>
  /** Before a collection is read. */
  readonly BeforeFetchCollection: EventOfType
  /** The rows of the page. */
  readonly AfterFetchCollection: EventOfType & { readonly rows: readonly Readonly<Row>[] }
  readonly AfterFetchOne: SaveOf<Row>
  /** Before related resources are read. */
  readonly BeforeFetchRelated: RelatedRead<Row>
  /** Before the linkage of a relation is read. */
  readonly BeforeFetchRelationship: RelatedRead<Row>
  /** Inside the transaction of the action, if it has one. */
  readonly BeforeAction: ActionEvent<Row>
  readonly AfterAction: ActionEvent<Row>
}

/** The name of an event of {@link TypeEvents}. */
export type TypeEventName = keyof TypeEvents

/** The events whose listeners may return another response. In a batch their responses are ignored. */
type ReplacingEvent =
  | 'AfterCreate'
  | 'AfterUpdate'
  | 'AfterSave'
  | 'AfterDelete'
  | 'AfterRelationshipMutate'
  | 'AfterFetchCollection'
  | 'AfterFetchOne'

/**
 * A function that runs when an event fires. Listeners run in the order in which they were added, each after the previous one has
 * finished. Of several responses the last one is sent.
 *
 * @example
 * ```ts
 * const refuseUntitled = ({ draft }: TypeEvents<AlbumRow>['BeforeSave']) => {
 *   if (draft.title === '') throw new HttpError(422)
 * }
 * ```
 */
export type Listener<Name extends TypeEventName, Row = RowObject> = (
  event: TypeEvents<Row>[Name],
) => Name extends ReplacingEvent ? Replacement : Awaitable<void>

/** All names, in the order of a request. The type of this record makes the compiler report missing entries. */
const names: Readonly<Record<TypeEventName, true>> = Object.freeze({
  BeforeSave: true,
  BeforeCreate: true,
  BeforeUpdate: true,
  AfterCreate: true,
  AfterUpdate: true,
  AfterSave: true,
  BeforeDelete: true,
  AfterDelete: true,
  BeforeRelationshipMutate: true,
  AfterRelationshipMutate: true,
  BeforeFetchCollection: true,
  AfterFetchCollection: true,
  AfterFetchOne: true,
  BeforeFetchRelated: true,
  BeforeFetchRelationship: true,
  BeforeAction: true,
  AfterAction: true,
})

export const typeEventNames: readonly TypeEventName[] = Object.freeze(Object.keys(names) as TypeEventName[])
