import type { AnyPaginator } from '../../pagination/paginator.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import type { AnyAttribute } from '../fields/attribute-values.js'
import type { Condition, Constraint } from '../fields/constraint.js'
import type { FillValue, ReadValue, RequestPredicate, RowObject, RowPredicate } from '../fields/field-spec.js'
import type { Refusal } from '../fields/refusals.js'
import type { FilterDeclaration } from '../filters/filter-declaration.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import type { IdentifierMeta, RelationKind, RelationSecurity } from './relation-spec.js'

/** Carries what the compiler knows of a relation; nothing is there at run time. */
export declare const relationState: unique symbol

export type RelationFlag =
  | 'notIncludable'
  | 'hidden'
  | 'maybeHidden'
  | 'readOnly'
  | 'required'
  | 'requiredOnCreate'
  | 'nullable'

export interface RelationState<Kind extends RelationKind, Target extends string, F extends RelationFlag> {
  readonly kind: Kind
  readonly target: Target
  readonly flags: F
}

interface RelationKinds<R, T extends string, F extends RelationFlag> {
  belongsTo: BelongsTo<R, T, F>
  hasOne: HasOne<R, T, F>
  hasMany: HasMany<R, T, F>
  belongsToMany: BelongsToMany<R, T, F>
  morphTo: MorphTo<R, T, F>
  morphToMany: MorphToMany<R, T, F>
}

type Next<K extends RelationKind, R, T extends string, F extends RelationFlag> = RelationKinds<R, T, F>[K]

/** The options of every relation. */
export interface Relation<K extends RelationKind, R, T extends string, F extends RelationFlag> {
  readonly [relationState]: RelationState<K, T, F>

  /** Reads a stored association of another name. */
  storedAs(name: string): this
  /** Renders linkage on every response. */
  withData(): this
  withoutLinks(): this
  /** The path segment and the last part of the links, where it is not the name. */
  withUriFieldName(segment: string): this
  /** The related read is 404, and its link is left out. */
  withoutRelatedEndpoint(): this
  /** The relationship endpoint is 404 for every verb, and its link is left out. */
  withoutRelationshipEndpoint(): this
  /** An `include` that names it is 400. With a predicate: in the requests where it says so, before any row is read. */
  cannotBeIncluded(): Next<K, R, T, F | 'notIncludable'>
  cannotBeIncluded(predicate: RequestPredicate): this
  cannotReplace(predicate?: RowPredicate<R>): this
  cannotAdd(predicate?: RowPredicate<R>): this
  cannotRemove(predicate?: RowPredicate<R>): this
  /** Allows `withCount` to name it. */
  countable(): this
  /** The paginator of the related collection; a to-one has no use for it. */
  paginate(paginator: AnyPaginator): this
  /** The related collection is fetched whole. */
  withoutPagination(): this
  /** Filters for this relation's own endpoints, over those of the related type. */
  withFilters(declare: (kit: FilterKit<string>) => Readonly<Record<string, FilterDeclaration>>): this
  /** Sorts for this relation's own endpoints, over those of the related type. */
  withSorts(declare: (kit: SortKit<string>) => Readonly<Record<string, SortDeclaration>>): this
  /** The order of the members without a `sort`: keys of the sorts here, with `-` for descending. */
  defaultSort(...keys: readonly string[]): this
  /** Meta for each linkage identifier. */
  identifierMeta(meta: IdentifierMeta<R>): this
  security(security: RelationSecurity): this
  inverseType(type: string): this

  hidden(): Next<K, R, T, F | 'hidden'>
  hidden(predicate: RowPredicate<R>): Next<K, R, T, F | 'maybeHidden'>
  writeOnly(): Next<K, R, T, F | 'hidden'>
  writeOnly(predicate: RequestPredicate): Next<K, R, T, F | 'maybeHidden'>
  readOnly(): Next<K, R, T, F | 'readOnly'>
  readOnly(predicate: RequestPredicate): this
  readOnlyOnCreate(predicate?: RequestPredicate): this
  readOnlyOnUpdate(predicate?: RequestPredicate): this
  notSparseField(): this
  sparseByDefault(): this
  required(): Next<K, R, T, F | 'required'>
  requiredOnCreate(): Next<K, R, T, F | 'requiredOnCreate'>
  requiredOnUpdate(): this
  nullable(): Next<K, R, T, F | 'nullable'>
  constrain(...constraints: readonly Constraint[]): this
  sequentially(...constraints: readonly Constraint[]): this
  atLeastOneOf(...alternatives: readonly Constraint[]): this
  /** The constraints added inside hold only while the condition does. */
  when(condition: Condition, add: (relation: this) => unknown): this
  onCreate(add: (relation: this) => unknown): this
  onUpdate(add: (relation: this) => unknown): this
  extractUsing(read: ReadValue<R>): this
  fillUsing(fill: FillValue<R>): this
  describedAs(description: string): this
  example(value: unknown): this
}

