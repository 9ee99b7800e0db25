import type { AnyPaginator } from '../pagination/paginator.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledRelation } from '../resource/compiled-type.js'
import { invariant } from '../util/invariant.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import { defaultPaginator } from './declared/default-paginator.js'
import { relationReader, storageOf } from './declared/relation-reader.js'
import { relationWriter } from './declared/relation-writer.js'

/** The types of each server by name. */
export type ServedTypes = ReadonlyMap<string, ReadonlyMap<string, ServedType>>

interface Draft extends ServedType {
  readonly relations: Map<string, ServedRelation>
}

/** Joins the declarations of each server to one graph of types: what a relation leads to is looked up once, here. */
export function serveTypes(world: BuildContext): ServedTypes {
  const serverDefault = defaultPaginator(world.settings)
  const servers = new Map(
    [...world.typesByServer].map(([server, types]) => [
      server,
      new Map([...types].map(([name, declared]) => [name, draftOf(declared, serverDefault)])),
    ]),
  )
  for (const [server, types] of world.typesByServer) {
    for (const declared of types.values()) {
      const owner = servers.get(server)?.get(declared.type.type)
      invariant(owner !== undefined, `'${declared.type.type}' is not served on '${server}'`)
      for (const relation of declared.type.relations) {
        const targets = relation.spec.targets.flatMap((name) => targetNamed(world, server, name) ?? [])
        const found = { world, servers, server, owner, declared, targets, serverDefault }
        owner.relations.set(relation.name, served(relation, found))
      }
    }
  }
  return servers
}

function draftOf(declared: DeclaredType, serverDefault: AnyPaginator | null): Draft {
  const { type, serializer, hydrator, provider, persister, transactions, handle } = declared
  const { readsInTransaction, isReadByStore } = declared
  const capabilities = { type, serializer, hydrator, provider, persister, transactions, handle }
  return {
    ...capabilities,
    readsInTransaction,
    isReadByStore,
    relations: new Map(),
    paginator: type.pagination(serverDefault),
  }
}

interface FoundTarget {
  /** The server that it is served on: this one, or the first that has it. */
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

interface Found {
  readonly world: BuildContext
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, Draft>>
  readonly server: string
  readonly owner: Draft
  readonly declared: DeclaredType
  readonly targets: readonly FoundTarget[]
  readonly serverDefault: AnyPaginator | null
}

function served(relation: CompiledRelation, found: Found): ServedRelation {
  const { servers, server, owner, declared, targets, serverDefault } = found
  const { name, spec } = relation
  const ends = { relation, owner: declared, targets: targets.map((target) => target.declared) }
  const storage = storageOf(ends)
  const readBy = relationReader(ends) ?? 'nobody'
  invariant(storage.kind === 'found', `it is not known where '${owner.type.type}.${name}' is stored`)
  const related = new Map(
    targets.flatMap((target) => {
      const type = servers.get(target.server)?.get(target.declared.type.type)
      return type === undefined ? [] : [[type.type.type, type] as const]
    }),
  )
  const complete = readBy !== 'nobody' && targets.every((target) => target.server === server)
  const readable = owner.type.operations.has('FetchOne')
  const hasLinkage = readBy !== 'nobody' || storage.storage.kind === 'ownKey'
  return Object.freeze<ServedRelation>({
    name,
    uriName: relation.uriName,
    spec,
    owner: owner.type,
    targets: Object.freeze([...related.values()].map(({ type }) => type)),
    storage: storage.storage,
    related,
    readBy,
    writeBy: relationWriter(ends),
    complete,
    hasRelatedEndpoint: spec.relatedEndpoint && complete && readable,
    hasRelationshipEndpoint: spec.relationshipEndpoint && readable && hasLinkage,
    paginator: paginatorOf(relation, ends.targets, serverDefault),
  })
}

/** The relation's own, else that of the related type; several types have only the server's in common. */
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
