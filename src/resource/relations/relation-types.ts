import type { AnyPaginator } from '../../pagination/paginator.js'
import type { DeprecationOptions } from '../deprecation.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import type { AnyAttribute } from '../fields/attribute-values.js'
import type { Condition, Constraint } from '../fields/constraint.js'
import type { FillValue, ReadValue, RequestPredicate, RowObject, RowPredicate } from '../fields/field-spec.js'
import type { CompileError } from '../fields/compile-error.js'
import type { FilterDeclaration } from '../filters/filter-declaration.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import type { UseCondition } from '../use-guard.js'
import type { IdentifierMeta, RelationKind, RelationSecurity } from './relation-spec.js'

/** The key of the type-level state of a relation. It exists for the compiler only, not at run time. */
export declare const relationState: unique symbol

export type RelationFlag =
  | 'notIncludable'
  | 'hidden'
  | 'maybeHidden'
  | 'readOnly'
  | 'required'
  | 'requiredOnCreate'
  | 'nullable'
  | ViaColumn<string>

/** Notes a column that `via()` names, if the row is not known there: `defineResource` compares it with its row. */
type ViaColumn<Column extends string> = `via ${Column}`

/** The names if they are known to the compiler. Of the two ways to call `via()`, one leaves any string here. */
type Literals<Column extends string> = string extends Column ? never : Column

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

  /** Uses the storage of another name, such as that of another relation of the type. */
  storedAs(name: string): this
  /** Renders linkage in every response. */
  withData(): this
  /**
   * Renders linkage only if the relation is included, whatever `linkage` of the type or the server says, and
   * `withLinkage` cannot name it. For relations with very many members. No effect if the key is in the owner's row.
   */
  withoutData(): this
  withoutLinks(): this
  /** The path segment in URLs and links, if it is not the name of the relation. */
  withUriFieldName(segment: string): this
  /** The related endpoint responds with 404, and its link is omitted. */
  withoutRelatedEndpoint(): this
  /** The relationship endpoint responds with 404 to every method, and its link is omitted. */
  withoutRelationshipEndpoint(): this
  /**
   * A request whose `include` names it gets a 400. With a predicate: if it returns true for the request, before any row
   * is read.
   */
  cannotBeIncluded(): Next<K, R, T, F | 'notIncludable'>
  cannotBeIncluded(predicate: RequestPredicate): this
  /**
   * May be named in `include` by requests that meet the condition. For all others `include` does not know it, and default
   * includes leave it out. Linkage, links and endpoints stay.
   */
  includableIf(condition: UseCondition): this
  cannotReplace(predicate?: RowPredicate<R>): this
  cannotAdd(predicate?: RowPredicate<R>): this
  cannotRemove(predicate?: RowPredicate<R>): this
  /** Adds a filter of the owner: `filter[artist]=1` matches those that are related to this resource. */
  filterable(): this
  /** Like `filterable()`, for requests that meet the condition. For all others the filter does not exist. */
  filterableIf(condition: UseCondition): this
  /** Allows `withCount` to name it. */
  countable(): this
  /** The paginator of the related collection. It has no effect on a to-one relation. */
  paginate(paginator: AnyPaginator): this
  /** The related collection is not paginated. */
  withoutPagination(): this
  /** Filters for the endpoints of this relation. They override filters of the related type with the same key. */
  withFilters(declare: (kit: FilterKit<string>) => Readonly<Record<string, FilterDeclaration>>): this
  /** Sorts for the endpoints of this relation. They override sorts of the related type with the same key. */
  withSorts(declare: (kit: SortKit<string>) => Readonly<Record<string, SortDeclaration>>): this
  /** The order of the members if a request has no `sort`: sort keys that are allowed here, with `-` for descending. */
  defaultSort(...keys: readonly string[]): this
  /** Adds `meta` to each resource identifier in linkage. */
  identifierMeta(meta: IdentifierMeta<R>): this
  /** The abilities of the policy that are needed to read the relation, and to change it. */
  security(security: RelationSecurity): Next<K, R, T, F | 'maybeHidden'>
  inverseType(type: string): this

  hidden(): Next<K, R, T, F | 'hidden'>
  hidden(predicate: RowPredicate<R>): Next<K, R, T, F | 'maybeHidden'>
  writeOnly(): Next<K, R, T, F | 'hidden'>
  writeOnly(predicate: RequestPredicate): Next<K, R, T, F | 'maybeHidden'>
  /** Rendered and written only in rows for which the caller has this ability of the policy. */
  visibleIf(ability: string): Next<K, R, T, F | 'maybeHidden'>
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
  /** The constraints that the callback adds apply only if the condition returns true. */
  when(condition: Condition, add: (relation: this) => unknown): this
  onCreate(add: (relation: this) => unknown): this
  onUpdate(add: (relation: this) => unknown): this
  extractUsing(read: ReadValue<R>): this
  fillUsing(fill: FillValue<R>): this
  describedAs(description: string): this
  example(value: unknown): this
  /** Clients should no longer use it. It works as before: descriptions say so, and `ashlar diff` knows when it may go. */
  deprecated(options?: DeprecationOptions): this
}

