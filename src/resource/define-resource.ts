import type { ActionDeclaration, ActionKit } from './actions/action-kit.js'
import type { AttributeKit } from './fields/attribute-kit.js'
import type { CheckedAttributes } from './fields/checked-attributes.js'
import type { Children } from './fields/attribute-values.js'
import type { IdDeclaration } from './fields/id-declaration.js'
import type { Refusal } from './fields/refusals.js'
import type { FilterDeclaration } from './filters/filter-declaration.js'
import type { FilterKit } from './filters/filter-kit.js'
import type { ResourceHooks } from './hooks.js'
import type { Model } from './model.js'
import type { RawDeclaration } from './raw-declaration.js'
import { rawDeclaration } from './raw-declaration.js'
import type { RelationKit } from './relations/relation-kit.js'
import type { AnyRelations } from './relations/relation-types.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type { Resource, SortableOf } from './resource-types.js'
import type { SoftDeletes } from './soft-deletes.js'
import type { SortDeclaration, SortKit } from './sorts/sort-kit.js'

type NoFields = Readonly<Record<never, never>>

type AttributesIn<A> = A extends Children ? A : NoFields

/** What `attributes` returns: anything, so that what is no attribute is refused by a sentence. */
type Fields = Readonly<Record<string, unknown>>

/** A sort key, a sentence for what is none. */
type SortKey<Name extends string, A, Sorts> = Name extends `${'' | '-'}${SortName<A, Sorts>}`
  ? Name
  : Refusal<`'${Name}' is no sort key: make the attribute sortable(), or declare the key in 'sorts'.`>

/** Any name while no attribute is known: the compiler looks at lists before it has called the functions. */
type SortName<A, Sorts> = [keyof A] extends [never] ? string : SortableOf<A> | (keyof Sorts & string) | 'id'

/**
 * Says once more that `attributes` is there when it is: where a member may be missing, the compiler points at the member
 * as a whole, else at the very attribute that it refuses.
 */
type Pointed<A> = [keyof A] extends [never] ? unknown : { readonly attributes: object }

/** A declaration: attributes before filters and sorts, so that these know what they may aim at. */
export interface ResourceDeclaration<
  R extends object,
  A extends Fields,
  Rels extends AnyRelations,
  Sorts extends Readonly<Record<string, SortDeclaration>>,
  Include extends string,
  Sort extends string,
> extends ResourceMetadata,
    DocumentSettings<R, keyof Rels & string, Include, (keyof A & string) | (keyof R & string)> {
  readonly model: Model<R>
  readonly id: IdDeclaration
  readonly attributes?: (kit: AttributeKit<R>) => A & CheckedAttributes<R, A>
  readonly relations?: Rels | ((kit: RelationKit<R>) => Rels)
  readonly filters?: (
    kit: FilterKit<(keyof A & string) | (keyof R & string)>,
  ) => Readonly<Record<string, FilterDeclaration>>
  readonly sorts?: (kit: SortKit<(keyof A & string) | (keyof R & string)>) => Sorts
  /** The order without a `sort`: keys, with `-` for descending. */
  readonly defaultSort?: readonly SortKey<Sort, NoInfer<A>, NoInfer<Sorts>>[]
  /** Own steps in the operations of the type. */
  readonly hooks?: ResourceHooks<R>
  /** What clients may do with it besides the operations, by the path segment behind `-actions`. */
  readonly actions?: (kit: ActionKit<R>) => Readonly<Record<string, ActionDeclaration>>
  /** Deleted rows are kept and marked: nowhere for clients, until they are restored. */
  readonly softDeletes?: SoftDeletes<R>
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
  const A extends Fields = NoFields,
  const Rels extends AnyRelations = NoFields,
  const Sorts extends Readonly<Record<string, SortDeclaration>> = NoFields,
  const Include extends string = never,
  const Sort extends string = never,
>(
  type: Type,
  declaration: ResourceDeclaration<R, A, Rels, Sorts, Include, Sort> & Pointed<A>,
): Resource<Type, R, AttributesIn<A>, Rels> {
  const raw: RawDeclaration = rawDeclaration('resource', type, declaration)
  return raw as unknown as Resource<Type, R, AttributesIn<A>, Rels>
}
