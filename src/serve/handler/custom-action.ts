import { refuse } from '../../core/errors/refuse.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { ActionCall } from '../operation/action-call.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import { sentMediaTypes } from '../../declare/resource/actions/compiled-action.js'
import type { ActionReply } from '../../declare/resource/replies/reply.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { WorkContext } from '../../declare/resource/events/stored-rows.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { RowCheck } from '../../declare/resource/policy/rule-kit.js'
import { costOfOneRow } from '../../declare/resource/request/query-cost.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { deny, requirePermission } from '../read/query/permission.js'
import { refuseResourceQuery } from '../read/plan/refuse-query.js'
import { planPaidRead } from '../read/plan/read-plan.js'
import { spendCost } from '../read/plan/spend-cost.js'
import type { OpenTransactions, ReadContext, RequestServices } from '../read/read-context.js'
import { servedType, readContextOf } from '../read/read-context.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import { actionReply } from './action-reply.js'
import { acceptedTypes, bytesResponse, inputTypeOf } from './bytes-response.js'
import { replyResponse } from '../hooks/reply-response.js'
import { fire, stepsAfter } from '../hooks/fire-events.js'
import { inTransaction, runAfterCommit } from '../write/persist/in-transaction.js'
import { checkRules, storedRow } from '../write/persist/check-rules.js'
import { checkVersion, requireVersion } from '../write/persist/check-version.js'
import { jobTypeOf } from '../write/persist/write-outcome.js'
import { workContext } from '../hooks/work-context.js'
import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import { nothingStored } from '../validation/validation.js'
import { checkDocument } from '../write/check-document.js'
import { deleteKind, restoreKind } from '../write/delete.js'
import { execute } from '../write/execute.js'
import { prepareForceDelete, prepareRestore } from '../write/prepare-write.js'
import { hydrate } from '../write/columns/hydrate.js'
import { readResourceDocument } from '../write/document/resource-document.js'
import { planPaidWrite, spendWrite } from '../write/write-cost.js'
import { writableAttributes } from '../validation/writable-attributes.js'

/** `/{type}/{id}/-actions/{path}` and `/{type}/-actions/{path}` */
export async function customAction(call: ActionCall, services: RequestServices): Promise<ResponseValue> {
  const served = servedType(services, call.context)
  const action = actionNamed(served.type, call)
  if (action.builtIn !== null && call.id !== null) return builtIns[action.builtIn](call, call.id, services)
  const request = readContextOf(call, services)
  const shown = shownType(action, request)
  const plan = await planReply(shown, call, request)
  // A caller who has the ability for no row is denied before a row is read.
  if (typeof action.ability === 'string') requirePermission(served, action.ability, call.context)
  if (call.id !== null && call.method !== 'GET') requireVersion(served, call.ifMatch ?? null, call.context)

  let row: RowObject | null = null
  const act = async (open: OpenTransactions | null): Promise<ActionReply> => {
    const entity = await fetchEntity(served, { call, open })
    await checkAbility(action, entity, { call, open, services })
    checkAllowed(action, entity, call, services)
    if (entity !== null) checkVersion(served, entity, call.ifMatch ?? null)
    const input = action.input === 'document' ? await actionInput(call, action.inputType, services) : null
    const context = workContext(call.context, open, services)
    row = entity
    await fire(served, 'BeforeAction', { action: action.path, row }, () => context)
    const returned = await action.handle(workOf(action, call, { entity, input, context }))
    return actionReply(returned, action, shown, request)
  }
  const reply = await (call.method === 'GET' ? act(request.open) : inTransaction([served], request, act))
  const after = stepsAfter(served, 'AfterAction', { action: action.path, row }, () =>
    workContext(call.context, null, services),
  )
  await runAfterCommit(served, after)
  if (reply.kind === 'bytes') return bytesResponse(reply, action, request)
  const replyContext = {
    served: shown ?? served,
    jobType: jobTypeOf(action.responses),
    ...(plan === null ? {} : { plan }),
  }
  return replyResponse(reply, replyContext, request)
}

/** The actions of soft deletes. */
const builtIns = Object.freeze({
  restore: (call: ActionCall, id: string, services: RequestServices) =>
    execute(prepareRestore(call, id, services), restoreKind),
  forceDelete: (call: ActionCall, id: string, services: RequestServices) =>
    execute(prepareForceDelete(call, id, services), deleteKind),
})

