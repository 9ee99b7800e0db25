import { setImmediate as soon } from 'node:timers/promises'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { ColumnValues, CreateRow } from '../resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import { isStoreConflict } from '../resource/capabilities/store-conflict.js'
import type { RowSet } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import type { Awaitable } from '../util/types.js'
import { isLater, orElse, whenKnown } from '../util/when-known.js'
import type { DocumentPlan } from './compound/document-plan.js'
import { planOne } from './compound/plan-one.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { MemberOf } from './linkage/resolve-members.js'
import { findMembers } from './linkage/resolve-members.js'
import type { SentIdentifier } from './linkage/sent-linkage.js'
import { ongoing, readTransaction, writeTransaction } from './open-transactions.js'
import type { Reading } from './reading.js'
import { readingOf } from './reading.js'
import type { GraphNode } from './relation/graph-node.js'
import { nodesOf, objectOf } from './relation/graph-node.js'
import { checkedRows } from './rows/checked-rows.js'
import { checkDocument } from './steps/check-document.js'
import { whenKept } from './steps/in-transaction.js'
import type { NewResource } from './steps/new-resource.js'
import { newColumns, readNewResource } from './steps/new-resource.js'
import { afterWrite } from './steps/run-hooks.js'
import { writableMembers } from './steps/writable-members.js'
import { nothingStored } from './validation/validation.js'
import { workContext } from './work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>
type CreateRows = NonNullable<CreateRow['many']>

/** What came of resources that were to be created together. */
export interface CreatedTogether {
  /** Of as many as went together, from the first on; no others are written. */
  readonly answers: readonly ResponseValue[]
  /** How many of those that follow are to be created each by itself. */
  readonly alone: number
}

/**
 * Creates resources of one type that are created one after the other, by few writes; inside a transaction. What cannot go
 * with the others, for whatever reason, is left to be created by itself, which also says what is wrong with it: the answers,
 * and the errors, are the same in either way.
 *
 * @param operations share their context
 */
export async function createTogether(
  operations: readonly CreateResource[],
  services: HandlerServices,
): Promise<CreatedTogether> {
  const [first] = operations
  invariant(first !== undefined, 'no resources were to be created together')
  const served = servedType(services, first.context)
  const many = served.persister?.create.many
  const nothing = { answers: [], alone: operations.length }
  if (many === undefined || !isPlainlyCreated(served)) return nothing
  const reading = readingOf(first, services)
  if (!isShownByRow(served, await planOne(served, reading))) return nothing

  const answers: ResponseValue[] = []
  let prepared = prepare(operations.slice(0, partSize), served, reading)
  for (let start = 0; start < operations.length; start += partSize) {
    const rows = await prepared
    if (rows.length < 2) return { answers, alone: 1 }
    const writing = writeAll(served, many, { rows, reading })
    // While the store is at it, the next ones are made ready.
    prepared = prepareMeanwhile(operations.slice(start + partSize, start + 2 * partSize), served, reading)
    const [nodes] = await Promise.all([writing, prepared.catch(() => null)])
    if (nodes === null) return { answers, alone: rows.length }
    answers.push(...(await answersTo(nodes, served, reading)))
    if (rows.length < Math.min(partSize, operations.length - start)) return { answers, alone: 1 }
  }
  return { answers, alone: 0 }
}

/** As many as are written at once. Of fewer there would be more writes, and for more the store would wait longer. */
const partSize = 256

/** The rows of new resources, as far as they are sound. */
async function prepare(
  operations: readonly CreateResource[],
  served: ServedType,
  reading: Reading,
): Promise<readonly ColumnValues[]> {
  return rowsOf(await readAll(operations, served, reading), reading)
}

/** The same after what was begun before is on its way. */
async function prepareMeanwhile(...asked: Parameters<typeof prepare>): ReturnType<typeof prepare> {
  if (asked[0].length === 0) return []
  await soon()
  return prepare(...asked)
}

