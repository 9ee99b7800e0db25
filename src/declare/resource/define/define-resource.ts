import type { ActionDeclaration, ActionKit } from './action-kit.js'
import type { AggregateDeclaration, AggregateKit } from './aggregate-kit.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import type { CheckedAttributes } from '../fields/checked-attributes.js'
import type { NamedAttributes } from '../fields/attribute-values.js'
import type { IdDeclaration, idColumns } from '../fields/id-declaration.js'
import type { CompileError } from '../parts/compile-error.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { AnyFilter, CheckedFilters, NamedFilters } from '../filters/filter-types.js'
import type { ResourceHooks } from '../events/hooks.js'
import type { Model } from '../parts/model.js'
import { rawDeclaration } from './raw-declaration.js'
import type { RelationKit } from '../relations/relation-kit.js'
import type { AnyRelations, CheckedRelations } from '../relations/relation-types.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type { Resource, SortableOf } from './resource-types.js'
import type { SoftDeletes } from '../parts/soft-deletes.js'
import type { CheckedSorts, SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import type { ClientSettings, GivenSettings, IdFlagsOf, PickedSettings, NoSettings, TypeFacts } from './type-facts.js'
import type { InstantColumn, Version } from '../parts/version.js'

type NoFields = Readonly<Record<never, never>>

type AttributesIn<A> = A extends NamedAttributes ? A : NoFields

/**
 * The type of the result of `attributes`. Any value is accepted here, so that a wrong one gets a readable compiler
 * message.
 */
type Fields = Readonly<Record<string, unknown>>

/** Names that editors suggest as keys of an object. Other keys are allowed too. */
type Suggested<Name extends PropertyKey, Value> = { readonly [Key in Name]?: Value }

/** The sort key itself, or a compiler message if it is not a sort key. */
type SortKey<Name extends string, A, Sorts> = Name extends `${'' | '-'}${SortName<A, Sorts>}`
  ? Name
  : CompileError<`'${Name}' is not a sort key: make the attribute sortable(), or declare the key in 'sorts'.`>

/**
 * Any string while the attributes are not inferred: the compiler checks lists before it infers function return types.
 */
type SortName<A, Sorts> = [keyof A] extends [never] ? string : SortableOf<A> | (keyof Sorts & string) | 'id'

/** The names that filters and sorts may have as target. */
type QueryName<R, A> = (keyof A & string) | (keyof R & string) | 'id'

/**
 * The sort keys that editors suggest. They see no attributes while the list has a key that is not complete: then they
 * suggest the columns.
 */
type SuggestedSort<R, A, Sorts> = [keyof A] extends [never]
  ? `${'' | '-'}${keyof R & string}`
  : `${'' | '-'}${SortName<A, Sorts>}`

/**
 * Makes members of the declaration required if they are present. For an optional member, the compiler reports an error at
 * the whole member; for a required one, at the attribute, filter or sort that it refuses.
 */
type RequiredMembers<A, Filters, Sorts> = {
  readonly [Member in NameIf<'attributes', A> | NameIf<'filters', Filters> | NameIf<'sorts', Sorts>]: object
}

/**
 * The members of an object. A function has none, so that the compiler infers relations from the result of the function, and not from
 * the function itself, as TypeScript 6 would.
 */
type Members<Declared> = { readonly [Name in keyof Declared]: Declared[Name] }

type NameIf<Name extends string, Declared> = [keyof Declared] extends [never] ? never : Name

/**
 * The declaration of a resource type: the second argument of {@link defineResource}. Write `attributes` before filters
 * and sorts, which refer to its names.
 */
export interface ResourceDeclaration<
  R extends object,
  A extends Fields,
  Rels extends AnyRelations,
  Sorts extends Readonly<Record<string, SortDeclaration>>,
  Include extends string,
  Sort extends string,
  Filters extends NamedFilters = NamedFilters,
  Actions extends Readonly<Record<string, ActionDeclaration>> = Readonly<Record<string, ActionDeclaration>>,
  Keys = unknown,
  Aggregates extends Readonly<Record<string, AggregateDeclaration>> = Readonly<Record<string, AggregateDeclaration>>,
> extends ResourceMetadata,
    DocumentSettings<R, keyof Rels & string, Include, (keyof A & string) | (keyof R & string)> {
  readonly model: Model<R, Keys>
  readonly id: IdDeclaration & { readonly [idColumns]?: NoInfer<keyof R & string> }
  readonly attributes?: (kit: AttributeKit<R>) => A & CheckedAttributes<R, A> & Suggested<keyof R, unknown>
  readonly relations?:
    | (Members<Rels> & CheckedRelations<R, Rels, Keys>)
    | ((kit: RelationKit<R>) => Rels & CheckedRelations<R, Rels, Keys>)
  readonly filters?: (
    kit: FilterKit<(keyof A & string) | (keyof R & string), keyof Rels & string>,
  ) => Filters & CheckedFilters<QueryName<R, A>, Filters> & Suggested<keyof A | keyof R, AnyFilter>
  readonly sorts?: (
    kit: SortKit<(keyof A & string) | (keyof R & string), keyof Rels & string>,
  ) => Sorts & CheckedSorts<QueryName<R, A>, Sorts>
  /** The sort keys of a request without `sort`, with `-` for descending. */
  readonly defaultSort?: readonly (SortKey<Sort, NoInfer<A>, NoInfer<Sorts>> | NoInfer<SuggestedSort<R, A, Sorts>>)[]
  /** User-defined hooks in the operations of the type. */
  readonly hooks?: ResourceHooks<R>
  /** Custom actions, by the path segment after `-actions`. */
  readonly actions?: (kit: ActionKit<R>) => Actions
  /** Numbers about groups of rows, by the path segment after `-aggregates`. */
  readonly aggregates?: (kit: AggregateKit<keyof A & string, keyof Rels & string>) => Aggregates
  /** Marks deleted rows instead of removing them. Clients cannot see a deleted row until it is restored. */
  readonly softDeletes?: SoftDeletes<R>
  /** The version of a resource, for `ETag` and `If-Match`. By default none, unless the server overrides it. */
  readonly version?: Version<R>
  /** The column with the time of the last change, which the application writes: the header `Last-Modified`. */
  readonly lastModified?: InstantColumn<R>
}

/**
 * Declares a resource type over a model. Relations name their target types, so that declarations may refer to each
 * other. `createServer` refuses an unknown target type.
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
  const Filters extends NamedFilters = NoFields,
  const Actions extends Readonly<Record<string, ActionDeclaration>> = NoFields,
  const Settings extends ClientSettings<R> = NoSettings,
  Keys = unknown,
  const Aggregates extends Readonly<Record<string, AggregateDeclaration>> = NoFields,
>(
  type: Type,
  declaration: ResourceDeclaration<R, A, Rels, Sorts, Include, Sort, Filters, Actions, Keys, Aggregates> &
    RequiredMembers<A, Filters, Sorts> &
    GivenSettings<Settings>,
): Resource<
  Type,
  R,
  AttributesIn<A>,
  Rels,
  TypeFacts<
    'resource',
    Settings extends { readonly id: infer Declared } ? IdFlagsOf<Declared> : never,
    Filters,
    keyof Sorts & string,
    Actions,
    PickedSettings<Settings>['picked'],
    Aggregates
  >
> {
  return rawDeclaration('resource', type, declaration) as never
}
