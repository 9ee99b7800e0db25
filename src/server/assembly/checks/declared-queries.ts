import type { ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { FilterSpec, FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import type { SortSpec } from '../../../declare/resource/sorts/sort-spec.js'
import { isFilterSpec } from '../../../declare/resource/relations/spec-shape.js'
import type { BuildContext, DeclaredType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/** A declared filter or sort, with the key that clients write and the type whose rows it applies to. */
export interface DeclaredQuery<Spec> {
  /** `filters.title`, `tracks.filters.longerThan` */
  readonly member: string
  readonly key: string
  readonly spec: Spec
  /** The type whose rows it applies to; `null` if that type is not declared. */
  readonly over: DeclaredType | null
  /** The fields of the join rows of the relation; `null` for filters and sorts of a type. */
  readonly pivot: ChildSpecs | null
  /** The filters of the same endpoint. */
  readonly filters: FilterSpecs
}

/** Returns the filters of a type, which apply to its rows, and those of its relations, which apply to related rows. */
export function declaredFilters(declared: DeclaredType, context: BuildContext): readonly DeclaredQuery<FilterSpec>[] {
  return queries(declared, context, 'filters').flatMap((query) =>
    isFilterSpec(query.spec) ? [{ ...query, spec: query.spec }] : [],
  )
}

export function declaredSorts(declared: DeclaredType, context: BuildContext): readonly DeclaredQuery<SortSpec>[] {
  return queries(declared, context, 'sorts').map((query) => ({ ...query, spec: query.spec as SortSpec }))
}

function queries(
  declared: DeclaredType,
  context: BuildContext,
  kind: 'filters' | 'sorts',
): readonly DeclaredQuery<unknown>[] {
  const ofType = Object.entries(declared.type[kind]).map(([key, spec]): DeclaredQuery<unknown> => {
    return { member: `${kind}.${key}`, key, spec, over: declared, pivot: null, filters: declared.type.filters }
  })
  const ofRelations = declared.type.relations
    .filter(({ spec }) => !spec.traits.polymorphic)
    .flatMap((relation) =>
      Object.entries(relation.spec[kind]).map(([key, spec]): DeclaredQuery<unknown> => {
        const [over = null] = targetsOf(context, declared, relation)
        const filters = { ...over?.type.filters, ...relation.spec.filters }
        return { member: `${relation.name}.${kind}.${key}`, key, spec, over, pivot: relation.spec.pivot, filters }
      }),
    )
  return [...ofType, ...ofRelations]
}