interface NoItemBounds {
  /** @deprecated For to-many relations only. */
  readonly minItems: Refusal<'minItems() is for hasMany() and belongsToMany().'>
  /** @deprecated For to-many relations only. */
  readonly maxItems: Refusal<'maxItems() is for hasMany() and belongsToMany().'>
}

interface ItemBounds {
  minItems(limit: number): this
  maxItems(limit: number): this
}

interface NoJoinRows {
  /** @deprecated For relations held by join rows. */
  readonly through: Refusal<'through() is for belongsToMany() and morphToMany(): name the key column with via().'>
  /** @deprecated For relations held by join rows. */
  readonly fields: Refusal<'fields() is for belongsToMany(): only join rows have fields of their own.'>
}

interface NoOwnKey {
  /** @deprecated For relations whose key is in a row of either side. */
  readonly via: Refusal<'via() is for a key in a row of either side: name the join rows and their columns with through().'>
}

/** A column of the row, a sentence for any other name. */
type ColumnNamed<R, Column extends string> = Column extends keyof R
  ? Column
  : Refusal<`No column '${Column}' in the model: name one of this type's own row.`>

/** Rows whose members are not known may have any. */
type JoinColumn<Row> = [keyof Row & string] extends [never] ? string : keyof Row & string

interface JoinColumns<Column extends string> {
  /** The column that points to the owner. */
  readonly owner?: Column
  /** The column that points to the member. */
  readonly member?: Column
  /** The column with the member's type, where members differ in type. */
  readonly memberType?: Column
}

/** Join rows: the name of their model, or the model. */
type JoinRows<Row> = string | { readonly name: string; readonly row?: Row }

/** To one, the key in the owner's own row. */
export interface BelongsTo<R, T extends string, F extends RelationFlag>
  extends Relation<'belongsTo', R, T, F>,
    NoItemBounds,
    NoJoinRows {
  /** The column of this type's row that holds the related id. */
  via<const Column extends string = keyof R & string>(column: ColumnNamed<R, Column>): this
}

/** To one, the key in the related row. */
export interface HasOne<R, T extends string, F extends RelationFlag>
  extends Relation<'hasOne', R, T, F>,
    NoItemBounds,
    NoJoinRows {
  /** The column of the related row that holds this type's id. */
  via(column: string): this
}

/** To many, the key in the related rows. */
export interface HasMany<R, T extends string, F extends RelationFlag>
  extends Relation<'hasMany', R, T, F>,
    ItemBounds,
    NoJoinRows {
  /** The column of the related rows that holds this type's id. */
  via(column: string): this
}

/** To many, through join rows that may have fields of their own. */
export interface BelongsToMany<R, T extends string, F extends RelationFlag>
  extends Relation<'belongsToMany', R, T, F>,
    ItemBounds,
    NoOwnKey {
  /** The fields of the join rows, rendered and written as `meta.pivot`. */
  fields(declare: (kit: AttributeKit<RowObject>) => Readonly<Record<string, AnyAttribute>>): this
  /** The join rows and, where neither foreign keys nor the relation that leads back tell them, their columns. */
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
}

/** To one of several types, type and key in the owner's own row. */
export interface MorphTo<R, T extends string, F extends RelationFlag>
  extends Relation<'morphTo', R, T, F>,
    NoItemBounds,
    NoJoinRows {
  /** The columns of this type's row that hold the related id and the related type. */
  via<const Id extends string = keyof R & string, const Type extends string = keyof R & string>(
    id: ColumnNamed<R, Id>,
    type: ColumnNamed<R, Type>,
  ): this
}

/** To many of several types. */
export interface MorphToMany<R, T extends string, F extends RelationFlag>
  extends Relation<'morphToMany', R, T, F>,
    NoItemBounds,
    NoOwnKey {
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
  /** @deprecated For belongsToMany only. */
  readonly fields: Refusal<'fields() is for belongsToMany(): only its join rows have fields of their own.'>
}

/** Any relation, whatever its kind. */
export interface AnyRelation {
  readonly [relationState]: RelationState<RelationKind, string, RelationFlag>
}

export type AnyRelations = Readonly<Record<string, AnyRelation>>

/** The type names that a relation points to. */
export type TargetOf<Rel extends AnyRelation> = Rel[typeof relationState]['target']
