import type { Problem } from '../errors/json-api-error.js'
import { failAll, problem } from '../errors/json-api-error.js'
import type { HandlerServices } from '../handler/handler-services.js'
import { memberTypes, touchedTypes } from '../handler/steps/written-types.js'
import type { CallContext } from '../operation/extension-call.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import { isPlainObject } from '../util/frozen.js'
import type { OperationCode, SentOperation, SentTarget } from './sent-operation.js'

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

/** What all operations of one kind on one type have in common. */
interface Common extends Pick<PlannedOperation, 'kind' | 'served' | 'context'> {
  /** Whether no row is written but those of the type, whatever is sent. */
  readonly isPlain: boolean
}

/** Refuses what cannot be run on this server, or not in a batch, before anything is: one kind of refusal at a time. */
export function planBatch(
  sent: readonly SentOperation[],
  services: HandlerServices,
  { server, request }: CallContext,
): Plan {
  const commons = new Map<string, Common | null>()
  const commonOf = (op: OperationCode, { type, relationship }: SentTarget): Common | null => {
    const kind = (relationship === null ? ofResources : ofRelationships)[op]
    const known = commons.get(`${kind} ${type}`)
    if (known !== undefined) return known
    const served = services.find(server, type)
    const context = Object.freeze({ server, type, operation: kind, request })
    const common =
      served === null || served.persister === null ? null : { kind, served, context, isPlain: isPlain(served) }
    commons.set(`${kind} ${type}`, common)
    return common
  }
  const refuse = (problems: readonly Problem[]): void => {
    if (problems.length > 0) failAll(problems.slice(0, services.maxErrors))
  }
  const operations: PlannedOperation[] = []
  const strangers: Problem[] = []
  const unsafe: Problem[] = []
  const types = new Set<ServedType>()
  for (const { op, target, data, pointer, localIds } of sent) {
    const common = commonOf(op, target)
    if (common === null) {
      strangers.push(unknownType(target))
      continue
    }
    const { kind, served, context } = common
    const operation = { op, target, data, pointer, localIds, kind, served, context }
    operations.push(operation)
    const written = common.isPlain ? [served] : typesOf(operation)
    for (const type of written) types.add(type)
    const without = written.find(({ transactions }) => transactions === null)
    if (without !== undefined) unsafe.push(withoutTransactions(operation, without))
  }
  refuse(strangers)
  refuse(problemsOf(operations, exposureProblem))
  refuse(unsafe)
  refuse(problemsOf(operations, putOffProblem))
  return { operations, types: [...types] }
}

/** Neither attributes nor relations are held by rows of others. */
function isPlain({ type, relations }: ServedType): boolean {
  return (
    type.attributes.every(({ spec }) => spec.on === null) &&
    [...relations.values()].every((relation) => memberTypes(relation).length === 0)
  )
}

function problemsOf(
  operations: readonly PlannedOperation[],
  judge: (operation: PlannedOperation) => Problem | null,
): readonly Problem[] {
  return operations.map(judge).filter((found) => found !== null)
}

function unknownType({ type, typePointer }: SentTarget): Problem {
  return problem('ATOMIC_TARGET_TYPE_UNKNOWN', { type }, { source: { pointer: typePointer } })
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

function exposureProblem({ kind, op, served: { type }, pointer: at }: PlannedOperation): Problem | null {
  if (type.operations.has(allowed[kind])) return null
  const context = { operation: op, type: type.type }
  return problem('ATOMIC_OPERATION_NOT_EXPOSED', context, { source: { pointer: at } })
}

function withoutTransactions({ pointer: at }: PlannedOperation, { type: { type } }: ServedType): Problem {
  return problem('ATOMIC_OPERATIONS_NOT_SUPPORTED', { type }, { source: { pointer: at } })
}

/** What is always put off need not be begun. */
function putOffProblem({ kind, served: { type }, pointer: at }: PlannedOperation): Problem | null {
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') return null
  const responses = type.responses[kind === 'CreateResource' ? 'create' : 'update']
  if (!responses.every((response) => response.kind === 'accepted')) return null
  return problem('ASYNC_WRITE_IN_ATOMIC_OPERATION', {}, { source: { pointer: at } })
}

/** The types whose rows an operation may write. */
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
