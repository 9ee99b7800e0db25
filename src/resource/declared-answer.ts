import type { AcceptedAnswer, Answer, MetaAnswer, NoContentAnswer, ResourceAnswer, SeeOtherAnswer } from './answer.js'
import type { CompileError } from './fields/compile-error.js'
import type { SuccessResponse } from './responses.js'

/** The answer that each kind of declared response allows. */
interface AnswerByKind {
  readonly actionResource: ResourceAnswer
  readonly metaResult: MetaAnswer
  readonly noContent: NoContentAnswer
  readonly accepted: AcceptedAnswer
  readonly seeOther: SeeOtherAnswer
}

/**
 * The answers that the declared responses `R`, one response or a list of them, allow. Any answer is allowed if the
 * compiler does not know the responses.
 */
export type DeclaredAnswer<R> = R extends readonly (infer Each)[]
  ? DeclaredAnswer<Each>
  : R extends { readonly kind: infer Kind extends keyof AnswerByKind }
    ? AnswerByKind[Kind]
    : never

type Undeclared<
  Allowed extends Answer,
  Kind extends Answer['kind'],
  Sentence extends string,
> = Kind extends Allowed['kind'] ? never : Refused<{ readonly kind: Kind }, Sentence>

type Refused<Shape, Sentence extends string> = Shape & CompileError<Sentence>

/** Compiler messages for the answers that are not among the declared responses. */
export type UndeclaredAnswer<Allowed extends Answer> =
  | Undeclared<Allowed, 'resource', "answer.resource() needs actionResource() in 'responds'.">
  | Undeclared<Allowed, 'meta', "answer.meta() needs metaResult() in 'responds'.">
  | Undeclared<Allowed, 'noContent', "answer.noContent() needs noContent() in 'responds'.">
  | Undeclared<Allowed, 'accepted', "answer.accepted() needs accepted() in 'responds'.">
  | Undeclared<Allowed, 'seeOther', "answer.seeOther() needs seeOther() in 'responds'.">

type Response<Kind extends SuccessResponse['kind']> = Extract<SuccessResponse, { readonly kind: Kind }>

/** Compiler messages for a function that returns the declaration of a response instead of an answer. */
export type MisplacedResponse =
  | Refused<Response<'actionResource'>, 'actionResource() only declares the response: return answer.resource().'>
  | Refused<Response<'metaResult'>, 'metaResult() only declares the response: return answer.meta().'>
  | Refused<Response<'noContent'>, 'noContent() only declares the response: return answer.noContent().'>
  | Refused<Response<'accepted'>, 'accepted() only declares the response: return answer.accepted().'>
  | Refused<Response<'seeOther'>, 'seeOther() only declares the response: return answer.seeOther().'>
  | Refused<Response<'created' | 'ok'>, 'created() and ok() only declare the response: return answer.resource().'>
