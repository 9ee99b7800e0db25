import type { DataSource } from '../../data/data-source.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'

/** A read of related rows that a store was asked for. */
export interface RelatedCall {
  readonly method: 'fetchRelated' | 'countRelated'
  readonly relation: RelationLink
  readonly parents: number
}

/** A store that does what another does, and what is known of it from being asked. */
export interface WatchedData {
  readonly data: DataSource
  /** The types that a server was built of, by name: as it has compiled them. */
  readonly types: ReadonlyMap<string, CompiledType>
  readonly calls: readonly RelatedCall[]
}

/** Each member by itself, since a store may be an instance of a class. */
export function watchedData(data: DataSource): WatchedData {
  const types = new Map<string, CompiledType>()
  const calls: RelatedCall[] = []
  const { check, handle, inspect } = data
  const watched: DataSource = {
    name: data.name,
    priority: data.priority ?? 0,
    transactions: data.transactions,
    provider(type) {
      types.set(type.type, type)
      const provider = data.provider(type)
      return provider === null ? null : watchedProvider(provider, calls)
    },
    persister: (type) => data.persister(type),
    ...(check === undefined ? {} : { check: (all) => check.call(data, all) }),
    ...(handle === undefined ? {} : { handle: (...asked) => handle.apply(data, asked) }),
    ...(inspect === undefined ? {} : { inspect: (...asked) => inspect.apply(data, asked) }),
  }
  return { data: watched, types, calls }
}

/** Only with what the provider can do, since a server looks at that. */
function watchedProvider(provider: Provider, calls: RelatedCall[]): Provider {
  const { fetchCollection, fetchRelated, countRelated } = provider
  return {
    fetchOne: (...asked) => provider.fetchOne(...asked),
    ...(fetchCollection === undefined ? {} : { fetchCollection: (...asked) => fetchCollection.apply(provider, asked) }),
    ...(fetchRelated === undefined
      ? {}
      : {
          fetchRelated(relation, parents, criteria) {
            calls.push({ method: 'fetchRelated', relation, parents: parents.rows.length })
            return fetchRelated.call(provider, relation, parents, criteria)
          },
        }),
    ...(countRelated === undefined
      ? {}
      : {
          countRelated(relation, parents, criteria) {
            calls.push({ method: 'countRelated', relation, parents: parents.rows.length })
            return countRelated.call(provider, relation, parents, criteria)
          },
        }),
  }
}
