import type { ResponseValue } from '../operation/response-value.js'
import { currentTransactions } from '../read/open-transactions.js'
import type { RequestServices } from '../read/read-context.js'
import { servedType } from '../read/read-context.js'
import { withScopes } from '../read/rows/fill-scopes.js'
import type { ColumnValues, RowReference } from '../resource/capabilities/persister.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { RequestContext } from '../resource/request-context.js'
import type { BatchContext, CreateOperations } from './batch-context.js'
import {
  batchContext,
  CHUNK_SIZE,
  createdNodes,
  readResources,
  responsesTo,
  untilFirstFailure,
} from './batch-context.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { MemberOf } from './linkage/linkage-change.js'
import type { NewResource } from './new-resource.js'
import { newColumns } from './new-resource.js'
import { isCertainlyCreatable } from './persist/permitted-writes.js'
import { certainlyShowsMembers } from './persist/hidden-members.js'
import { writeStrategies } from './write-strategy.js'

/** The result of creating resources by one statement. */
export interface StatementBatch {
  /** One for each resource; `null` if nothing was stored. */
  readonly responses: readonly ResponseValue[] | null
  /** The resources, if all of them are valid: the transaction need not check them again. */
  readonly checked: readonly NewResource[] | null
}

const noShortcuts: { readonly acceptsScopes?: boolean; readonly autocommitMany?: undefined } = Object.freeze({})

const unchecked: StatementBatch = Object.freeze({ responses: null, checked: null })

/**
 * Creates all resources of a batch by one statement without a transaction: about two thirds of the CPU time. If the batch
 * needs a transaction, or if anything is wrong with it, nothing is stored: the same batch in a transaction
 * (`createBatch()`) then finds out why, and reports it. Responses and errors are the same in both cases.
 */
export async function createBatchByStatement(
  creations: CreateOperations,
  services: RequestServices,
): Promise<StatementBatch> {
  const { count } = creations
  const served = servedType(services, creations.at(0).context)
  const { acceptsScopes = false, autocommitMany: insertRows } = served.shortcuts.create ?? noShortcuts
  const { createOnlyBatch, references } = writeStrategies(served)
  if (createOnlyBatch.reason !== null || insertRows === undefined || count > CHUNK_SIZE) return unchecked
  if (currentTransactions() !== null) return unchecked
  const batch = await batchContext(creations, served, services)
  if (batch === null) return unchecked
  const batchRelations = new Set([...batch.batchRelations].filter((relation) => references.has(relation)))
  const checked = await readResources(creations, 0, count, { ...batch, batchRelations })
  if (checked.length < count) return unchecked
  const rows = await rowsOf(checked, batch, references)
  if (rows.length < count) return { responses: null, checked }
  const { context } = batch.request
  const sent = referencesOf(checked, references)
  const inRequest = acceptsScopes ? sent : sent.map((reference) => withoutScopes(reference, context))
  const write = { context, references: inRequest, conditions: [], clientColumns: [] }
  // An error means that it is unknown whether the rows were stored, such as after a lost connection: no second attempt.
  const stored = await insertRows(served.type, rows, write)
  if (stored === null) return { responses: null, checked }
  return { responses: await responsesTo(createdNodes(served, stored, count), checked, batch), checked }
}

type References = ReadonlyMap<ServedRelation, RowReference>

/** Returns the rows, up to the first that is not valid. Members are not read: the statement checks that they exist. */
async function rowsOf(
  resources: readonly NewResource[],
  { request }: BatchContext,
  references: References,
): Promise<readonly ColumnValues[]> {
  const types = new Map(Array.from(references.values(), ({ type }) => [type.type, type]))
  const memberOf: MemberOf = ({ type, id }) => {
    const key = types.get(type)?.id.decode(id) ?? null
    return key === null ? undefined : { type, id, key, idKey: key }
  }
  return untilFirstFailure(resources.length, async (index) => {
    const resource = resources[index]
    if (resource === undefined) return null
    const { changes } = resource
    if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
    const values = await newColumns(resource, memberOf, request)
    // `null` if only the store can check the row, after it is stored.
    const isDecided =
      isCertainlyCreatable(resource.served, values, request.context) &&
      certainlyShowsMembers(resource, values, request.context)
    return isDecided ? values : null
  })
}

/** Returns the references of the relations that the resources set. */
function referencesOf(resources: readonly NewResource[], references: References): readonly RowReference[] {
  const relations = new Set<ServedRelation>()
  for (const { changes } of resources) for (const { relation } of changes) relations.add(relation)
  return [...relations].flatMap((relation) => references.get(relation) ?? [])
}

/** Returns a reference with conditions of the request instead of scopes. */
function withoutScopes(reference: RowReference, context: RequestContext): RowReference {
  return { ...reference, conditions: withScopes({ conditions: reference.conditions, context }).conditions }
}
