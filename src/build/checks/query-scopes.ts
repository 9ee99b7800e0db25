import type { ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import type { SortSpec } from '../../resource/sorts/sort-spec.js'
import { isFilterSpec } from '../../resource/fields/spec-shape.js'
import type { BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/** A filter or sort, the key that clients write, and the type whose rows it is asked of. */
export interface Query<Spec> {
  /** `filters.title`, `tracks.filters.longerThan` */
  readonly member: string
  readonly key: string
  readonly spec: Spec
  /** Whose rows it is asked of; `null` where nobody declares the type. */
  readonly over: DeclaredType | null
  /** The fields of the join rows; `null` away from relations that have some. */
  readonly pivot: ChildSpecs | null
}

/** The filters of a type and those of its relations, the latter over the related type. */
export function filterQueries(declared: DeclaredType, world: BuildWorld): readonly Query<FilterSpec>[] {
  return queries(declared, world, 'filters').flatMap((query) =>
    isFilterSpec(query.spec) ? [{ ...query, spec: query.spec }] : [],
  )
}

export function sortQueries(declared: DeclaredType, world: BuildWorld): readonly Query<SortSpec>[] {
  return queries(declared, world, 'sorts').map((query) => ({ ...query, spec: query.spec as SortSpec }))
}

function queries(declared: DeclaredType, world: BuildWorld, kind: 'filters' | 'sorts'): readonly Query<unknown>[] {
  const own = Object.entries(declared.type[kind]).map(([key, spec]): Query<unknown> => {
    return { member: `${kind}.${key}`, key, spec, over: declared, pivot: null }
  })
  const ofRelations = declared.type.relations
    .filter(({ spec }) => !spec.traits.polymorphic)
    .flatMap((relation) =>
      Object.entries(relation.spec[kind]).map(([key, spec]): Query<unknown> => {
        const [over = null] = targetsOf(world, declared, relation)
        return { member: `${relation.name}.${kind}.${key}`, key, spec, over, pivot: relation.spec.pivot }
      }),
    )
  return [...own, ...ofRelations]
}
