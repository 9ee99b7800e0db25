import type { AttributeKit } from './fields/attribute-kit.js'
import type { CheckedAttributes, Children } from './fields/attribute-types.js'
import type { IdDeclaration } from './fields/id-declaration.js'
import type { FilterDeclaration } from './filters/filter-declaration.js'
import type { FilterKit } from './filters/filter-kit.js'
import type { Model } from './model.js'
import type { RawDeclaration } from './raw-declaration.js'
import { rawDeclaration } from './raw-declaration.js'
import type { RelationKit } from './relations/relation-kit.js'
import type { AnyRelations } from './relations/relation-types.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type { Resource, SortableOf } from './resource-types.js'
import type { SortDeclaration, SortKit } from './sorts/sort-kit.js'

type NoRelations = Readonly<Record<never, never>>

/** A declaration: model and id first, so that the rest knows the row. */
export interface ResourceDeclaration<
  R extends object,
  A extends Children,
  Rels extends AnyRelations,
  Sorts extends Readonly<Record<string, SortDeclaration>>,
  Includes extends readonly string[],
> extends ResourceMetadata,
    DocumentSettings<R, keyof Rels & string, Includes> {
  readonly model: Model<R>
  readonly id: IdDeclaration
  readonly attributes?: (kit: AttributeKit<R>) => A & CheckedAttributes<R, A>
  readonly relations?: Rels | ((kit: RelationKit<R>) => Rels)
  readonly filters?: (
    kit: FilterKit<(keyof A & string) | (keyof R & string)>,
  ) => Readonly<Record<string, FilterDeclaration>>
  readonly sorts?: (kit: SortKit<(keyof A & string) | (keyof R & string)>) => Sorts
  /** The order without a `sort`: keys, with `-` for descending. */
  readonly defaultSort?: readonly `${'' | '-'}${SortableOf<A> | (keyof Sorts & string) | 'id'}`[]
}

/**
 * Declares a resource type over a model. Relations name their targets, so that declarations may point at each other;
 * `createServer` refuses a target that nobody declares.
 *
 * @example
 * ```ts
 * const albums = defineResource('albums', {
 *   model: model<{ id: number; title: string; artistId: number | null }>('albums'),
 *   id: id(),
 *   attributes: (a) => ({ title: a.string().required().maxLength(200).sortable() }),
 *   relations: { artist: belongsTo('artists') },
 * })
 * ```
 */
export function defineResource<
  const Type extends string,
  R extends object,
  const A extends Children = NoRelations,
  const Rels extends AnyRelations = NoRelations,
  const Sorts extends Readonly<Record<string, SortDeclaration>> = NoRelations,
  const Includes extends readonly string[] = readonly [],
>(type: Type, declaration: ResourceDeclaration<R, A, Rels, Sorts, Includes>): Resource<Type, R, A, Rels> {
  const raw: RawDeclaration = rawDeclaration('resource', type, declaration)
  return raw as unknown as Resource<Type, R, A, Rels>
}
