import type { ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import type { SortSpec } from '../../resource/sorts/sort-spec.js'
import { isFilterSpec } from '../../resource/fields/spec-shape.js'
import type { BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/** A declared filter or sort, with the key that clients write and the type whose rows it applies to. */
export interface Query<Spec> {
  /** `filters.title`, `tracks.filters.longerThan` */
  readonly member: string
  readonly key: string
  readonly spec: Spec
  /** The type whose rows it applies to; `null` if that type is not declared. */
  readonly over: DeclaredType | null
  /** The fields of the join rows of the relation; `null` for filters and sorts of a type. */
  readonly pivot: ChildSpecs | null
}

/** Returns the filters of a type, which apply to its rows, and those of its relations, which apply to related rows. */
export function filterQueries(declared: DeclaredType, context: BuildWorld): readonly Query<FilterSpec>[] {
  return queries(declared, context, 'filters').flatMap((query) =>
    isFilterSpec(query.spec) ? [{ ...query, spec: query.spec }] : [],
  )
}

export function sortQueries(declared: DeclaredType, context: BuildWorld): readonly Query<SortSpec>[] {
  return queries(declared, context, 'sorts').map((query) => ({ ...query, spec: query.spec as SortSpec }))
}

function queries(declared: DeclaredType, context: BuildWorld, kind: 'filters' | 'sorts'): readonly Query<unknown>[] {
  const ofType = Object.entries(declared.type[kind]).map(([key, spec]): Query<unknown> => {
    return { member: `${kind}.${key}`, key, spec, over: declared, pivot: null }
  })
  const ofRelations = declared.type.relations
    .filter(({ spec }) => !spec.traits.polymorphic)
    .flatMap((relation) =>
      Object.entries(relation.spec[kind]).map(([key, spec]): Query<unknown> => {
        const [over = null] = targetsOf(context, declared, relation)
        return { member: `${relation.name}.${kind}.${key}`, key, spec, over, pivot: relation.spec.pivot }
      }),
    )
  return [...ofType, ...ofRelations]
}
