import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import { ownShortcuts, scopeReaders } from '../../declare/resource/capabilities/own-functions.js'
import type { GuardedKey, ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledRelation } from '../../declare/resource/compiled/compiled-type.js'
import { TypeListeners } from '../../declare/resource/events/type-listeners.js'
import type { LinkagePolicy } from '../../declare/resource/relations/relation-spec.js'
import { invariant } from '../../core/util/invariant.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import { defaultPaginator } from './declared/default-paginator.js'
import { settingsOfServer } from './declared/settings-of-server.js'
import { relationReader, storageOf } from './declared/relation-reader.js'
import { relationWriter } from './declared/relation-writer.js'

/** The types of each server, by the name of the server and of the type. */
export type ServedTypes = ReadonlyMap<string, ReadonlyMap<string, ServedType>>

interface MutableServedType extends ServedType {
  readonly relations: Map<string, ServedRelation>
  readonly siblings: ServedType[]
  readonly guardedKeys: GuardedKey[]
}

/** Connects the declarations of each server to a graph of types. The targets of relations are resolved here, once. */
export function serveTypes(context: BuildContext): ServedTypes {
  const servers = new Map(
    [...context.typesByServer].map(([server, types]) => {
      const serverDefault = defaultPaginator(settingsOfServer(context.settings, server))
      const served = new Map<string, MutableServedType>()
      // The types of groups come after those of their rows.
      for (const [name, declared] of types) {
        const source = served.get(declared.type.groupsOf?.owner ?? '') ?? null
        served.set(name, servedTypeOf(declared, serverDefault, source))
      }
      return [server, served]
    }),
  )
  for (const types of servers.values()) connectSiblings([...types.values()])
  for (const [server, types] of context.typesByServer) {
    const settings = settingsOfServer(context.settings, server)
    for (const declared of types.values()) {
      const owner = servers.get(server)?.get(declared.type.type)
      invariant(owner !== undefined, `'${declared.type.type}' is not served on '${server}'`)
      for (const relation of declared.type.relations) {
        const targets = relation.spec.targets.flatMap((name) => targetNamed(context, server, name) ?? [])
        const relationContext = { settings, servers, server, owner, declared, targets }
        owner.relations.set(relation.name, servedRelation(relation, relationContext))
      }
    }
  }
  for (const types of servers.values()) connectGuardedKeys([...types.values()])
  return servers
}

function connectSiblings(types: readonly MutableServedType[]): void {
  for (const served of types) {
    const { model } = served.type
    const isSame = (other: ServedType): boolean =>
      other === served || (model !== null && other.type.model?.name === model.name)
    served.siblings.push(...types.filter(isSame))
  }
}

/** Adds each relation with `security({ mutate })` whose key is in the rows of its members to all types with these rows. */
function connectGuardedKeys(types: readonly MutableServedType[]): void {
  for (const owner of types) {
    for (const relation of owner.relations.values()) {
      const ability = relation.spec.security?.mutate
      if (relation.storage.kind !== 'relatedKey' || typeof ability !== 'string') continue
      const { key } = relation.storage
      const models = new Set(relation.targets.flatMap(({ model }) => model?.name ?? []))
      const holders = types.filter(({ type }) => {
        return relation.related.has(type.type) || (type.model !== null && models.has(type.model.name))
      })
      for (const held of holders) held.guardedKeys.push(Object.freeze({ owner, relation, key, ability }))
    }
  }
}

function servedTypeOf(
  declared: DeclaredType,
  serverDefault: AnyPaginator | null,
  source: ServedType | null,
): MutableServedType {
  const { type, serializer, hydrator, provider, persister, transactions, handle } = declared
  const { readsInTransaction, isReadByStore } = declared
  const capabilities = { type, serializer, hydrator, provider, persister, transactions, handle }
  return {
    ...capabilities,
    scopeReaders: scopeReaders(provider),
    shortcuts: ownShortcuts(persister),
    readsInTransaction,
    isReadByStore,
    relations: new Map(),
    listeners: new TypeListeners(type.hooks),
    siblings: [],
    guardedKeys: [],
    paginator: type.pagination(serverDefault),
    source,
  }
}

interface FoundTarget {
  /** The server of the target: the same server if it has the type, else the first one that has it. */
  readonly server: string
  readonly declared: DeclaredType
}

function targetNamed({ typesByServer: typesOn }: BuildContext, server: string, name: string): FoundTarget | null {
  for (const [other, types] of [[server, typesOn.get(server)] as const, ...typesOn]) {
    const declared = types?.get(name)
    if (declared !== undefined) return { server: other, declared }
  }
  return null
}

interface RelationContext {
  /** The settings of the server. */
  readonly settings: BuildContext['settings']
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, MutableServedType>>
  readonly server: string
  readonly owner: MutableServedType
  readonly declared: DeclaredType
  readonly targets: readonly FoundTarget[]
}

function servedRelation(relation: CompiledRelation, relationContext: RelationContext): ServedRelation {
  const { settings, servers, server, owner, declared, targets } = relationContext
  const { name, spec } = relation
  const declaredEnds = { relation, owner: declared, targets: targets.map((target) => target.declared) }
  const storage = storageOf(declaredEnds)
  const readBy = relationReader(declaredEnds) ?? 'none'
  invariant(storage.kind === 'found', `the storage of '${owner.type.type}.${name}' is unknown`)
  const related = new Map(
    targets.flatMap((target) => {
      const type = servers.get(target.server)?.get(target.declared.type.type)
      return type === undefined ? [] : [[type.type.type, type] as const]
    }),
  )
  const complete = readBy !== 'none' && targets.every((target) => target.server === server)
  const readable = owner.type.operations.has('FetchOne')
  const hasLinkage = readBy !== 'none' || storage.storage.kind === 'ownKey'
  return Object.freeze<ServedRelation>({
    name,
    uriName: relation.uriName,
    spec,
    owner: owner.type,
    targets: Object.freeze([...related.values()].map(({ type }) => type)),
    storage: storage.storage,
    related,
    readBy,
    writeBy: relationWriter(declaredEnds),
    complete,
    hasRelatedEndpoint: spec.relatedEndpoint && complete && readable,
    hasRelationshipEndpoint: spec.relationshipEndpoint && readable && hasLinkage,
    linkage: linkageOf(relation, owner.type.linkage ?? settings.linkage ?? 'whenLoaded'),
    paginator: paginatorOf(relation, declaredEnds.targets, defaultPaginator(settings)),
  })
}

/** Returns the policy of the relation, else that of its type or the server. A key in the owner's row is always shown. */
function linkageOf({ spec }: CompiledRelation, inherited: LinkagePolicy): LinkagePolicy {
  if (spec.linkage !== null) return spec.linkage === 'always' ? 'always' : 'whenLoaded'
  return spec.traits.ownerSide ? 'always' : inherited
}

/**
 * Returns the paginator of the relation, else that of the related type. A polymorphic relation uses the server's
 * default.
 */
function paginatorOf(
  { spec }: CompiledRelation,
  targets: readonly DeclaredType[],
  serverDefault: AnyPaginator | null,
): AnyPaginator | null {
  if (!spec.traits.toMany) return null
  if (spec.pagination !== undefined) return spec.pagination
  const [target] = targets
  return spec.traits.polymorphic || target === undefined ? serverDefault : target.type.pagination(serverDefault)
}