/** Returns the action of a call. A program may call an unknown action; for requests, the router has checked it. */
function actionNamed({ actions }: CompiledType, { action: path, id, method }: ActionCall): CompiledAction {
  const found = actions.find((action) => action.path === path && (action.scope === 'collection') === (id === null))
  if (found === undefined) fail('RESOURCE_NOT_FOUND')
  if (found.methods.includes(method)) return found
  const allow = found.methods.join(', ')
  return fail('METHOD_NOT_ALLOWED', { methods: allow }, { headers: ['Allow', allow] })
}

/** Returns the type of the resources in the response; `null` if the action returns no resources. */
function shownType({ responses }: CompiledAction, { services, context }: ReadContext): ServedType | null {
  const shown = responses.find((response) => response.kind === 'actionResource')
  return shown === undefined ? null : servedType(services, { ...context, type: shown.type ?? context.type })
}

/** Plans the document of the response. Errors of the query are reported before the action runs. */
async function planReply(
  shown: ServedType | null,
  { method, document, type }: ActionCall,
  request: ReadContext,
): Promise<DocumentPlan | null> {
  const isRead = method === 'GET'
  if (shown !== null) {
    const target = { kind: 'one', subject: shown } as const
    return (await (isRead ? planPaidRead(target, request) : planPaidWrite(target, document, request))).document
  }
  refuseResourceQuery(request)
  await (isRead ? spendCost(costOfOneRow(type), request) : spendWrite(document, request))
  return null
}

interface EntityRead {
  readonly call: ActionCall
  readonly open: OpenTransactions | null
}

async function fetchEntity(
  served: ServedType,
  { call: { id, method, context }, open }: EntityRead,
): Promise<RowObject | null> {
  if (id === null) return null
  return fetchObject(served, id, { open, context, forChange: method !== 'GET' })
}

/** Fails with 401 or 403 if the caller does not have the ability of an action for the resource that it is called on. */
async function checkAbility(
  { ability, path }: CompiledAction,
  entity: RowObject | null,
  { call: { context }, open, services }: EntityRead & { readonly services: RequestServices },
): Promise<void> {
  if (ability === null || ability === false) return
  const served = servedType(services, context)
  if (entity !== null) {
    return checkRules([storedRow(served, entity)], ability, { context, open, limit: services.maxErrors })
  }
  const permission = requirePermission(served, ability, context)
  if (permission === true) return
  if (!(permission instanceof RowCheck)) {
    const type = `'${context.type}'`
    throw new TypeError(
      `The ability '${ability}' of ${type} is a rule about rows, but the action '${path}' has no row.`,
    )
  }
  const result: unknown = await permission.check({ row: null, incoming: null }, context)
  if (result !== true) deny(served, ability, context)
}

function checkAllowed(
  { allowed, path }: CompiledAction,
  entity: RowObject | null,
  { context }: ActionCall,
  services: RequestServices,
): void {
  if (allowed === null || allowed(entity, context)) return
  const isUnknown = context.caller === null && services.authenticates(context.server)
  refuse(isUnknown, `The action '${path}' of '${context.type}' is not allowed.`)
}

interface ActionArguments {
  readonly entity: RowObject | null
  readonly input: object | null
  readonly context: WorkContext
}

/** Creates the argument of the user-defined function. It has an entity, input and body only if the action has them. */
function workOf(action: CompiledAction, call: ActionCall, { entity, input, context }: ActionArguments): object {
  const { query, body } = call
  return {
    ...(entity === null ? {} : { entity }),
    ...(input === null ? {} : { input }),
    ...(action.input === 'raw' ? { body: body ?? new Uint8Array() } : {}),
    ...(action.inputMediaTypes === null ? {} : { mediaType: inputTypeOf(action.inputMediaTypes, call) }),
    ...(sentMediaTypes(action) === null ? {} : { accepts: acceptedTypes(action, call.context) }),
    query: { fields: query.fields, include: query.include, custom: query.custom },
    context,
  }
}

/**
 * Returns the columns that the document of an action sets. The document is checked like that of a new resource. Its id and
 * its relationships are ignored, because nothing is created.
 */
async function actionInput(
  { document: sent, context }: ActionCall,
  inputType: string,
  services: RequestServices,
): Promise<ColumnValues> {
  const served = servedType(services, { ...context, type: inputType })
  const { maxErrors: limit, maxItems } = services
  const document = { ...readResourceDocument(sent, served.type, { mode: 'update', maxItems }), id: null }
  const attributes = writableAttributes(served.type, 'create', context)
  const writable = { attributes, relations: [] }
  const unstored = { storesRow: false, row: null, stored: nothingStored, transaction: null }
  const write = { mode: 'create', context, writable, changes: [], ...unstored } as const
  await checkDocument(served, document, write, services, null)
  return hydrate(served, document, { context, writable: attributes, row: null, stored: nothingStored, limit })
}
