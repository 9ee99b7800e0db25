import type { AcceptedReply, Reply, MetaReply, NoContentReply, ResourceReply, SeeOtherReply } from './reply.js'
import type { CompileError } from './fields/compile-error.js'
import type { SuccessResponse } from './responses.js'

/** The reply that each kind of declared response allows. */
interface ReplyByKind {
  readonly actionResource: ResourceReply
  readonly metaResult: MetaReply
  readonly noContent: NoContentReply
  readonly accepted: AcceptedReply
  readonly seeOther: SeeOtherReply
}

/**
 * The replies that the declared responses `R`, one response or a list of them, allow. Any reply is allowed if the
 * compiler does not know the responses.
 */
export type DeclaredReply<R> = R extends readonly (infer Each)[]
  ? DeclaredReply<Each>
  : R extends { readonly kind: infer Kind extends keyof ReplyByKind }
    ? ReplyByKind[Kind]
    : never

type Undeclared<
  Allowed extends Reply,
  Kind extends Reply['kind'],
  Sentence extends string,
> = Kind extends Allowed['kind'] ? never : Refused<{ readonly kind: Kind }, Sentence>

type Refused<Shape, Sentence extends string> = Shape & CompileError<Sentence>

/** Compiler messages for the replies that are not among the declared responses. */
export type UndeclaredReply<Allowed extends Reply> =
  | Undeclared<Allowed, 'resource', "reply.resource() needs actionResource() in 'responds'.">
  | Undeclared<Allowed, 'meta', "reply.meta() needs metaResult() in 'responds'.">
  | Undeclared<Allowed, 'noContent', "reply.noContent() needs noContent() in 'responds'.">
  | Undeclared<Allowed, 'accepted', "reply.accepted() needs accepted() in 'responds'.">
  | Undeclared<Allowed, 'seeOther', "reply.seeOther() needs seeOther() in 'responds'.">

type Response<Kind extends SuccessResponse['kind']> = Extract<SuccessResponse, { readonly kind: Kind }>

/** Compiler messages for a function that returns the declaration of a response instead of a reply. */
export type MisplacedResponse =
  | Refused<Response<'actionResource'>, 'actionResource() only declares the response: return reply.resource().'>
  | Refused<Response<'metaResult'>, 'metaResult() only declares the response: return reply.meta().'>
  | Refused<Response<'noContent'>, 'noContent() only declares the response: return reply.noContent().'>
  | Refused<Response<'accepted'>, 'accepted() only declares the response: return reply.accepted().'>
  | Refused<Response<'seeOther'>, 'seeOther() only declares the response: return reply.seeOther().'>
  | Refused<Response<'created' | 'ok'>, 'created() and ok() only declare the response: return reply.resource().'>
