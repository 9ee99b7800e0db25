import type { Problem } from '../../core/errors/json-api-error.js'
import { failAll, problem } from '../../core/errors/json-api-error.js'
import { memberTypes, writtenTypes } from '../../serve/write/persist/in-transaction.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { FindTypeOperation, TypeOperation, WriteKind } from './type-operation.js'
import { upsertPointer } from './read-batch.js'
import type { SentOperation, SentTarget } from './sent-operation.js'

/** An operation of a batch that may run: its type exists and allows it. */
export interface PlannedOperation extends SentOperation {
  readonly kind: WriteKind
  readonly served: ServedType
  /** Shared by the operations of one kind on one type. */
  readonly context: RequestContext
  /** The context of the update, if the operation creates or updates a resource; else `null`. */
  readonly updateContext: RequestContext | null
}

/** The operations of a batch, and the types whose rows they may write. */
export interface BatchPlan {
  readonly operations: readonly PlannedOperation[]
  readonly types: readonly ServedType[]
}

/**
 * Plans a batch. Throws before any operation runs if some of them cannot run on this server or in a batch. All problems
 * of one kind are reported together; the next kind is reported only if there are no problems of earlier kinds.
 */
export function planBatch(sent: readonly SentOperation[], kindOf: FindTypeOperation, limit: number): BatchPlan {
  const operations: PlannedOperation[] = []
  const [unknownTypes, unexposed, withoutTransaction, asyncWrites]: [Problem[], Problem[], Problem[], Problem[]] = [
    [],
    [],
    [],
    [],
  ]
  const types = new Set<ServedType>()
  for (const each of sent) {
    const { op, target, data, pointer, localIds, version, upsertBy } = each
    const found = kindOf(each)
    if (found === null) {
      unknownTypes.push(unknownType(target))
      continue
    }
    const { kind, served, context } = found
    const update = upsertBy === null ? null : kindOf({ ...each, op: 'update' })
    if (!found.isExposed || !allowsUpsert(each, update)) unexposed.push(notExposed(each))
    if (isAlwaysAsync(found)) asyncWrites.push(asynchronous(each))
    const updateContext = update?.context ?? null
    const operation = { op, target, data, pointer, localIds, version, upsertBy, kind, served, context, updateContext }
    operations.push(operation)
    const written = found.writesOwnRowsOnly ? [served] : typesOf(operation)
    for (const type of written) types.add(type)
    const without = written.find(({ transactions }) => transactions === null)
    if (without !== undefined) withoutTransaction.push(withoutTransactions(operation, without))
  }
  for (const problems of [unknownTypes, unexposed, withoutTransaction, asyncWrites]) {
    if (problems.length > 0) failAll(problems.slice(0, limit))
  }
  return { operations, types: [...types] }
}

function unknownType({ type, typePointer }: SentTarget): Problem {
  return problem('ATOMIC_TARGET_TYPE_UNKNOWN', { type }, { source: { pointer: typePointer } })
}

/** Returns whether a type has the key by which an operation creates or updates, and serves updates. Every type allows other operations. */
function allowsUpsert({ upsertBy }: SentOperation, update: TypeOperation | null): boolean {
  return upsertBy === null || (update !== null && update.isExposed && update.served.type.upsertBy.includes(upsertBy))
}

function notExposed({ op, target: { type }, pointer: at, upsertBy }: SentOperation): Problem {
  const [operation, member] = upsertBy === null ? [op, ''] : [`${op} by ${upsertBy}`, upsertPointer]
  return problem('ATOMIC_OPERATION_NOT_EXPOSED', { operation, type }, { source: { pointer: at + member } })
}

function withoutTransactions({ pointer: at }: PlannedOperation, { type: { type } }: ServedType): Problem {
  return problem('ATOMIC_OPERATIONS_NOT_SUPPORTED', { type }, { source: { pointer: at } })
}

/** Returns whether the only possible response is 202 Accepted. Such an operation fails without being started. */
function isAlwaysAsync({ kind, served: { type } }: TypeOperation): boolean {
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') return false
  return type.responses[kind === 'CreateResource' ? 'create' : 'update'].every(
    ({ kind: response }) => response === 'accepted',
  )
}

function asynchronous({ pointer: at }: SentOperation): Problem {
  return problem('ASYNC_WRITE_IN_ATOMIC_OPERATION', {}, { source: { pointer: at } })
}

/** Returns the types whose rows an operation may write. */
function typesOf({ kind, served, target: { relationship }, data }: PlannedOperation): readonly ServedType[] {
  if (kind === 'DeleteResource') return [served]
  if (relationship !== null) {
    const relation = served.relations.get(relationship)
    return relation === undefined ? [served] : [served, ...memberTypes(relation)]
  }
  return writtenTypes(served, {
    attributes: membersOf(data, 'attributes'),
    relationships: membersOf(data, 'relationships'),
  })
}

function membersOf(data: unknown, member: string): Readonly<Record<string, unknown>> {
  const members = isPlainObject(data) ? data[member] : undefined
  return isPlainObject(members) ? members : {}
}