/** What only to-many relations have. */
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
export interface BelongsTo<R, T extends string, F extends RelationFlag>
  extends Relation<'belongsTo', R, T, F>,
    ToOne,
    NoJoinRows {
  /** The column of this type's row that holds the related id, or the columns of a composite key, in its order. */
  via<const Column extends string = keyof R & string, const Columns extends KeyColumns = never>(
    column: ColumnNamed<R, Column> | ColumnsNamed<R, Columns>,
  ): string extends keyof R ? BelongsTo<R, T, F | ViaColumn<Literals<Column> | Literals<Columns[number]>>> : this
}

/** A to-one relation whose key is in the related row, as {@link hasOne} declares it. */
export interface HasOne<R, T extends string, F extends RelationFlag>
  extends Relation<'hasOne', R, T, F>,
    ToOne,
    NoJoinRows {
  /** The column of the related row that holds this type's id, or the columns of a composite key. */
  via(column: string | KeyColumns): this
}

/** A to-many relation whose key is in the related rows, as {@link hasMany} declares it. */
export interface HasMany<R, T extends string, F extends RelationFlag>
  extends Relation<'hasMany', R, T, F>,
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
export interface BelongsToMany<R, T extends string, F extends RelationFlag>
  extends Relation<'belongsToMany', R, T, F>,
    ToMany,
    ItemBounds,
    NoOwnKey {
  /** Declares the fields of the join rows, which are rendered and written as `meta.pivot`. */
  fields(declare: (kit: AttributeKit<RowObject>) => Readonly<Record<string, AnyAttribute>>): this
  /** Names the join table, and its columns if neither foreign keys nor the inverse relation determine them. */
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
}

/** A to-one relation to one of several types, as {@link morphTo} declares it. Type and key are in the owner's row. */
export interface MorphTo<R, T extends string, F extends RelationFlag>
  extends Relation<'morphTo', R, T, F>,
    ToOne,
    NoJoinRows {
  /** The columns of this type's row that hold the related id and the related type. */
  via<const Id extends string = keyof R & string, const Type extends string = keyof R & string>(
    id: ColumnNamed<R, Id>,
    type: ColumnNamed<R, Type>,
  ): string extends keyof R ? MorphTo<R, T, F | ViaColumn<Id | Type>> : this
}

/** A to-many relation to members of several types, through a join table, as {@link morphToMany} declares it. */
export interface MorphToMany<R, T extends string, F extends RelationFlag>
  extends Relation<'morphToMany', R, T, F>,
    ToMany,
    NoItemBounds,
    NoOwnKey {
  through<Row = RowObject>(join: JoinRows<Row>, columns?: JoinColumns<JoinColumn<Row>>): this
  /** @deprecated For belongsToMany only. */
  readonly fields: CompileError<'fields() is for belongsToMany(): only its join rows have fields of their own.'>
}

/** A relation of any kind. */
export interface AnyRelation {
  readonly [relationState]: RelationState<RelationKind, string, RelationFlag>
}

export type AnyRelations = Readonly<Record<string, AnyRelation>>

/** The type names that a relation points to. */
export type TargetOf<Rel extends AnyRelation> = Rel[typeof relationState]['target']

/** The relations themselves if the row has the columns that they name, else a sentence that the compiler shows. */
export type CheckedRelations<R, Rels extends AnyRelations> = {
  readonly [Name in keyof Rels]: UnknownVia<keyof R, Rels[Name][typeof relationState]['flags']> extends infer Column
    ? [Column] extends [never]
      ? Rels[Name]
      : `No column '${Column & string}' in the model: name a column of this type's row.`
    : never
}

type UnknownVia<Columns, F> = F extends ViaColumn<infer Column> ? Exclude<Literals<Column>, Columns> : never
