import type { Problem } from '../errors/json-api-error.js'
import { failAll, problem } from '../errors/json-api-error.js'
import type { HandlerServices } from '../handler/handler-services.js'
import { memberTypes, touchedTypes } from '../handler/steps/written-types.js'
import type { CallContext } from '../operation/extension-call.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import { isPlainObject } from '../util/frozen.js'
import type { OperationCode, SentOperation } from './sent-operation.js'

/** The operations that a batch may consist of. */
type WriteKind = Exclude<OperationKind, 'FetchResource' | 'FetchRelated' | 'FetchRelationship'>

/** An operation of a batch that may be run: of a type that there is, and exposed. */
export interface PlannedOperation extends SentOperation {
  readonly kind: WriteKind
  readonly served: ServedType
  /** Shared by the operations of one kind on one type. */
  readonly context: RequestContext
}

/** The operations of a batch, and the types whose rows they may write. */
export interface Plan {
  readonly operations: readonly PlannedOperation[]
  readonly types: readonly ServedType[]
}

const ofResources: Readonly<Record<OperationCode, WriteKind>> = Object.freeze({
  add: 'CreateResource',
  update: 'UpdateResource',
  remove: 'DeleteResource',
})

const ofRelationships: Readonly<Record<OperationCode, WriteKind>> = Object.freeze({
  add: 'AddToRelationship',
  update: 'UpdateRelationship',
  remove: 'RemoveFromRelationship',
})

/** Refuses what cannot be run on this server, or not in a batch, before anything is: one kind of refusal at a time. */
export function planBatch(
  sent: readonly SentOperation[],
  services: HandlerServices,
  { server, request }: CallContext,
): Plan {
  const contexts = new Map<string, RequestContext>()
  const found = sent.map((operation) => {
    const { type, relationship } = operation.target
    const kind = (relationship === null ? ofResources : ofRelationships)[operation.op]
    const context = contexts.get(`${kind} ${type}`) ?? Object.freeze({ server, type, operation: kind, request })
    contexts.set(`${kind} ${type}`, context)
    return { ...operation, kind, context, served: services.find(server, type) }
  })
  const refuse = (problems: readonly Problem[]): void => {
    if (problems.length > 0) failAll(problems.slice(0, services.maxErrors))
  }
  refuse(found.flatMap((operation) => (isServed(operation) ? [] : unknownType(operation))))
  const operations = found.filter(isServed)
  refuse(operations.flatMap(exposureProblems))
  const touched = operations.map((operation) => ({ operation, types: typesOf(operation) }))
  refuse(touched.flatMap(({ operation, types }) => transactionProblems(operation, types)))
  refuse(operations.flatMap(putOffProblems))
  return { operations, types: [...new Set(touched.flatMap(({ types }) => types))] }
}

function isServed(
  operation: Omit<PlannedOperation, 'served'> & { served: ServedType | null },
): operation is PlannedOperation {
  return operation.served !== null && operation.served.persister !== null
}

function unknownType({ target: { type, typePointer } }: SentOperation): readonly Problem[] {
  return [problem('ATOMIC_TARGET_TYPE_UNKNOWN', { type }, { source: { pointer: typePointer } })]
}

/** The operation of the allow-list that a part of a batch takes: relationships are changed where resources may be. */
const allowed = Object.freeze({
  CreateResource: 'Create',
  UpdateResource: 'Update',
  DeleteResource: 'Delete',
  UpdateRelationship: 'Update',
  AddToRelationship: 'Update',
  RemoveFromRelationship: 'Update',
} as const)

function exposureProblems({ kind, op, served: { type }, pointer: at }: PlannedOperation): readonly Problem[] {
  if (type.operations.has(allowed[kind])) return []
  const context = { operation: op, type: type.type }
  return [problem('ATOMIC_OPERATION_NOT_EXPOSED', context, { source: { pointer: at } })]
}

function transactionProblems({ pointer: at }: PlannedOperation, types: readonly ServedType[]): readonly Problem[] {
  const without = types.find(({ transactions }) => transactions === null)
  if (without === undefined) return []
  const { type } = without.type
  return [problem('ATOMIC_OPERATIONS_NOT_SUPPORTED', { type }, { source: { pointer: at } })]
}

/** What is always put off need not be begun. */
function putOffProblems({ kind, served: { type }, pointer: at }: PlannedOperation): readonly Problem[] {
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') return []
  const responses = type.responses[kind === 'CreateResource' ? 'create' : 'update']
  if (!responses.every((response) => response.kind === 'accepted')) return []
  return [problem('ASYNC_WRITE_IN_ATOMIC_OPERATION', {}, { source: { pointer: at } })]
}

function typesOf({ kind, served, target: { relationship }, data }: PlannedOperation): readonly ServedType[] {
  if (kind === 'DeleteResource') return [served]
  if (relationship !== null) {
    const relation = served.relations.get(relationship)
    return relation === undefined ? [served] : [served, ...memberTypes(relation)]
  }
  return touchedTypes(served, {
    attributes: membersOf(data, 'attributes'),
    relationships: membersOf(data, 'relationships'),
  })
}

function membersOf(data: unknown, member: string): Readonly<Record<string, unknown>> {
  const members = isPlainObject(data) ? data[member] : undefined
  return isPlainObject(members) ? members : {}
}
