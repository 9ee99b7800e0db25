import type { Awaitable } from '../../../core/util/types.js'
import type { DeclaredReply, MisplacedResponse, UndeclaredReply } from '../replies/declared-reply.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import type { WorkContext } from '../events/stored-rows.js'
import type { RowObject } from '../fields/field-spec.js'
import type { CompileError } from '../parts/compile-error.js'
import type { RequestContext } from '../request/request-context.js'
import type { Responses } from './resource-settings.js'
import type { ActionResourceResponse, Bytes } from '../replies/responses.js'
import type { ActionInput, ActionMethod, ActionScope } from '../actions/compiled-action.js'

/** The query parameters of an action request. Actions refuse `filter`, `sort` and `page`, which are for collections. */
export interface ActionQuery {
  /** The sparse fieldsets by type. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  /** `null` if the request has no `include`. */
  readonly include: readonly string[] | null
  /** Values as sent, by family, of the families that the application registered. */
  readonly custom: ReadonlyMap<string, readonly string[]>
}

/**
 * The argument of the handler of an action on the collection.
 *
 * @example
 * ```ts
 * const countAlbums = async ({ context }: CollectionActionWork) =>
 *   reply.meta({ albums: (await context.rows('albums').list()).length })
 * ```
 */
export interface CollectionActionWork {
  readonly query: ActionQuery
  readonly context: WorkContext
}

/**
 * The argument of the handler of an action on one resource.
 *
 * @example
 * ```ts
 * const release = async ({ entity, context }: ResourceActionWork<AlbumRow>) =>
 *   reply.resource(await context.rows(albums).update(entity.id, { releasedAt: new Date() }))
 * ```
 */
export interface ResourceActionWork<Row = RowObject> extends CollectionActionWork {
  /** The stored row. */
  readonly entity: Row
}

interface DocumentInput<Row> {
  /** The columns that the document sets. They are neither written nor merged into the entity. */
  readonly input: Readonly<Partial<Row>>
}

interface RawInput {
  /** The body as sent; empty if there is none. `context.request` has its `Content-Type`. */
  readonly body: Uint8Array
}

interface BytesInput<MediaType extends string> {
  /** The body as sent. It may be empty. */
  readonly body: Uint8Array
  /** The media type of the body, without parameters: one of those that `bytes()` declares, or one in its ranges. */
  readonly mediaType: MediaType extends `${string}*` ? string : MediaType
}

/** The part of the handler's argument that the responses determine. */
type ResponseWork<R> =
  Extract<R extends readonly (infer Each)[] ? Each : R, Bytes> extends Bytes<infer MediaType>
    ? [MediaType] extends [never]
      ? unknown
      : {
          /** The declared media types that the client accepts, the preferred one first. */
          readonly accepts: readonly [MediaType, ...MediaType[]]
        }
    : unknown

type Handle<Work, R> = (
  work: Work,
) => Awaitable<DeclaredReply<R> | UndeclaredReply<DeclaredReply<R>> | MisplacedResponse>

/** The part of the handler's argument that the input options determine. */
type InputWork<Row, Input extends ActionInput, InputType extends string> = Input extends 'document'
  ? DocumentInput<[InputType] extends [never] ? Row : RowObject>
  : Input extends 'raw'
    ? RawInput
    : Input extends Bytes<infer MediaType>
      ? BytesInput<MediaType>
      : unknown

/** The input options, and the handler, whose argument they determine. */
interface WithInput<Work, Row, R, Input extends ActionInput, InputType extends string> {
  /**
   * Default: `none`, which does not read the body. `document` is a document with a resource object, validated like the document of a
   * create request. `bytes('image/png')` are the bytes of a body with one of these media types, `raw` those of any body.
   */
  readonly input?: Input
  /** The type of the document. Default: the type that declares the action. */
  readonly inputType?: Input extends 'document'
    ? InputType
    : CompileError<"inputType applies only to documents: set input: 'document'.">
  readonly handle: Handle<Work & InputWork<Row, NoInfer<Input>, NoInfer<InputType>> & ResponseWork<NoInfer<R>>, R>
}

/** The responses that an action may declare. See {@link ActionKit}. */
export type ActionResponses = Responses<
  'actionResource' | 'metaResult' | 'noContent' | 'accepted' | 'seeOther' | 'bytes',
  'Actions respond with actionResource(), metaResult(), noContent(), accepted(), seeOther() or bytes().'
>

/** The response of an action that declares none. */
type DefaultResponse = ActionResourceResponse<null, 'one'>

