import { HttpError } from '../errors/http-error.js'
import { fail } from '../errors/json-api-error.js'
import type { ActionCall } from '../operation/action-call.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { Answer } from '../resource/answer.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { WorkContext } from '../resource/capabilities/stored-rows.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { planRead } from '../read/plan/read-plan.js'
import { refuseResourceQuery } from '../read/plan/refuse-resource-query.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import { actionAnswer } from './action-answer.js'
import { actionInput } from './action-input.js'
import { answerResponse } from '../hooks/answer-response.js'
import { inTransaction } from '../write/persist/in-transaction.js'
import { jobTypeOf } from '../write/persist/write-outcome.js'
import { workContext } from '../hooks/work-context.js'
import { forceDelete, restore } from './soft-delete-action.js'

/** `/{type}/{id}/-actions/{path}` and `/{type}/-actions/{path}` */
export async function customAction(call: ActionCall, services: RequestServices): Promise<ResponseValue> {
  const served = servedType(services, call.context)
  const action = actionNamed(served.type, call)
  if (action.builtIn !== null && call.id !== null) return builtIns[action.builtIn](call, call.id, services)
  const reading = readContextOf(call, services)
  const shown = shownType(action, reading)
  const plan = await planAnswer(shown, reading)

  const act = async (open: OpenTransactions | null): Promise<Answer> => {
    const entity = await fetchEntity(served, { call, open })
    checkAllowed(action, entity, call)
    const input = action.input === 'document' ? await actionInput(call, action.inputType, services) : null
    const context = workContext(call.context, open, services)
    const said = await action.handle(workOf(action, call, { entity, input, context }))
    return actionAnswer(said, action, shown, reading)
  }
  const answer = await (call.method === 'GET' ? act(reading.open) : inTransaction([served], reading, act))
  const answering = {
    served: shown ?? served,
    jobType: jobTypeOf(action.responses),
    ...(plan === null ? {} : { plan }),
  }
  return answerResponse(answer, answering, reading)
}

const builtIns = Object.freeze({ restore, forceDelete })

/** A program may call what is not there; the router lets no client do so. */
function actionNamed({ actions }: CompiledType, { action: path, id, method }: ActionCall): CompiledAction {
  const found = actions.find((action) => action.path === path && (action.scope === 'collection') === (id === null))
  if (found === undefined) fail('RESOURCE_NOT_FOUND')
  if (found.methods.includes(method)) return found
  const allow = found.methods.join(', ')
  throw new HttpError(405, `The action '${path}' serves ${allow}.`, { headers: ['Allow', allow] })
}

/** The type of documents that an action answers with, `null` where it answers with none. */
function shownType({ responses }: CompiledAction, { services, context }: ReadContext): ServedType | null {
  const shown = responses.find((response) => response.kind === 'actionResource')
  return shown === undefined ? null : servedType(services, { ...context, type: shown.type ?? context.type })
}

/** An answer that cannot be given as the client wants it comes before anything is done. */
async function planAnswer(shown: ServedType | null, reading: ReadContext): Promise<DocumentPlan | null> {
  if (shown !== null) return (await planRead({ kind: 'one', subject: shown }, reading)).document
  refuseResourceQuery(reading)
  return null
}

interface Occasion {
  readonly call: ActionCall
  readonly open: OpenTransactions | null
}

async function fetchEntity(
  served: ServedType,
  { call: { id, method, context }, open }: Occasion,
): Promise<RowObject | null> {
  if (id === null) return null
  return fetchObject(served, id, { open, context, forChange: method !== 'GET' })
}

function checkAllowed({ allowed, path }: CompiledAction, entity: RowObject | null, { context }: ActionCall): void {
  if (allowed === null || allowed(entity, context)) return
  throw new HttpError(403, `The action '${path}' of '${context.type}' is not allowed.`)
}

interface Given {
  readonly entity: RowObject | null
  readonly input: object | null
  readonly context: WorkContext
}

/** What the author's code is told: of entity, input and body those that the action has. */
function workOf(
  { input: kind }: CompiledAction,
  { query, body }: ActionCall,
  { entity, input, context }: Given,
): object {
  return {
    ...(entity === null ? {} : { entity }),
    ...(input === null ? {} : { input }),
    ...(kind === 'raw' ? { body: body ?? new Uint8Array() } : {}),
    query: { fields: query.fields, include: query.include, custom: query.custom },
    context,
  }
}
