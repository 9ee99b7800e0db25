import type { DataSource } from '../../data/data-source.js'
import type { CreateRow, Persister } from '../../resource/capabilities/persister.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'

/** A read of related rows that a store was asked for. */
export interface RelatedCall {
  readonly method: 'fetchRelated' | 'countRelated'
  readonly relation: RelationLink
  readonly parents: number
}

/** A source that a server can be built of once, while the store behind it changes from case to case. */
export interface ChangingData {
  readonly data: DataSource
  /** The types that the server was built of, by name: as it has compiled them. */
  readonly types: ReadonlyMap<string, CompiledType>
  /** The reads of related rows since the store was put there. */
  readonly calls: readonly RelatedCall[]
  /** Puts another store there, which can do what the first one can. */
  put(store: DataSource): void
}

/** @param first the store that the server is built of, which says what all of them can do */
export function changingData(first: DataSource): ChangingData {
  const types = new Map<string, CompiledType>()
  const calls: RelatedCall[] = []
  let store = first
  const data: DataSource = {
    name: first.name,
    provider(type) {
      types.set(type.type, type)
      const able = first.provider(type)
      return able === null ? null : lateProvider(able, () => there(store.provider(type)), calls)
    },
    persister(type) {
      const able = first.persister(type)
      return able === null ? null : latePersister(able, () => there(store.persister(type)))
    },
    transactions:
      first.transactions === null ? null : { run: (work, outer) => there(store.transactions).run(work, outer) },
    check: (all) => store.check?.(all) ?? [],
  }
  return {
    data,
    types,
    calls,
    put(other) {
      store = other
      calls.length = 0
      expectServed(other, [...types.values()])
    },
  }
}

/** A server asks each store that it is built of: for every type, and what keeps it from serving them. */
function expectServed(store: DataSource, types: readonly CompiledType[]): void {
  for (const type of types) {
    store.provider(type)
    store.persister(type)
  }
  const faults = store.check?.(types) ?? []
  if (faults.length > 0)
    throw new Error(faults.map(({ problem, remedy }) => `${problem}. Remedy: ${remedy}.`).join('\n'))
}

function there<Capability>(capability: Capability | null): Capability {
  if (capability === null) throw new Error('The store no longer has what it had in the first case.')
  return capability
}

/** Only with what the provider can do, since a server looks at that. Called on itself: it may be of a class. */
function lateProvider(able: Provider, now: () => Provider, calls: RelatedCall[]): Provider {
  return {
    fetchOne: (...asked) => now().fetchOne(...asked),
    ...(able.fetchCollection && { fetchCollection: (...asked) => now().fetchCollection?.(...asked) ?? [] }),
    ...(able.fetchRelated && {
      fetchRelated(relation, parents, criteria) {
        calls.push({ method: 'fetchRelated', relation, parents: parents.rows.length })
        return now().fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
      },
    }),
    ...(able.countRelated && {
      countRelated(relation, parents, criteria) {
        calls.push({ method: 'countRelated', relation, parents: parents.rows.length })
        return now().countRelated?.(relation, parents, criteria) ?? []
      },
    }),
  }
}

function latePersister(able: Persister, now: () => Persister): Persister {
  const create: CreateRow = (...asked) => now().create(...asked)
  const many: CreateRow['many'] = (...asked) => now().create.many?.(...asked) ?? null
  return {
    create: able.create.many === undefined ? create : Object.assign(create, { many }),
    update: (...asked) => now().update(...asked),
    delete: (...asked) => now().delete(...asked),
    ...(able.instantiate && { instantiate: (type) => now().instantiate?.(type) ?? {} }),
    ...(able.mutateRelationship && { mutateRelationship: (...asked) => now().mutateRelationship?.(...asked) }),
  }
}
