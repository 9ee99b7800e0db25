import { filteredKeys } from '../../operation/filter-tree.js'
import type { QueryParameters } from '../../operation/query-parameters.js'
import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { Guarded, UseGuard } from '../../../declare/resource/request/use-guard.js'
import { memoize } from '../../../core/util/memoize.js'

/** The guards of the filters, sorts and include paths that requests to a type can name. */
export interface ReachableUses {
  readonly all: readonly UseGuard[]
  /** Returns the guards that a plan for a query depends on: those of the keys that it names, and of default includes. */
  namedBy(query: QueryParameters): readonly UseGuard[]
}

/** Returns the guards of the filters, sorts and include paths of types; `null` if they have none. */
export function usesOf(types: readonly CompiledType[]): ReachableUses | null {
  const keyed = {
    filters: guardsByKey(types, ({ filters, relations }) => [filters, ...relations.map(({ spec }) => spec.filters)]),
    sorts: guardsByKey(types, ({ sorts, relations }) => [sorts, ...relations.map(({ spec }) => spec.sorts)]),
    includes: includeGuards(types.flatMap(({ relations }) => relations)),
  }
  const paths = types.flatMap(({ allowedIncludePaths }) => guards(allowedIncludePaths ?? []))
  const all = new Set([...Object.values(keyed).flatMap((byKey) => [...byKey.values()].flat()), ...paths])
  if (all.size === 0) return null
  const ofDefaults = types.some(hasDefaultIncludes) ? [...types.flatMap(defaultIncludeGuards), ...paths] : []
  const namedBy = memoize((query: QueryParameters) => {
    const related = [...query.relatedQuery.values()]
    const filters = [...filteredKeys(query), ...related.flatMap(({ filter }) => [...filter.keys()])]
    const sorts = [...query.sort, ...related.flatMap(({ sort }) => sort ?? [])].map((key) => key.replace(/^-/, ''))
    const names = (query.include ?? []).flatMap((path) => path.split('.'))
    const named = [
      ...filters.flatMap((key) => keyed.filters.get(key) ?? []),
      ...sorts.flatMap((key) => keyed.sorts.get(key) ?? []),
      ...names.flatMap((name) => keyed.includes.get(name) ?? []),
    ]
    return [...new Set([...named, ...(query.include === null ? ofDefaults : names.length === 0 ? [] : paths)])]
  })
  return Object.freeze<ReachableUses>({ all: [...all], namedBy })
}

type GuardsByKey = ReadonlyMap<string, readonly UseGuard[]>

/** Returns the guards of each key, which may have different guards in different types. */
function guardsByKey(
  types: readonly CompiledType[],
  keysOf: (type: CompiledType) => readonly Readonly<Record<string, Guarded>>[],
): GuardsByKey {
  const entries = types.flatMap(keysOf).flatMap((keys) => Object.entries(keys))
  return grouped(entries.map(([key, spec]) => [key, guards([spec])]))
}

function includeGuards(relations: readonly CompiledRelation[]): GuardsByKey {
  return grouped(relations.map((relation) => [relation.name, guardsOfInclude(relation)]))
}

function grouped(entries: readonly (readonly [key: string, found: readonly UseGuard[]])[]): GuardsByKey {
  const byKey = new Map<string, readonly UseGuard[]>()
  for (const [key, found] of entries) if (found.length > 0) byKey.set(key, [...(byKey.get(key) ?? []), ...found])
  return byKey
}

function guards(guarded: readonly Guarded[]): readonly UseGuard[] {
  return guarded.flatMap(({ useGuard }) => useGuard ?? [])
}

function guardsOfInclude({ spec: { useGuard, includeGuard } }: CompiledRelation): readonly UseGuard[] {
  return [useGuard, includeGuard].flatMap((guard) => guard ?? [])
}

function hasDefaultIncludes({ defaultIncludes }: CompiledType): boolean {
  return typeof defaultIncludes === 'function' || defaultIncludes.length > 0
}

/** Returns the guards of the relations that may be included by default: all of them if the row decides. */
function defaultIncludeGuards({ defaultIncludes, relations }: CompiledType): readonly UseGuard[] {
  const followed = relations.filter(
    ({ name }) => typeof defaultIncludes === 'function' || defaultIncludes.includes(name),
  )
  return followed.flatMap(guardsOfInclude)
}
