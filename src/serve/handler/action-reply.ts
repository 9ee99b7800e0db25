import type { ActionReply, ReplyData, ResourceReply } from '../../declare/resource/replies/reply.js'
import { isReply } from '../../declare/resource/replies/reply.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { ActionData, SuccessResponse } from '../../declare/resource/replies/responses.js'
import { isRowSet } from '../../core/rows/row-set.js'
import type { ReadContext } from '../read/read-context.js'
import { checkedList, checkedRows } from '../read/rows/checked-rows.js'
import { acceptedWork } from '../hooks/accepted-response.js'
import { locationResponse } from '../hooks/reply-response.js'
import { bytesResponse } from './bytes-response.js'
import { jobTypeOf } from '../write/persist/write-outcome.js'

/** The response that declares each reply. */
const declaredAs: Readonly<Record<ActionReply['kind'], SuccessResponse['kind']>> = Object.freeze({
  resource: 'actionResource',
  meta: 'metaResult',
  noContent: 'noContent',
  accepted: 'accepted',
  seeOther: 'seeOther',
  bytes: 'bytes',
})

/**
 * Checks the reply that an action returned. Throws a `TypeError`, a fault of the application, if the reply is not among
 * the declared ones or cannot be rendered. It is called inside the transaction, so that the error rolls everything back.
 *
 * @param shown the type of the resources in the response; `null` if the action returns no resources
 */
export function actionReply(
  returned: unknown,
  action: CompiledAction,
  shown: ServedType | null,
  request: ReadContext,
): ActionReply {
  const name = `The action '${action.path}' of '${request.context.type}'`
  if (!isReply(returned))
    throw new TypeError(`${name} returned no reply: create one with the functions of reply, such as reply.resource().`)
  const response = declaredAs[returned.kind]
  if (!action.responses.some(({ kind }) => kind === response)) {
    throw new TypeError(`${name} returned reply.${returned.kind}(), but its 'responds' has no ${response}().`)
  }
  switch (returned.kind) {
    case 'resource':
      checkRows(returned, shown, { name, context: request.context })
      checkData(returned, action.responses, name)
      break
    case 'accepted':
      acceptedWork(returned, jobTypeOf(action.responses), request)
      break
    case 'seeOther':
      locationResponse(returned.location, request)
      break
    case 'bytes':
      bytesResponse(returned, action, request)
      break
    default:
  }
  return returned
}

/** The contents of documents that each declaration allows. */
const allowedData: Readonly<Record<ActionData, readonly ReplyData[]>> = Object.freeze({
  one: ['one'],
  oneOrNull: ['one', 'null'],
  many: ['many'],
})

const dataNames: Readonly<Record<ReplyData, string>> = Object.freeze({
  one: 'one resource',
  null: 'null',
  many: 'a list of resources',
})

/** Throws if the document has another number of resources than declared: clients rely on the declaration. */
function checkData({ data }: ResourceReply, responses: readonly SuccessResponse[], name: string): void {
  const declared = responses.find((response) => response.kind === 'actionResource')
  if (declared === undefined || allowedData[declared.data].includes(data)) return
  const wanted = (Object.keys(allowedData) as ActionData[]).find((each) => allowedData[each].includes(data))
  throw new TypeError(
    `${name} returned ${dataNames[data]}, but its 'responds' declares '${declared.data}': ` +
      `declare actionResource('${declared.type}', '${wanted}').`,
  )
}

function checkRows(
  { rows, type }: ResourceReply,
  shown: ServedType | null,
  { name, context }: { readonly name: string; readonly context: RequestContext },
): void {
  if (shown === null || (type !== null && type !== shown.type.type)) {
    throw new TypeError(`${name} returned a resource of '${type}', but its 'responds' declares '${shown?.type.type}'.`)
  }
  if (rows === null) return
  const many = Array.isArray(rows) || isRowSet(rows)
  if (many) checkedList(shown, rows, context)
  else checkedRows(shown, rows)
}
