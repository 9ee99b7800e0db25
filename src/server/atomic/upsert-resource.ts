import { fail, failAll, JsonApiError } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonMembers } from '../../core/util/types.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { keyColumns } from '../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import { idReader } from '../../declare/resource/reading/row-linkage.js'
import type { Handler } from '../../serve/handler/handler.js'
import type { Operation } from '../../serve/operation/operation.js'
import type { ResponseValue } from '../../serve/operation/response-value.js'
import { requirePermission } from '../../serve/read/query/permission.js'
import { scopeConditions } from '../../serve/read/query/scope-conditions.js'
import type { ReadContext } from '../../serve/read/read-context.js'
import { readContextOf, readTransaction } from '../../serve/read/read-context.js'
import { readCollection } from '../../serve/read/rows/read-collection.js'
import type { ExtensionHost } from '../assembly/declared/extension.js'
import type { PlannedOperation } from './plan-batch.js'
import { invalidBatch } from './problem-collector.js'
import { upsertPointer } from './read-batch.js'
import { versionMatch } from './sent-version.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

interface Upserting {
  readonly host: ExtensionHost
  readonly handler: Handler
}

/**
 * Updates the resource that the caller sees with the key of the data, or creates it. Either is a plain operation for the handler, with its
 * checks and hooks. If another request creates or deletes the resource in between, the operation is repeated once: the error of the first try
 * is the response if nothing has changed for the caller, such as for a key that a hidden row has.
 */
export async function upsertResource(
  creation: CreateResource,
  planned: PlannedOperation,
  { host, handler }: Upserting,
): Promise<ResponseValue> {
  const { served, context } = planned
  for (const ability of ['update', 'create']) requirePermission(served, ability, context)
  const request = readContextOf(creation, host.services)
  const condition = keyCondition(creation, planned)
  for (let isRepeated = false; ; isRepeated = true) {
    const id = await visibleId(served, condition, request)
    try {
      if (id !== null) return withCreated(await handler(updateOf(creation, planned, id)), false)
      refuseVersion(planned)
      return withCreated(await handler(creation), true)
    } catch (thrown) {
      if (isRepeated || !JsonApiError.is(thrown)) throw thrown
      if ((await visibleId(served, condition, request)) === id) throw thrown
    }
  }
}

function updateOf(
  { type, query, profiles, document }: CreateResource,
  { served, updateContext, version }: PlannedOperation,
  id: string,
): Operation {
  const context = updateContext ?? fail('APPLICATION_ERROR')
  const { data } = document as { readonly data: JsonMembers }
  const ifMatch = versionMatch(served, version, context)
  return {
    type,
    query,
    profiles,
    kind: 'UpdateResource',
    context,
    id,
    ifMatch,
    document: { data: { ...data, id: data['id'] ?? id } },
  }
}

/** An operation with a version only updates. */
function refuseVersion({ served, version }: PlannedOperation): void {
  if (served.type.version === null || version === null) return
  fail('PRECONDITION_FAILED', { condition: "'meta.version'" }, { source: { pointer: version.pointer } })
}

/** Adds to the meta of the result whether the resource was created. */
function withCreated(response: ResponseValue, created: boolean): ResponseValue {
  return response.kind === 'data' ? { ...response, meta: { ...response.meta, created } } : response
}

/** Returns the condition that a row has the key of the data. Fails with 400 if the data has none. */
function keyCondition({ document }: CreateResource, { served: { type }, upsertBy }: PlannedOperation): RowCondition {
  const data = (document as { readonly data: JsonMembers }).data
  const equal = { kind: 'compare', operator: '=' } as const
  if (upsertBy === 'id') {
    const id = data['id']
    if (typeof id !== 'string') return refuseKey("the data has no 'id'")
    const key = type.id.decode(id)
    const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
    return key === null || key === undefined ? noRow : { ...equal, column, value: key }
  }
  const attribute = type.attributeNamed.get(upsertBy ?? '')
  const { attributes } = data
  const value = isPlainObject(attributes) ? attributes[upsertBy ?? ''] : undefined
  if (value === undefined || value === null) return refuseKey(`the data has no attribute '${upsertBy ?? ''}'`)
  // The create reports a value of another type.
  if (attribute === undefined || attribute.column === null || typeof value !== 'string') return noRow
  const column = { of: 'row', name: attribute.column, kind: attribute.spec.kind, isKey: false } as const
  return { ...equal, column, value: attribute.spec.kind.write(value) }
}

function refuseKey(message: string): never {
  failAll([invalidBatch(message, upsertPointer)])
}

const noRow: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/** Returns the id of the row that meets a condition; `null` if the caller sees none. */
async function visibleId(
  served: ServedType,
  condition: RowCondition,
  { context, open }: Pick<ReadContext, 'context' | 'open'>,
): Promise<string | null> {
  const found = await readCollection(served, {
    conditions: [...scopeConditions(served), condition],
    columns: served.serializer === null ? keyColumns(served.type.id.column) : null,
    orders: [{ kind: 'key', descending: false }],
    window: { kind: 'offset', offset: 0, limit: 1 },
    wantsCount: false,
    transaction: readTransaction(served, open),
    context,
  })
  const [row] = found.rows.rows
  return row === undefined ? null : idReader(served, found.rows.columns)(row, context)
}
