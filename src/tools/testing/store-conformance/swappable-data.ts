import type { DataSource } from '../../../stores/common/data-source.js'
import type { IdempotencyStore } from '../../../stores/common/idempotency-store.js'
import { ownShortcuts } from '../../../declare/resource/capabilities/own-functions.js'
import type { CreateRow, CreateShortcuts, Persister } from '../../../declare/resource/capabilities/persister.js'
import type { Provider } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'

/** A read of related rows. */
export interface RelatedCall {
  readonly method: 'fetchRelated' | 'countRelated'
  readonly relation: RelationLink
  /** The number of parent rows. */
  readonly parents: number
}

/** A data source for a server that is built once. The store behind the source changes from case to case. */
export interface SwappableData {
  readonly data: DataSource
  /** The compiled types of the server, by name. */
  readonly types: ReadonlyMap<string, CompiledType>
  /** The reads of related rows since the last change of the store. */
  readonly calls: readonly RelatedCall[]
  /** Replaces the store by another one with the same capabilities. */
  swap(store: DataSource): void
}

/** @param first the store that the server is built with; its capabilities are those of all later stores */
export function swappableData(first: DataSource): SwappableData {
  const types = new Map<string, CompiledType>()
  const calls: RelatedCall[] = []
  let store = first
  const data: DataSource = {
    name: first.name,
    provider(type) {
      types.set(type.type, type)
      const initial = first.provider(type)
      return initial === null ? null : forwardingProvider(initial, () => required(store.provider(type)), calls)
    },
    persister(type) {
      const initial = first.persister(type)
      return initial === null ? null : forwardingPersister(initial, () => required(store.persister(type)))
    },
    transactions:
      first.transactions === null ? null : { run: (work, outer) => required(store.transactions).run(work, outer) },
    check: (all) => store.check?.(all) ?? [],
    ...(first.idempotency && { idempotency: forwardingKeys(() => required(store.idempotency ?? null)) }),
  }
  return {
    data,
    types,
    calls,
    swap(other) {
      store = other
      calls.length = 0
      expectServed(other, [...types.values()])
    },
  }
}

/**
 * Repeats the build steps of a server for a later store: requests providers and persisters, and checks the types.
 */
function expectServed(store: DataSource, types: readonly CompiledType[]): void {
  for (const type of types) {
    store.provider(type)
    store.persister(type)
  }
  const faults = store.check?.(types) ?? []
  if (faults.length > 0)
    throw new Error(faults.map(({ problem, remedy }) => `${problem}. Remedy: ${remedy}.`).join('\n'))
}

function required<Capability>(capability: Capability | null): Capability {
  if (capability === null) {
    throw new Error(
      'The store lacks a provider, a persister, transactions or a store of responses that it had in the first case.',
    )
  }
  return capability
}

/**
 * Forwards calls to the provider of the current store. It has only the methods of the first provider, because the
 * server tests which methods exist. The methods are called on the provider, which may be an instance of a class.
 */
function forwardingProvider(initial: Provider, current: () => Provider, calls: RelatedCall[]): Provider {
  return {
    ...(initial.acceptsSearch === true && { acceptsSearch: true }),
    fetchOne: (...args) => current().fetchOne(...args),
    ...(initial.fetchCollection && { fetchCollection: (...args) => current().fetchCollection?.(...args) ?? [] }),
    ...(initial.fetchRelated && {
      fetchRelated(relation, parents, criteria) {
        calls.push({ method: 'fetchRelated', relation, parents: parents.rows.length })
        return current().fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
      },
    }),
    ...(initial.fetchGroups && {
      fetchGroups: (type, criteria) =>
        current().fetchGroups?.(type, criteria) ?? { groups: [], total: null, more: false, omits: false },
    }),
    ...(initial.countRelated && {
      countRelated(relation, parents, criteria) {
        calls.push({ method: 'countRelated', relation, parents: parents.rows.length })
        return current().countRelated?.(relation, parents, criteria) ?? []
      },
    }),
  }
}

function forwardingPersister(initial: Persister, current: () => Persister): Persister {
  const create: CreateRow = (...args) => current().create(...args)
  const many: CreateShortcuts['many'] = (...args) => ownShortcuts(current()).create?.many?.(...args) ?? null
  return {
    create,
    // Requests write in transactions: the cases call the other shortcuts directly.
    shortcuts: ownShortcuts(initial).create?.many === undefined ? {} : { create: { insteadOf: create, many } },
    update: (...args) => current().update(...args),
    delete: (...args) => current().delete(...args),
    ...(initial.instantiate && { instantiate: (type) => current().instantiate?.(type) ?? {} }),
    ...(initial.mutateRelationship && { mutateRelationship: (...args) => current().mutateRelationship?.(...args) }),
  }
}

function forwardingKeys(current: () => IdempotencyStore): IdempotencyStore {
  return {
    find: (...args) => current().find(...args),
    save: (...args) => current().save(...args),
    usage: (...args) => current().usage(...args),
    removeExpired: (now) => current().removeExpired(now),
  }
}
