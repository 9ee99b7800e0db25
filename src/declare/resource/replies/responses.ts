/**
 * An operation that a type may serve, as named in `operations`.
 *
 * @example
 * ```ts
 * const appendOnly: ResourceMetadata['operations'] = ['FetchCollection', 'FetchOne', 'Create']
 * const history = albums.with({ operations: appendOnly })
 * ```
 */
export type ResourceOperation = 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'

/** An operation of a type: one of `operations`, or the upsert that `upsertBy: 'id'` adds. */
export type ServedOperation = ResourceOperation | 'Upsert'

export const resourceOperations: readonly ResourceOperation[] = Object.freeze([
  'FetchCollection',
  'FetchOne',
  'Create',
  'Update',
  'Delete',
])

/** In the order in which they are listed. */
export const servedOperations: readonly ServedOperation[] = Object.freeze([...resourceOperations, 'Upsert'])

/** The members of a declaration that list the success responses of an operation. */
export type ResponseMember = 'fetchCollection' | 'fetchOne' | 'create' | 'update' | 'delete'

/** The owner of a success response: an operation or an action. */
export type ResponseOwner = ResponseMember | 'action'

/**
 * A success response that an operation or an action declares: {@link ok}, {@link created}, {@link accepted},
 * {@link noContent}, {@link seeOther}, {@link metaResult}, {@link actionResource} or {@link bytes}.
 */
export type SuccessResponse =
  | { readonly kind: 'created'; readonly status: 201 }
  | { readonly kind: 'ok'; readonly status: 200 }
  | { readonly kind: 'noContent'; readonly status: 204 }
  /** The work continues after the response; the body is a document of the job type. */
  | AcceptedResponse
  | { readonly kind: 'seeOther'; readonly status: 303 }
  /** A document that contains only meta. */
  | { readonly kind: 'metaResult'; readonly status: 200 }
  /** A document of a type; `null` for the type that declares the action. */
  | ActionResourceResponse
  /** No document, but bytes of a declared media type. */
  | Bytes

/** A 202 response with a document of the job type, as {@link accepted} declares it. */
export interface AcceptedResponse<Job extends string = string> {
  readonly kind: 'accepted'
  readonly status: 202
  readonly jobType: Job
}

/** How many resources the document of an action has, as {@link actionResource} declares it. */
export type ActionData = 'one' | 'oneOrNull' | 'many'

/** A 200 response of an action with a document of a type, as {@link actionResource} declares it. */
export interface ActionResourceResponse<
  Type extends string | null = string | null,
  Data extends ActionData = ActionData,
> {
  readonly kind: 'actionResource'
  readonly status: 200
  readonly type: Type
  readonly data: Data
}

/** A body of bytes, as {@link bytes} declares it. */
export interface Bytes<MediaType extends string = string> {
  readonly kind: 'bytes'
  readonly status: 200
  /** In lower case. */
  readonly mediaTypes: readonly MediaType[]
}

/** The operations that may declare each response; `action` for custom actions. */
export const responseOwners: Readonly<Record<SuccessResponse['kind'], readonly ResponseOwner[]>> = Object.freeze({
  created: ['create'],
  ok: ['update', 'fetchOne', 'fetchCollection'],
  noContent: ['create', 'update', 'delete', 'action'],
  accepted: ['create', 'update', 'action'],
  seeOther: ['fetchOne', 'action'],
  metaResult: ['delete', 'action'],
  actionResource: ['action'],
  bytes: ['action'],
})

/** The success responses of an operation whose declaration lists none. */
export const defaultResponses: Readonly<Record<ResponseMember, readonly SuccessResponse[]>> = Object.freeze({
  fetchCollection: Object.freeze([ok()]),
  fetchOne: Object.freeze([ok()]),
  create: Object.freeze([created()]),
  update: Object.freeze([ok()]),
  delete: Object.freeze([noContent()]),
})

/**
 * Declares a 201 response with the new resource.
 *
 * @example
 * ```ts
 * const maybeAsync = { create: [created(), accepted('jobs')] }
 * ```
 */
export function created(): Extract<SuccessResponse, { kind: 'created' }> {
  return Object.freeze({ kind: 'created', status: 201 })
}

/**
 * Declares a 200 response with a document.
 *
 * @example
 * ```ts
 * const job = { fetchOne: [ok(), seeOther()] }
 * ```
 */
export function ok(): Extract<SuccessResponse, { kind: 'ok' }> {
  return Object.freeze({ kind: 'ok', status: 200 })
}

/**
 * Declares a 204 response, without a body.
 *
 * @example
 * ```ts
 * const silent = { update: noContent() }
 * ```
 */
export function noContent(): Extract<SuccessResponse, { kind: 'noContent' }> {
  return Object.freeze({ kind: 'noContent', status: 204 })
}

/**
 * Declares a 202 response with a document of the job type.
 *
 * @example
 * ```ts
 * const async = { create: accepted('jobs') }
 * ```
 */
export function accepted<const Job extends string>(jobType: Job): AcceptedResponse<Job> {
  return Object.freeze({ kind: 'accepted', status: 202, jobType })
}

/**
 * Declares a 303 response, which redirects to the result of a job.
 *
 * @example
 * ```ts
 * const job = { fetchOne: [ok(), seeOther()] }
 * ```
 */
export function seeOther(): Extract<SuccessResponse, { kind: 'seeOther' }> {
  return Object.freeze({ kind: 'seeOther', status: 303 })
}

/**
 * Declares a 200 response with a document that contains only meta.
 *
 * @example
 * ```ts
 * const counted = { delete: metaResult() }
 * ```
 */
export function metaResult(): Extract<SuccessResponse, { kind: 'metaResult' }> {
  return Object.freeze({ kind: 'metaResult', status: 200 })
}

/**
 * Declares a 200 response of an action, with a document of a type: one resource, one or `null`, or a list. Default: one resource of the
 * type that declares the action.
 *
 * @example
 * ```ts
 * const firstTrack = { responds: actionResource('tracks', 'oneOrNull') }
 * const similarAlbums = { responds: actionResource('albums', 'many') }
 * ```
 */
export function actionResource<const Type extends string | null = null, const Data extends ActionData = 'one'>(
  type?: Type,
  data?: Data,
): ActionResourceResponse<NoInfer<Type>, NoInfer<Data>> {
  return Object.freeze({
    kind: 'actionResource',
    status: 200,
    type: type ?? (null as Type),
    data: data ?? ('one' as Data),
  })
}

/**
 * Declares a body of bytes with one of these media types: the input of an action, or its 200 response. An input may be a range, such as
 * `image/*`.
 *
 * @example
 * ```ts
 * const poster = { input: bytes('image/png', 'image/jpeg'), responds: bytes('image/webp') }
 * ```
 */
export function bytes<const MediaType extends string>(...mediaTypes: readonly MediaType[]): Bytes<MediaType> {
  return Object.freeze({ kind: 'bytes', status: 200, mediaTypes: Object.freeze([...mediaTypes]) })
}

/** Checks the shape, not the identity, so that declarations of another copy of the package are accepted. */
export function isBytes(value: unknown): value is Bytes {
  return typeof value === 'object' && value !== null && (value as Partial<Bytes>).kind === 'bytes'
}
