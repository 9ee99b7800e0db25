import type { ActionDeclaration, ActionKit } from './action-kit.js'
import type { AggregateDeclaration, AggregateKit } from './aggregate-kit.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import type { AnyAttribute, NamedAttributes } from '../fields/attribute-values.js'
import type { RowObject } from '../fields/field-spec.js'
import type { IdDeclaration } from '../fields/id-declaration.js'
import type { CompileError } from '../parts/compile-error.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { NamedFilters } from '../filters/filter-types.js'
import type { ResourceHooks } from '../events/hooks.js'
import type { Model } from '../parts/model.js'
import { rawDeclaration } from './raw-declaration.js'
import type { AnyRelations } from '../relations/relation-types.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type { Resource } from './resource-types.js'
import type { SoftDeletes } from '../parts/soft-deletes.js'
import type { SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import type { ClientSettings, GivenSettings, IdFlagsOf, PickedSettings, NoSettings, TypeFacts } from './type-facts.js'
import type { InstantColumn, Version } from '../parts/version.js'

/**
 * The type of the result of `fields`. Any value is accepted here, so that a wrong one gets a readable compiler message.
 */
type Inventory = Readonly<Record<string, unknown>>

/** The fields themselves, or a compiler message for a value that is not a field. */
type CheckedInventory<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends AnyAttribute | IdDeclaration
    ? Fields[Name]
    : CompileError<`'${Name & string}' is neither an attribute nor an id: create one with the kit, such as a.string().`>
}

type NoRelations = Readonly<Record<never, never>>

/** The attributes among the declared fields. */
type AttributesIn<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends AnyAttribute ? Name : never]: Extract<
    Fields[Name],
    AnyAttribute
  >
}

type Sorts = Readonly<Record<string, SortDeclaration>>
type Actions = Readonly<Record<string, ActionDeclaration>>
type Aggregates = Readonly<Record<string, AggregateDeclaration>>

/**
 * The declaration of a type from separate capabilities: the second argument of {@link defineType}. The type can do only
 * what its capabilities provide.
 */
export interface TypeDeclaration<
  Fields extends Inventory,
  Rels extends AnyRelations,
  Include extends string,
  DeclaredFilters extends NamedFilters = NamedFilters,
  DeclaredSorts extends Sorts = Sorts,
  DeclaredActions extends Actions = Actions,
  DeclaredAggregates extends Aggregates = Aggregates,
> extends ResourceMetadata,
    DocumentSettings<RowObject, keyof Rels & string, Include, string> {
  readonly model?: Model<object>
  /** Exactly one id, and the attributes for sparse fieldsets and API contracts. */
  readonly fields: (kit: AttributeKit<RowObject>) => Fields & CheckedInventory<Fields>
  readonly relations?: Rels
  readonly filters?: (kit: FilterKit<string>) => DeclaredFilters
  readonly sorts?: (kit: SortKit<string>) => DeclaredSorts
  readonly defaultSort?: readonly string[]
  /** User-defined hooks in the operations of the type. */
  readonly hooks?: ResourceHooks
  /** Custom actions, by the path segment after `-actions`. */
  readonly actions?: (kit: ActionKit<RowObject>) => DeclaredActions
  /** Numbers about groups of rows, by the path segment after `-aggregates`. */
  readonly aggregates?: (kit: AggregateKit<keyof Fields & string, keyof Rels & string>) => DeclaredAggregates
  /** Marks deleted rows instead of removing them. Clients cannot see a deleted row until it is restored. */
  readonly softDeletes?: SoftDeletes<RowObject>
  /** The version of a resource, for `ETag` and `If-Match`. By default none, unless the server overrides it. */
  readonly version?: Version<RowObject>
  /** The column with the time of the last change, which the application writes: the header `Last-Modified`. */
  readonly lastModified?: InstantColumn<RowObject>
}

/**
 * Declares a type from independent capabilities: a serializer, a hydrator, relations, a provider, a persister. The
 * type serves only the operations that `operations` lists, by default none.
 *
 * @example
 * ```ts
 * const countries = defineType('countries', {
 *   fields: (a) => ({ code: id(), name: a.string() }),
 *   serializer: { members: ['name'], serialize: (row) => ({ id: String(row.code), attributes: { name: row.name } }) },
 *   provider: { fetchOne: (_type, wanted) => (wanted === 'is' ? { code: 'is', name: 'Iceland' } : null) },
 *   operations: ['FetchOne'],
 * })
 * ```
 */
export function defineType<
  const Type extends string,
  const Fields extends Inventory,
  const Rels extends AnyRelations = NoRelations,
  const Include extends string = never,
  const DeclaredFilters extends NamedFilters = NoRelations,
  const DeclaredSorts extends Sorts = NoRelations,
  const DeclaredActions extends Actions = NoRelations,
  const Settings extends ClientSettings<RowObject> = NoSettings,
  const DeclaredAggregates extends Aggregates = NoRelations,
>(
  type: Type,
  declaration: TypeDeclaration<
    Fields,
    Rels,
    Include,
    DeclaredFilters,
    DeclaredSorts,
    DeclaredActions,
    DeclaredAggregates
  > &
    GivenSettings<Settings>,
): Resource<
  Type,
  RowObject,
  AttributesIn<Fields> extends NamedAttributes ? AttributesIn<Fields> : never,
  Rels,
  TypeFacts<
    'capabilities',
    IdFlagsOf<Fields[keyof Fields]>,
    DeclaredFilters,
    keyof DeclaredSorts & string,
    DeclaredActions,
    PickedSettings<Settings>['picked'],
    DeclaredAggregates
  >
> {
  return rawDeclaration('capabilities', type, declaration) as never
}
