import type { AnyPaginator } from '../../pagination/paginator.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import type { NamedAttributes } from '../fields/attribute-values.js'
import type { Condition, Constraint } from '../fields/constraint.js'
import type { FillValue, ReadValue, RequestPredicate, RowObject, RowPredicate } from '../fields/field-spec.js'
import type { CompileError } from '../parts/compile-error.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { NamedFilters } from '../filters/filter-types.js'
import type { SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import type { UseCondition } from '../request/use-guard.js'
import type { IdentifierMeta, RelationKind, RelationSecurity } from './relation-spec.js'

/** The key of the type-level state of a relation. It exists for the compiler only, not at run time. */
export declare const relationState: unique symbol

/** The modifiers of a relation, as far as types depend on them. See {@link belongsTo}. */
export type RelationFlag =
  | 'notIncludable'
  | 'hidden'
  | 'maybeHidden'
  | 'writeOnly'
  | 'readOnly'
  | 'required'
  | 'requiredOnCreate'
  | 'nullable'
  | 'readOnlyOnCreate'
  | 'readOnlyOnUpdate'
  | 'onDemand'
  | 'customRead'
  | 'customWrite'
  | 'withData'
  | 'withoutData'
  | 'noRelatedEndpoint'
  | 'noRelationshipEndpoint'
  | 'cannotReplace'
  | 'cannotAdd'
  | 'cannotRemove'
  | 'filterable'
  | 'countable'
  // The column is named by `via()` or `storedAs()`.
  | 'stored'
  | ViaColumn<string>
  | UriSegment<string>

/** Records a column that `via()` names before the row type is known: `defineResource` compares it with its row. */
type ViaColumn<Column extends string> = `via ${Column}`

/** Records the path segment of `withUriFieldName()`. */
export type UriSegment<Segment extends string> = `at ${Segment}`

/** The names if they are known to the compiler. One overload of `via()` infers `string`. */
type Literals<Column extends string> = string extends Column ? never : Column

/**
 * The parts of a relation that have their own types: the fields of its join rows, its filters, the keys of its sorts and its
 * paginator, which is `undefined` if it declares none. See {@link belongsToMany}.
 */
export interface RelationParts<
  Pivot extends NamedAttributes = NamedAttributes,
  Filters extends NamedFilters = NamedFilters,
  Sorts extends string = string,
  Page extends AnyPaginator | null | undefined = AnyPaginator | null | undefined,
> {
  readonly pivot: Pivot
  readonly filters: Filters
  readonly sorts: Sorts
  readonly page: Page
}

type NoMembers = Readonly<Record<never, never>>

/** The parts of a relation that declares none of them. See {@link belongsTo}. */
export type NoParts = RelationParts<NoMembers, NoMembers, never, undefined>

export interface RelationState<
  Kind extends RelationKind,
  Target extends string,
  F extends RelationFlag,
  X extends RelationParts,
> {
  readonly kind: Kind
  readonly target: Target
  readonly flags: F
  readonly parts: X
}

interface RelationKinds<R, T extends string, F extends RelationFlag, X extends RelationParts> {
  belongsTo: BelongsTo<R, T, F, X>
  hasOne: HasOne<R, T, F, X>
  hasMany: HasMany<R, T, F, X>
  belongsToMany: BelongsToMany<R, T, F, X>
  morphTo: MorphTo<R, T, F, X>
  morphToMany: MorphToMany<R, T, F, X>
}

type Next<K extends RelationKind, R, T extends string, F extends RelationFlag, X extends RelationParts> = RelationKinds<
  R,
  T,
  F,
  X
>[K]

/** The options of every relation. */
export interface Relation<
  K extends RelationKind,
  R,
  T extends string,
  F extends RelationFlag,
  X extends RelationParts,
> {
  readonly [relationState]: RelationState<K, T, F, X>

  /** Uses the storage of another name, such as that of another relation of the type. */
  storedAs(name: string): Next<K, R, T, F | 'stored', X>
  /** Renders linkage in every response. */
  withData(): Next<K, R, T, Exclude<F, 'withoutData'> | 'withData', X>
  /**
   * Renders linkage only if the relation is included, regardless of `linkage` of the type or the server, and
   * `withLinkage` cannot name it. For relations with very many members. No effect if the key is in the owner's row.
   */
  withoutData(): Next<K, R, T, Exclude<F, 'withData'> | 'withoutData', X>
  withoutLinks(): this
  /** The path segment in URLs and links, if it is not the name of the relation. */
  withUriFieldName<const Segment extends string>(
    segment: Segment,
  ): Next<K, R, T, Exclude<F, UriSegment<string>> | UriSegment<Segment>, X>
  /** The related endpoint responds with 404, and its link is omitted. */
  withoutRelatedEndpoint(): Next<K, R, T, F | 'noRelatedEndpoint', X>
  /** The relationship endpoint responds with 404 to every method, and its link is omitted. */
  withoutRelationshipEndpoint(): Next<K, R, T, F | 'noRelationshipEndpoint', X>
  /**
   * A request whose `include` names it gets a 400. With a predicate: if it returns true for the request, before any row
   * is read.
   */
  cannotBeIncluded(): Next<K, R, T, F | 'notIncludable', X>
  cannotBeIncluded(predicate: RequestPredicate): this
  /**
   * May be named in `include` by requests that meet the condition. For all others it does not exist in `include`, and default
   * includes omit it. Linkage, links and endpoints stay.
   */
  includableIf(condition: UseCondition): this
  cannotReplace(): Next<K, R, T, F | 'cannotReplace', X>
  cannotReplace(predicate: RowPredicate<R>): this
  cannotAdd(): Next<K, R, T, F | 'cannotAdd', X>
  cannotAdd(predicate: RowPredicate<R>): this
  cannotRemove(): Next<K, R, T, F | 'cannotRemove', X>
  cannotRemove(predicate: RowPredicate<R>): this
  /** Adds a filter of the owner: `filter[artist]=1` matches those that are related to this resource. */
  filterable(): Next<K, R, T, F | 'filterable', X>
  /** Like `filterable()`, for requests that meet the condition. For all others the filter does not exist. */
  filterableIf(condition: UseCondition): Next<K, R, T, F | 'filterable', X>
  /** Allows `withCount` to name it. */
  countable(): Next<K, R, T, F | 'countable', X>
  /** The paginator of the related collection. It has no effect on a to-one relation. */
  paginate<const Page extends AnyPaginator>(
    paginator: Page,
  ): Next<K, R, T, F, RelationParts<X['pivot'], X['filters'], X['sorts'], Page>>
  /** The related collection is not paginated. */
  withoutPagination(): Next<K, R, T, F, RelationParts<X['pivot'], X['filters'], X['sorts'], null>>
  /** Filters for the endpoints of this relation. They override filters of the related type with the same key. */
  withFilters<const Filters extends NamedFilters>(
    declare: (kit: FilterKit<string>) => Filters,
  ): Next<K, R, T, F, RelationParts<X['pivot'], X['filters'] & Filters, X['sorts'], X['page']>>
  /** Sorts for the endpoints of this relation. They override sorts of the related type with the same key. */
  withSorts<const Sorts extends Readonly<Record<string, SortDeclaration>>>(
    declare: (kit: SortKit<string>) => Sorts,
  ): Next<K, R, T, F, RelationParts<X['pivot'], X['filters'], X['sorts'] | (keyof Sorts & string), X['page']>>
  /** The order of the members if a request has no `sort`: sort keys that are allowed here, with `-` for descending. */
  defaultSort(...keys: readonly string[]): this
  /** Adds `meta` to each resource identifier in linkage. */
  identifierMeta(meta: IdentifierMeta<R>): this
  /** The abilities of the policy that are needed to read the relation, and to change it. */
  security(security: RelationSecurity): Next<K, R, T, F | 'maybeHidden', X>
  inverseType(type: string): this

  hidden(): Next<K, R, T, F | 'hidden', X>
  hidden(predicate: RowPredicate<R>): Next<K, R, T, F | 'maybeHidden', X>
  writeOnly(): Next<K, R, T, F | 'writeOnly', X>
  writeOnly(predicate: RequestPredicate): Next<K, R, T, F | 'maybeHidden', X>
  /** Rendered and written only in rows for which the caller has this ability of the policy. */
  visibleIf(ability: string): Next<K, R, T, F | 'maybeHidden', X>
  readOnly(): Next<K, R, T, F | 'readOnly', X>
  readOnly(predicate: RequestPredicate): this
  readOnlyOnCreate(): Next<K, R, T, F | 'readOnlyOnCreate', X>
  readOnlyOnCreate(predicate: RequestPredicate): this
  readOnlyOnUpdate(): Next<K, R, T, F | 'readOnlyOnUpdate', X>
  readOnlyOnUpdate(predicate: RequestPredicate): this
  notSparseField(): this
  sparseByDefault(): Next<K, R, T, F | 'onDemand', X>
  required(): Next<K, R, T, F | 'required', X>
  requiredOnCreate(): Next<K, R, T, F | 'requiredOnCreate', X>
  requiredOnUpdate(): this
  nullable(): Next<K, R, T, F | 'nullable', X>
  constrain(...constraints: readonly Constraint[]): this
  sequentially(...constraints: readonly Constraint[]): this
  atLeastOneOf(...alternatives: readonly Constraint[]): this
  /** The constraints that the callback adds apply only if the condition returns true. */
  when(condition: Condition, add: (relation: this) => unknown): this
  onCreate(add: (relation: this) => unknown): this
  onUpdate(add: (relation: this) => unknown): this
  extractUsing(read: ReadValue<R>): Next<K, R, T, F | 'customRead', X>
  fillUsing(fill: FillValue<R>): Next<K, R, T, F | 'customWrite', X>
  describedAs(description: string): this
  example(value: unknown): this
  /** Clients should no longer use it. It works as before. API descriptions mark it, and `ashlar diff` accepts its removal after the sunset. */
  deprecated(options?: DeprecationOptions): this
}

/** The options that only to-many relations have. */
interface ToMany {
  /** How many members a resource usually has, for the setting `queryCost`. */
  expectedMembers(count: number): this
}

interface ToOne extends NoItemBounds {
  /** @deprecated For to-many relations only. */
  readonly expectedMembers: CompileError<'expectedMembers() is for to-many relations: there is one member at most.'>
}

interface NoItemBounds {
  /** @deprecated For to-many relations only. */
  readonly minItems: CompileError<'minItems() is for hasMany() and belongsToMany().'>
  /** @deprecated For to-many relations only. */
  readonly maxItems: CompileError<'maxItems() is for hasMany() and belongsToMany().'>
}

interface ItemBounds {
  minItems(limit: number): this
  maxItems(limit: number): this
}

interface NoJoinRows {
  /** @deprecated For relations held by join rows. */
  readonly through: CompileError<'through() is for belongsToMany() and morphToMany(): name the key column with via().'>
  /** @deprecated For relations held by join rows. */
  readonly fields: CompileError<'fields() is for belongsToMany(): only join rows have fields of their own.'>
}

interface NoOwnKey {
  /** @deprecated For relations whose key is in the row of the owner or of the member. */
  readonly via: CompileError<'via() is for a key in the owner or the member: name the join table and its columns with through().'>
}

/** The name if it is a column of the row, else a sentence that the compiler shows as an error. */
type ColumnNamed<R, Column extends string> = Column extends keyof R
  ? Column
  : CompileError<`No column '${Column}' in the model: name a column of this type's row.`>

/** The names of the columns of a composite key, else a sentence that the compiler shows as an error. */
type ColumnsNamed<R, Columns extends KeyColumns> = Columns[number] extends keyof R
  ? Columns
  : CompileError<`No column '${Exclude<Columns[number], keyof R>}' in the model: name columns of this type's row.`>

/** The columns of a composite key, in the order of the key that they refer to. */
type KeyColumns = readonly [string, string, ...string[]]

/** The column names of join rows; any name if the columns are not known. */
type JoinColumn<Row> = [keyof Row & string] extends [never] ? string : keyof Row & string

interface JoinColumns<Column extends string> {
  /** The column that refers to the owner, or the columns if the owner has a composite key. */
  readonly owner?: Column | readonly [Column, Column, ...Column[]]
  /** The column that refers to the member, or the columns if the member has a composite key. */
  readonly member?: Column | readonly [Column, Column, ...Column[]]
  /** The column with the type of the member, if the relation is polymorphic. */
  readonly memberType?: Column
}

/** The join table: the model of its rows, or the name of that model. */
type JoinRows<Row> = string | { readonly name: string; readonly row?: Row }

/** A to-one relation whose key is in the owner's row, as {@link belongsTo} declares it. */
export interface BelongsTo<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'belongsTo', R, T, F, X>,
    ToOne,
    NoJoinRows {
  /** The column of this type's row that holds the related id, or the columns of a composite key, in its order. */
  via<const Column extends string = keyof R & string, const Columns extends KeyColumns = never>(
    column: ColumnNamed<R, Column> | ColumnsNamed<R, Columns>,
  ): BelongsTo<
    R,
    T,
    string extends keyof R ? F | ViaColumn<Literals<Column> | Literals<Columns[number]>> : F | 'stored',
    X
  >
}

/** A to-one relation whose key is in the related row, as {@link hasOne} declares it. */
export interface HasOne<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'hasOne', R, T, F, X>,
    ToOne,
    NoJoinRows {
  /** The column of the related row that holds this type's id, or the columns of a composite key. */
  via(column: string | KeyColumns): this
}

/** A to-many relation whose key is in the related rows, as {@link hasMany} declares it. */
export interface HasMany<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'hasMany', R, T, F, X>,
    ToMany,
    ItemBounds,
    NoJoinRows {
  /** The column of the related rows that holds this type's id, or the columns of a composite key. */
  via(column: string | KeyColumns): this
}

/**
 * A to-many relation through a join table, as {@link belongsToMany} declares it. The join rows may have fields of their
 * own.
 */
export interface BelongsToMany<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'belongsToMany', R, T, F, X>,
    ToMany,
    ItemBounds,
    NoOwnKey {
  /** Declares the fields of the join rows, which are rendered and written as `meta.pivot`. */
  fields<const Fields extends NamedAttributes>(
    declare: (kit: AttributeKit<RowObject>) => Fields,
  ): BelongsToMany<R, T, F, RelationParts<Fields, X['filters'], X['sorts'], X['page']>>
  /** Names the join table, and its columns if neither foreign keys nor the inverse relation determine them. */
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
}

/** A to-one relation to one of several types, as {@link morphTo} declares it. Type and key are in the owner's row. */
export interface MorphTo<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'morphTo', R, T, F, X>,
    ToOne,
    NoJoinRows {
  /** The columns of this type's row that hold the related id and the related type. */
  via<const Id extends string = keyof R & string, const Type extends string = keyof R & string>(
    id: ColumnNamed<R, Id>,
    type: ColumnNamed<R, Type>,
  ): string extends keyof R ? MorphTo<R, T, F | ViaColumn<Id | Type>, X> : this
}

/** A to-many relation to members of several types, through a join table, as {@link morphToMany} declares it. */
export interface MorphToMany<R, T extends string, F extends RelationFlag, X extends RelationParts = NoParts>
  extends Relation<'morphToMany', R, T, F, X>,
    ToMany,
    NoItemBounds,
    NoOwnKey {
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
  /** @deprecated For belongsToMany only. */
  readonly fields: CompileError<'fields() is for belongsToMany(): only its join rows have fields of their own.'>
}

/** A relation of any kind. */
export interface AnyRelation {
  readonly [relationState]: RelationState<RelationKind, string, RelationFlag, RelationParts>
}

export type AnyRelations = Readonly<Record<string, AnyRelation>>

/** The type names that a relation points to. */
export type TargetOf<Rel extends AnyRelation> = Rel[typeof relationState]['target']

/**
 * The relations themselves if the row has their columns, else a sentence that the compiler shows. The column of a relation that names none
 * is known if the model has no foreign keys.
 */
export type CheckedRelations<R, Rels extends AnyRelations, Keys> = {
  readonly [Name in keyof Rels]: UnknownVia<keyof R, Rels[Name][typeof relationState]['flags']> extends infer Column
    ? [Column] extends [never]
      ? Keys extends 'byName'
        ? CheckedKey<R, Name & string, Rels[Name], Rels[Name][typeof relationState]>
        : Rels[Name]
      : `No column '${Column & string}' in the model: name a column of this type's row.`
    : never
}

type UnknownVia<Columns, F> = F extends ViaColumn<infer Column> ? Exclude<Literals<Column>, Columns> : never

/** Compares the conventional column of `belongsTo` with the row, unless the relation is stored elsewhere or the columns are not known. */
type CheckedKey<
  R,
  Name extends string,
  Rel,
  S extends AnyRelation[typeof relationState],
> = S['kind'] extends 'belongsTo'
  ? Extract<S['flags'], 'stored' | 'customRead' | ViaColumn<string>> extends never
    ? [keyof R] extends [never]
      ? Rel
      : `${Name}Id` extends keyof R
        ? Rel
        : `No column '${Name}Id' in the model: correct the name of the relation, or name its column with via().`
    : Rel
  : Rel
