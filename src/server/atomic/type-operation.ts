import type { RequestServices } from '../../serve/read/read-context.js'
import { relationsWritableIn } from '../../serve/write/document/writable-members.js'
import { memberTypes } from '../../serve/write/persist/in-transaction.js'
import type { CallContext } from '../../serve/operation/extension-call.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { OperationKind, RequestContext } from '../../declare/resource/request/request-context.js'
import type { OperationCode, SentOperation } from './sent-operation.js'

/** The kinds of operations that a batch may have. */
export type WriteKind = Exclude<
  OperationKind,
  'FetchResource' | 'FetchRelated' | 'FetchRelationship' | 'UpsertResource'
>

/** The data that all operations of one kind on one type share. */
export interface TypeOperation {
  readonly kind: WriteKind
  readonly served: ServedType
  readonly context: RequestContext
  /** Whether such an operation writes rows of this type only, independent of its data. */
  readonly writesOwnRowsOnly: boolean
  /** Whether the type allows this kind of operation. */
  readonly isExposed: boolean
  /** Returns the relations that a client may write as part of a resource. */
  readonly writableRelations: () => readonly ServedRelation[]
}

/** Returns the kind and the type of an operation; `null` if this server does not write the type. */
export type FindTypeOperation = (operation: SentOperation) => TypeOperation | null

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

/** Returns a function that computes the result once for each kind and type of a batch. */
export function typeOperationFinder(
  services: RequestServices,
  { server, caller, request }: CallContext,
): FindTypeOperation {
  const kinds = new Map<WriteKind, Map<string, TypeOperation | null>>()
  return ({ op, target: { type, relationship } }) => {
    const kind = (relationship === null ? ofResources : ofRelationships)[op]
    const byType = kinds.get(kind) ?? new Map<string, TypeOperation | null>()
    const cached = byType.get(type)
    if (cached !== undefined) return cached
    const served = services.find(server, type)
    const context = Object.freeze({ server, type, operation: kind, caller, request })
    const found = served === null || served.persister === null ? null : kindOfType(kind, served, context)
    kinds.set(kind, byType.set(type, found))
    return found
  }
}

/**
 * The entry of the allow-list that permits an operation. Changes of relationships need permission to update resources.
 */
const allowed = Object.freeze({
  CreateResource: 'Create',
  UpdateResource: 'Update',
  DeleteResource: 'Delete',
  UpdateRelationship: 'Update',
  AddToRelationship: 'Update',
  RemoveFromRelationship: 'Update',
} as const)

function kindOfType(kind: WriteKind, served: ServedType, context: RequestContext): TypeOperation {
  let relations: readonly ServedRelation[] | null = null
  return {
    kind,
    served,
    context,
    writesOwnRowsOnly: writesOwnRowsOnly(served),
    isExposed: served.type.operations.has(allowed[kind]),
    writableRelations: () => (relations ??= writableIn(kind, served, context)),
  }
}

/** Returns whether neither attributes nor relations of a type are stored in rows of other types. */
function writesOwnRowsOnly({ type, relations }: ServedType): boolean {
  return type.attributes.every(({ spec }) => spec.on === null) && [...relations.values()].every(writesNoMembers)
}

function writesNoMembers(relation: ServedRelation): boolean {
  return memberTypes(relation).length === 0
}

/** Returns the relations that the request may write. An error of a user-defined predicate is ignored here, and reported when the operation runs. */
function writableIn(kind: WriteKind, served: ServedType, context: RequestContext): readonly ServedRelation[] {
  try {
    return relationsWritableIn(served, kind === 'CreateResource' ? 'create' : 'update', context)
  } catch {
    return []
  }
}
