import type { AcceptedAnswer, Answer, MetaAnswer, NoContentAnswer, ResourceAnswer, SeeOtherAnswer } from './answer.js'
import type { Refusal } from './fields/refusals.js'
import type { SuccessResponse } from './responses.js'

/** The answer that each response declares. */
interface AnswerBy {
  readonly actionResource: ResourceAnswer
  readonly metaResult: MetaAnswer
  readonly noContent: NoContentAnswer
  readonly accepted: AcceptedAnswer
  readonly seeOther: SeeOtherAnswer
}

/** What is answered where responses `R`, one or a list of them, are declared; of what nobody knows, anything. */
export type Answered<R> = R extends readonly (infer Each)[]
  ? Answered<Each>
  : R extends { readonly kind: infer Kind extends keyof AnswerBy }
    ? AnswerBy[Kind]
    : never

type Undeclared<
  Allowed extends Answer,
  Kind extends Answer['kind'],
  Sentence extends string,
> = Kind extends Allowed['kind'] ? never : Refused<{ readonly kind: Kind }, Sentence>

type Refused<Shape, Sentence extends string> = Shape & Refusal<Sentence>

/** Sentences for the answers that no response declares. */
export type NotDeclared<Allowed extends Answer> =
  | Undeclared<Allowed, 'resource', "answer.resource() is declared with actionResource(): name it in 'responds'.">
  | Undeclared<Allowed, 'meta', "answer.meta() is declared with metaResult(): name it in 'responds'.">
  | Undeclared<Allowed, 'noContent', "answer.noContent() is declared with noContent(): name it in 'responds'.">
  | Undeclared<Allowed, 'accepted', "answer.accepted() is declared with accepted(): name it in 'responds'.">
  | Undeclared<Allowed, 'seeOther', "answer.seeOther() is declared with seeOther(): name it in 'responds'.">

type Response<Kind extends SuccessResponse['kind']> = Extract<SuccessResponse, { readonly kind: Kind }>

/** Sentences for what declares an answer, where the answer itself is wanted. */
export type Declaring =
  | Refused<Response<'actionResource'>, 'Declared with actionResource(); answered with answer.resource().'>
  | Refused<Response<'metaResult'>, 'Declared with metaResult(); answered with answer.meta().'>
  | Refused<Response<'noContent'>, 'Declared with noContent(); answered with answer.noContent().'>
  | Refused<Response<'accepted'>, 'Declared with accepted(); answered with answer.accepted().'>
  | Refused<Response<'seeOther'>, 'Declared with seeOther(); answered with answer.seeOther().'>
  | Refused<Response<'created' | 'ok'>, 'Declared with created() or ok(); answered with answer.resource().'>
