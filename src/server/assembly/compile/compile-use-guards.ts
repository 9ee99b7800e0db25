import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { AllowedPath } from '../../../declare/resource/compiled/compiled-type.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { SortSpec } from '../../../declare/resource/sorts/sort-spec.js'
import type { UseCondition, UseGuard } from '../../../declare/resource/request/use-guard.js'
import {
  forbiddingGuard,
  givenCondition,
  newUseGuard,
  permittingGuard,
  refusingGuard,
} from '../../../declare/resource/request/use-guard.js'
import type { FieldGuards } from './compile-guards.js'

type Keys<Spec> = Readonly<Record<string, Spec>>

/** Adds guards to the filters, sorts and include paths of a type. */
export interface UseGuards {
  readonly onKeys: <Spec extends FilterSpec | SortSpec>(specs: Keys<Spec>) => Keys<Spec>
  /** Adds the guards of `include`, and those of the filters and sorts of a relation. */
  readonly onRelation: (spec: RelationSpec) => RelationSpec
  /** Returns the paths of `allowedIncludePaths`. */
  readonly onPaths: (declared: readonly unknown[]) => readonly AllowedPath[]
}

/** Returns the guards of a type. Keys with the same condition share one. */
export function useGuards(guardOf: FieldGuards['guardOf']): UseGuards {
  const byAbility = new Map<string, UseGuard>()
  const ofCondition = (condition: unknown): UseGuard | null => {
    if (condition === null) return null
    if (typeof condition === 'function') return permittingGuard(condition as Exclude<UseCondition, string>)
    const guard = guardOf(condition)
    // A condition that is not valid opens nothing, in case its fault is ignored.
    if (guard === null) return refusingGuard
    const use = byAbility.get(guard.ability) ?? newUseGuard((context) => guard.visibilityIn(context) === 'visible')
    byAbility.set(guard.ability, use)
    return use
  }
  const onKeys = <Spec extends FilterSpec | SortSpec>(specs: Keys<Spec>): Keys<Spec> => {
    // A value that is neither a filter nor a sort has the specification `null`, which the build reports.
    const guarded = Object.entries<Spec | null>(specs).map(([key, spec]) => {
      const guard = ofCondition(spec === null ? null : spec.usableIf)
      return [key, guard === null ? spec : Object.freeze({ ...spec, useGuard: guard })] as const
    })
    return Object.freeze(Object.fromEntries(guarded)) as Keys<Spec>
  }
  const onRelation = (spec: RelationSpec): RelationSpec => {
    const { cannotBeIncluded } = spec
    return Object.freeze({
      ...spec,
      includeGuard: typeof cannotBeIncluded === 'function' ? forbiddingGuard(cannotBeIncluded) : null,
      useGuard: ofCondition(spec.includableIf),
      filters: onKeys(spec.filters),
      sorts: onKeys(spec.sorts),
    })
  }
  const onPaths = (declared: readonly unknown[]): readonly AllowedPath[] => {
    // The rule documentSettings reports entries that are not valid.
    const paths = declared.flatMap((entry): readonly AllowedPath[] => {
      if (typeof entry === 'string') return [{ path: entry, usableIf: null, useGuard: null }]
      if (!isPlainObject(entry) || typeof entry['path'] !== 'string') return []
      const usableIf = givenCondition(entry['usableIf'] as UseCondition)
      return [{ path: entry['path'], usableIf, useGuard: ofCondition(usableIf) }]
    })
    return Object.freeze(paths.map((path) => Object.freeze(path)))
  }
  return { onKeys, onRelation, onPaths }
}
