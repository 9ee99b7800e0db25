import type {
  AcceptedReply,
  ActionReply,
  BytesReply,
  MetaReply,
  NoContentReply,
  ReplyData,
  ResourceReply,
  SeeOtherReply,
} from './reply.js'
import type { CompileError } from '../parts/compile-error.js'
import type { ActionData, SuccessResponse } from './responses.js'

/** The replies that a document with one resource, one or `null`, or a list allows. */
interface ReplyByData {
  readonly one: ResourceReply<'one'>
  readonly oneOrNull: ResourceReply<'one' | 'null'>
  readonly many: ResourceReply<'many'>
}

/** The reply that each kind of declared response allows. */
interface ReplyByKind {
  readonly metaResult: MetaReply
  readonly noContent: NoContentReply
  readonly accepted: AcceptedReply
  readonly seeOther: SeeOtherReply
  readonly bytes: BytesReply
}

/**
 * The replies that the declared responses `R`, one response or a list of them, allow. Any reply is allowed if the
 * compiler does not know the responses.
 */
export type DeclaredReply<R> = R extends readonly (infer Each)[]
  ? DeclaredReply<Each>
  : R extends { readonly kind: 'actionResource'; readonly data: infer Data extends ActionData }
    ? ReplyByData[Data]
    : R extends { readonly kind: infer Kind extends keyof ReplyByKind }
      ? ReplyByKind[Kind]
      : never

type Undeclared<
  Allowed extends ActionReply,
  Kind extends ActionReply['kind'],
  Sentence extends string,
> = Kind extends Allowed['kind'] ? never : Refused<{ readonly kind: Kind }, Sentence>

type Refused<Shape, Sentence extends string> = Shape & CompileError<Sentence>

/** A compiler message for a document with another number of resources than declared. */
type UndeclaredData<Allowed extends ActionReply, Data extends ReplyData, Sentence extends string> =
  Extract<Allowed, { readonly kind: 'resource' }> extends infer Documents
    ? [Documents] extends [never]
      ? never
      : Documents extends { readonly data: infer Declared }
        ? Data extends Declared
          ? never
          : Refused<{ readonly kind: 'resource'; readonly data: Data }, Sentence>
        : never
    : never

/** Compiler messages for the replies that are not among the declared responses. */
export type UndeclaredReply<Allowed extends ActionReply> =
  | UndeclaredData<Allowed, 'many', "reply.resource() with a list needs actionResource(type, 'many') in 'responds'.">
  | UndeclaredData<Allowed, 'null', "reply.resource(null) needs actionResource(type, 'oneOrNull') in 'responds'.">
  | UndeclaredData<Allowed, 'one', "reply.resource() needs a list of rows: 'responds' declares 'many'.">
  | Undeclared<Allowed, 'resource', "reply.resource() needs actionResource() in 'responds'.">
  | Undeclared<Allowed, 'meta', "reply.meta() needs metaResult() in 'responds'.">
  | Undeclared<Allowed, 'noContent', "reply.noContent() needs noContent() in 'responds'.">
  | Undeclared<Allowed, 'accepted', "reply.accepted() needs accepted() in 'responds'.">
  | Undeclared<Allowed, 'seeOther', "reply.seeOther() needs seeOther() in 'responds'.">
  | Undeclared<Allowed, 'bytes', "reply.bytes() needs bytes() in 'responds'.">

type Response<Kind extends SuccessResponse['kind']> = Extract<SuccessResponse, { readonly kind: Kind }>

/** Compiler messages for a function that returns the declaration of a response instead of a reply. */
export type MisplacedResponse =
  | Refused<Response<'actionResource'>, 'actionResource() only declares the response: return reply.resource().'>
  | Refused<Response<'metaResult'>, 'metaResult() only declares the response: return reply.meta().'>
  | Refused<Response<'noContent'>, 'noContent() only declares the response: return reply.noContent().'>
  | Refused<Response<'accepted'>, 'accepted() only declares the response: return reply.accepted().'>
  | Refused<Response<'seeOther'>, 'seeOther() only declares the response: return reply.seeOther().'>
  | Refused<Response<'bytes'>, 'bytes() only declares the response: return reply.bytes().'>
  | Refused<Response<'created' | 'ok'>, 'created() and ok() only declare the response: return reply.resource().'>
