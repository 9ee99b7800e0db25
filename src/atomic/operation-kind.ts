import type { HandlerServices } from '../read/request-services.js'
import { writableRelations } from '../write/document/sent-relationships.js'
import { memberTypes } from '../write/persist/written-types.js'
import type { CallContext } from '../operation/extension-call.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import type { OperationCode, SentOperation } from './sent-operation.js'

/** The operations that a batch may consist of. */
export type WriteKind = Exclude<OperationKind, 'FetchResource' | 'FetchRelated' | 'FetchRelationship'>

/** What operations of one kind on one type have in common. */
export interface KindOfType {
  readonly kind: WriteKind
  readonly served: ServedType
  readonly context: RequestContext
  /** Whether no row is written but those of the type, whatever is sent. */
  readonly isPlain: boolean
  /** Whether the type offers it. */
  readonly isExposed: boolean
  /** The relations that a client may write with a resource. */
  readonly writable: () => readonly ServedRelation[]
}

/** Finds out what kind of operation something is; `null` where nobody here writes its type. */
export type KindOf = (operation: SentOperation) => KindOfType | null

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

/** Worked out once for each kind and type of a batch. */
export function kindsOf(services: HandlerServices, { server, request }: CallContext): KindOf {
  const kinds = new Map<WriteKind, Map<string, KindOfType | null>>()
  return ({ op, target: { type, relationship } }) => {
    const kind = (relationship === null ? ofResources : ofRelationships)[op]
    const ofTypes = kinds.get(kind) ?? new Map<string, KindOfType | null>()
    const known = ofTypes.get(type)
    if (known !== undefined) return known
    const served = services.find(server, type)
    const context = Object.freeze({ server, type, operation: kind, request })
    const found = served === null || served.persister === null ? null : kindOfType(kind, served, context)
    kinds.set(kind, ofTypes.set(type, found))
    return found
  }
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

function kindOfType(kind: WriteKind, served: ServedType, context: RequestContext): KindOfType {
  let relations: readonly ServedRelation[] | null = null
  return {
    kind,
    served,
    context,
    isPlain: isPlain(served),
    isExposed: served.type.operations.has(allowed[kind]),
    writable: () => (relations ??= writableIn(kind, served, context)),
  }
}

/** Neither attributes nor relations are held by rows of others. */
function isPlain({ type, relations }: ServedType): boolean {
  return type.attributes.every(({ spec }) => spec.on === null) && [...relations.values()].every(isNear)
}

function isNear(relation: ServedRelation): boolean {
  return memberTypes(relation).length === 0
}

/** A predicate of the author's may throw: what it throws is told when the operation is run. */
function writableIn(kind: WriteKind, served: ServedType, context: RequestContext): readonly ServedRelation[] {
  try {
    return writableRelations(served, kind === 'CreateResource' ? 'create' : 'update', context)
  } catch {
    return []
  }
}