async function answersTo(
  nodes: readonly GraphNode[],
  served: ServedType,
  { query, context, services }: Reading,
): Promise<readonly ResponseValue[]> {
  const { type } = served
  const hasStepsAfter = type.hooks?.afterCreate !== undefined || type.hooks?.afterSave !== undefined
  for (const node of hasStepsAfter ? nodes : []) {
    await whenKept(served, () => afterWrite(type, objectOf(node), true, workContext(context, null, services)))
  }
  if (type.responses.create.every(({ kind }) => kind !== 'created')) {
    return nodes.map((node) => noContentResponse({ written: node }))
  }
  return nodes.map((node) => {
    const resources = { primary: [node], many: false, included: null, query, context }
    return dataResponse(resources, { status: 201, location: node })
  })
}

/** Neither does an author's step look at each before it is written, nor is any of it written elsewhere. */
function isPlainlyCreated({ type: { hooks, attributes } }: ServedType): boolean {
  if (hooks?.beforeSave !== undefined || hooks?.beforeCreate !== undefined) return false
  return attributes.every(({ spec }) => spec.on === null)
}

/** Whether the row is all that is read to show a resource. */
function isShownByRow(
  served: ServedType,
  { inclusion, primary, primaryLinkageToRead, flattened }: DocumentPlan,
): boolean {
  return (
    inclusion === null &&
    primary.counted.length === 0 &&
    primaryLinkageToRead(served).length === 0 &&
    flattened(served).length === 0
  )
}

/** The documents as far as they are sound, and change nothing but rows of their own. */
async function readAll(
  operations: readonly CreateResource[],
  served: ServedType,
  reading: Reading,
): Promise<readonly NewResource[]> {
  const { context, services, open } = reading
  const writable = writableMembers(served, 'create', context)
  const transaction = readTransaction(served, open)
  const write = { mode: 'create', context, row: null, stored: nothingStored, storesRow: true, transaction } as const
  return asFarAsSound(operations, (operation) => {
    const { document, changes } = readNewResource(operation.document, { served, writable }, reading)
    if (changes.some(({ relation }) => relation.writeBy !== 'row')) return null
    const checked = checkDocument(served, document, { ...write, writable, changes }, services)
    return whenKnown(checked, () => ({ served, document, writable, changes }))
  })
}

/** Their rows, as far as the members that they name are there: one read for each relation, however many there are. */
async function rowsOf(resources: readonly NewResource[], reading: Reading): Promise<readonly ColumnValues[]> {
  const memberOf = await findAll(resources, reading)
  return asFarAsSound(resources, (resource) => {
    const { changes } = resource
    if (changes.some(({ added }) => added.some((identifier) => memberOf(identifier) === undefined))) return null
    checkAgreement(changes, { memberOf, row: null })
    return newColumns(resource, memberOf, reading)
  })
}

async function findAll(resources: readonly NewResource[], { context, open }: Reading): Promise<MemberOf> {
  const added = new Map<ServedRelation, SentIdentifier[]>()
  for (const { changes } of resources) {
    for (const change of changes) {
      const known = added.get(change.relation)
      if (known === undefined) added.set(change.relation, [...change.added])
      else known.push(...change.added)
    }
  }
  const changes = Array.from(added, ([relation, identifiers]) => ({ relation, added: identifiers }))
  return findMembers(changes, { context, open })
}

/** `null` where the store would rather write one by one, or refuses one of them. */
async function writeAll(
  served: ServedType,
  many: CreateRows,
  { rows, reading: { context, services } }: { readonly rows: readonly ColumnValues[]; readonly reading: Reading },
): Promise<readonly GraphNode[] | null> {
  const open = ongoing()
  const work = workContext(context, open, services)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: [] }
  let written: RowSet | readonly object[] | null
  try {
    written = await many(served.type, rows, write)
  } catch (thrown) {
    if (isStoreConflict(thrown)) return null
    throw thrown
  }
  if (written === null) return null
  const nodes = nodesOf(served, checkedRows(served, written))
  if (nodes.length === rows.length) return nodes
  throw new TypeError(
    `The persister of '${served.type.type}' created ${rows.length} rows, and answered ${nodes.length}.`,
  )
}

/** What becomes of items, up to the first that comes to nothing or fails: what it fails of is seen when it is alone. */
async function asFarAsSound<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Awaitable<Made | null>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (const item of items) {
    const answer = orElse(
      () => make(item),
      () => null,
    )
    // Hardly ever is there something to wait for, and each time costs more than all the rest.
    const one = isLater(answer) ? await answer : answer
    if (one === null) break
    made.push(one)
  }
  return made
}