/** The options that every action has. See {@link ActionKit}. */
export interface ActionOptions<R = ActionResponses, Method extends ActionMethod = ActionMethod> {
  /** The HTTP methods of the action. Default: `POST`. */
  readonly methods?: readonly (Method | CompileError<'The methods of actions are GET, POST, PATCH, PUT and DELETE.'>)[]
  /** The possible success responses. Default: a document with one resource of the type that declares the action. */
  readonly responds?: R
  /**
   * The ability of the policy that a call needs. On a resource, the stored row must meet its rule. `false` opens the
   * action to everybody. Without the ability, the response is 401 or 403, and the resource has no link to the action.
   */
  readonly ability?: string | false
  /** The name of the route. Default, for example: `jsonapi.albums.action.resource.reissue`. */
  readonly name?: string
  readonly tags?: readonly string[]
  readonly description?: string
  /** Clients should no longer call it: `true`, or with the day of its end. It works as before. Default: false. */
  readonly deprecated?: boolean | DeprecationOptions
}

interface ResourceActionOptions<Row, R, Method extends ActionMethod> extends ActionOptions<R, Method> {
  /**
   * Returns whether the client may call the action. If not, the response is 403, or 401 without a caller on a server that
   * authenticates, and the resource has no link to it.
   */
  readonly allowed?: (row: Row, context: RequestContext) => boolean
  /** Adds the URL of the action to the links of each resource. */
  readonly asLink?: boolean
  /** Returns whether the resource has the link. */
  readonly linkedWhen?: (row: Row, context: RequestContext) => boolean
}

interface CollectionActionOptions<R, Method extends ActionMethod> extends ActionOptions<R, Method> {
  /** Returns whether the client may call the action. If not, the response is 403, or 401 without a caller. */
  readonly allowed?: (context: RequestContext) => boolean
  readonly asLink?: CompileError<'Only resources have links: an action on the collection cannot have one.'>
  readonly linkedWhen?: CompileError<'Only resources have links: an action on the collection cannot have one.'>
}

/** Any declared action. `actions` lists it under its path. An {@link ActionKit} describes it to the compiler as an {@link Action}. */
export interface ActionDeclaration {
  readonly role: 'action'
  readonly scope: ActionScope
  readonly options: Readonly<Record<string, unknown>>
}

/** The key of the type-level state of an action. It exists for the compiler only, not at run time. */
declare const actionState: unique symbol

/**
 * A declared action, as an {@link ActionKit} creates it: its scope, its responses, its input with the type of the documents, which is
 * `never` for the type that declares the action, and its methods.
 */
export interface Action<
  Scope extends ActionScope,
  R,
  Input extends ActionInput,
  InputType extends string,
  Method extends ActionMethod,
> extends ActionDeclaration {
  readonly [actionState]: {
    readonly scope: Scope
    readonly responds: R
    readonly input: Input
    readonly inputType: InputType
    readonly method: Method
  }
}

/**
 * The functions that declare actions of a type with rows of type `Row`: the argument of `actions`.
 *
 * @example
 * ```ts
 * const tracks = defineResource('tracks', {
 *   model: model<{ id: number; title: string; plays: number }>('tracks'),
 *   id: id(),
 *   attributes: (a) => ({ title: a.string(), plays: a.integer().readOnly() }),
 *   actions: (a) => ({
 *     play: a.resource({
 *       asLink: true,
 *       handle: async ({ entity, context }) =>
 *         reply.resource(await context.rows('tracks').update(entity.id, { plays: entity.plays + 1 })),
 *     }),
 *   }),
 * })
 * ```
 */
export interface ActionKit<Row> {
  /** Declares an action at `/{type}/{id}/-actions/{path}`. */
  resource<
    const R extends ActionResponses = DefaultResponse,
    const Input extends ActionInput = 'none',
    const InputType extends string = never,
    const Method extends ActionMethod = 'POST',
  >(
    action: ResourceActionOptions<Row, R, Method> & WithInput<ResourceActionWork<Row>, Row, R, Input, InputType>,
  ): Action<'resource', R, Input, InputType, Method>
  /** Declares an action at `/{type}/-actions/{path}`. */
  collection<
    const R extends ActionResponses = DefaultResponse,
    const Input extends ActionInput = 'none',
    const InputType extends string = never,
    const Method extends ActionMethod = 'POST',
  >(
    action: CollectionActionOptions<R, Method> & WithInput<CollectionActionWork, Row, R, Input, InputType>,
  ): Action<'collection', R, Input, InputType, Method>
}

const kit = Object.freeze({
  resource: (action: object) => actionDeclaration('resource', action),
  collection: (action: object) => actionDeclaration('collection', action),
} satisfies Readonly<Record<keyof ActionKit<RowObject>, (action: object) => ActionDeclaration>>)

/**
 * Returns the action kit for a row type. All types share one object, since the row type exists only for the compiler.
 */
export function actionKit<Row>(): ActionKit<Row> {
  return kit as unknown as ActionKit<Row>
}

function actionDeclaration(scope: ActionScope, options: object): ActionDeclaration {
  return Object.freeze({ role: 'action', scope, options: Object.freeze({ ...options }) })
}
