import type { Awaitable } from '../../util/types.js'
import type { Answered, Declaring, NotDeclared } from '../answered.js'
import type { WorkContext } from '../capabilities/stored-rows.js'
import type { RowObject } from '../fields/field-spec.js'
import type { Refusal } from '../fields/refusals.js'
import type { RequestContext } from '../request-context.js'
import type { Responses } from '../resource-settings.js'
import type { SuccessResponse } from '../responses.js'
import type { ActionMethod, ActionScope } from './compiled-action.js'

/** What a request says besides its address and body. `filter`, `sort` and `page` are of lists: actions refuse them. */
export interface ActionQuery {
  /** The members that are wanted, by type. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** `null` without one. */
  readonly include: readonly string[] | null
  /** Families that the application registered, as sent. */
  readonly custom: ReadonlyMap<string, readonly string[]>
}

/** What the handler of every action is told. */
export interface CollectionActionWork {
  readonly query: ActionQuery
  readonly context: WorkContext
}

/** What the handler of an action on one resource is told. */
export interface ResourceActionWork<Row = RowObject> extends CollectionActionWork {
  /** The row as it is stored. */
  readonly entity: Row
}

interface DocumentInput<Row> {
  /** The columns that the document sets. Nothing is written of it, and nothing laid over the entity. */
  readonly input: Readonly<Partial<Row>>
}

interface RawInput {
  /** As sent; empty without a body. `context.request` knows its `Content-Type`. */
  readonly body: Uint8Array
}

type Handle<Work, R> = (work: Work) => Awaitable<Answered<R> | NotDeclared<Answered<R>> | Declaring>

/** What the client sends decides what the handler is told. */
type WithInput<Work, Row, R> =
  | {
      /** Nothing, unless said otherwise: a body is not read. */
      readonly input?: 'none'
      readonly inputType?: Refusal<"inputType is for documents: say input: 'document'.">
      readonly handle: Handle<Work, R>
    }
  | {
      /** A document with a resource object, checked as one to be created. */
      readonly input: 'document'
      readonly inputType?: undefined
      readonly handle: Handle<Work & DocumentInput<Row>, R>
    }
  | {
      readonly input: 'document'
      /** The type of the document, where it is another than the one that the action is of. */
      readonly inputType: string
      readonly handle: Handle<Work & DocumentInput<RowObject>, R>
    }
  | {
      /** Bytes of any kind. */
      readonly input: 'raw'
      readonly inputType?: Refusal<"inputType is for documents: say input: 'document'.">
      readonly handle: Handle<Work & RawInput, R>
    }

/** The responses that an action may declare. */
type ActionResponses = Responses<
  'actionResource' | 'metaResult' | 'noContent' | 'accepted' | 'seeOther',
  'Actions answer with actionResource(), metaResult(), noContent(), accepted() or seeOther().'
>

/** What an action answers with that does not say. */
type UsualResponse = Extract<SuccessResponse, { readonly kind: 'actionResource' }>

/** What is said of every action. */
export interface ActionOptions<R = ActionResponses> {
  /** Default: `POST`. */
  readonly methods?: readonly (ActionMethod | Refusal<'The methods of actions are GET, POST, PATCH, PUT and DELETE.'>)[]
  /** What it may answer with. Default: a document of the type that it is of. */
  readonly responds?: R
  /** The name of its route. Default: `jsonapi.albums.action.resource.reissue`. */
  readonly name?: string
  readonly tags?: readonly string[]
  readonly description?: string
}

interface OnResource<Row, R> extends ActionOptions<R> {
  /** Whether the caller may: 403 otherwise, and no link. */
  readonly allowed?: (row: Row, context: RequestContext) => boolean
  /** Shows the address of the action among the links of each resource. */
  readonly asLink?: boolean
  /** Resources for which this is false do not show the link. */
  readonly linkedWhen?: (row: Row, context: RequestContext) => boolean
}

interface OnCollection<R> extends ActionOptions<R> {
  /** Whether the caller may: 403 otherwise. */
  readonly allowed?: (context: RequestContext) => boolean
  readonly asLink?: Refusal<'Links are of resources: an action on the collection has none.'>
  readonly linkedWhen?: Refusal<'Links are of resources: an action on the collection has none.'>
}

/** An action as it was written: `actions` keeps it under its path. */
export interface ActionDeclaration {
  readonly role: 'action'
  readonly scope: ActionScope
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Actions over rows `Row`.
 *
 * @example
 * ```ts
 * const songs = defineResource('songs', {
 *   model: model<{ id: number; title: string; plays: number }>('songs'),
 *   id: id(),
 *   attributes: (a) => ({ title: a.string(), plays: a.integer().readOnly() }),
 *   actions: (a) => ({
 *     play: a.resource({
 *       asLink: true,
 *       handle: async ({ entity, context }) =>
 *         answer.resource(await context.rows('songs').update(entity.id, { plays: entity.plays + 1 })),
 *     }),
 *   }),
 * })
 * ```
 */
export interface ActionKit<Row> {
  /** At `/{type}/{id}/-actions/{path}`. */
  resource<const R extends ActionResponses = UsualResponse>(
    action: OnResource<Row, R> & WithInput<ResourceActionWork<Row>, Row, R>,
  ): ActionDeclaration
  /** At `/{type}/-actions/{path}`. */
  collection<const R extends ActionResponses = UsualResponse>(
    action: OnCollection<R> & WithInput<CollectionActionWork, Row, R>,
  ): ActionDeclaration
}

const kit: ActionKit<RowObject> = Object.freeze<ActionKit<RowObject>>({
  resource: (action) => declared('resource', action),
  collection: (action) => declared('collection', action),
})

/** One object for all types, since only the compiler knows the difference. */
export function actionKit<Row>(): ActionKit<Row> {
  return kit as unknown as ActionKit<Row>
}

function declared(scope: ActionScope, options: object): ActionDeclaration {
  return Object.freeze({ role: 'action', scope, options: Object.freeze({ ...options }) })
}
