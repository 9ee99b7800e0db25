import type { Answer, ResourceAnswer } from '../resource/answer.js'
import { isAnswer } from '../resource/answer.js'
import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { SuccessResponse } from '../resource/responses.js'
import { isRowSet } from '../rows/row-set.js'
import type { ReadContext } from '../read/read-context.js'
import { checkedList, checkedRows } from '../read/rows/checked-rows.js'
import { acceptedWork } from '../hooks/accepted-response.js'
import { locationResponse } from '../hooks/answer-response.js'
import { jobTypeOf } from '../write/persist/write-outcome.js'

/** The response that declares each answer. */
const declaredAs: Readonly<Record<Answer['kind'], SuccessResponse['kind']>> = Object.freeze({
  resource: 'actionResource',
  meta: 'metaResult',
  noContent: 'noContent',
  accepted: 'accepted',
  seeOther: 'seeOther',
})

/**
 * What an action answered, looked at while everything can still be undone: an answer that is not among the declared ones,
 * or cannot be given, is the author's fault, a `TypeError`.
 *
 * @param shown the type of documents that the action answers with, `null` where it answers with none
 */
export function actionAnswer(
  said: unknown,
  action: CompiledAction,
  shown: ServedType | null,
  reading: ReadContext,
): Answer {
  const name = `The action '${action.path}' of '${reading.context.type}'`
  if (!isAnswer(said))
    throw new TypeError(`${name} answered nothing that is an answer: make it with answer.resource().`)
  const response = declaredAs[said.kind]
  if (!action.responses.some(({ kind }) => kind === response)) {
    throw new TypeError(`${name} answered answer.${said.kind}(), but its 'responds' has no ${response}().`)
  }
  switch (said.kind) {
    case 'resource':
      checkRows(said, shown, name)
      break
    case 'accepted':
      acceptedWork(said, jobTypeOf(action.responses), reading)
      break
    case 'seeOther':
      locationResponse(said.location, reading)
      break
    default:
  }
  return said
}

function checkRows({ rows, type }: ResourceAnswer, shown: ServedType | null, name: string): void {
  if (shown === null || (type !== null && type !== shown.type.type)) {
    throw new TypeError(`${name} answered a resource of '${type}', but its 'responds' says '${shown?.type.type}'.`)
  }
  if (rows === null) return
  const many = Array.isArray(rows) || isRowSet(rows)
  if (many) checkedList(shown, rows)
  else checkedRows(shown, rows)
}
