import type {
  AttributeFlag,
  AttributeState,
  attributeState,
  NamedAttributes,
} from '../../declare/resource/fields/attribute-values.js'
import type { FilterForm, FilterState, filterState, NamedFilters } from '../../declare/resource/filters/filter-types.js'
import type { AnyRelations, relationState } from '../../declare/resource/relations/relation-types.js'

type Scalar = string | number | boolean

/** The values that each form takes, for a filter that compares values of type `Value`. */
interface FormValues<Value> {
  field: Value
  text: string
  number: number
  boolean: boolean
  any: Scalar
  open: Scalar
  fields: readonly Value[]
  texts: readonly string[]
  numbers: readonly number[]
  anys: readonly Scalar[]
  opens: readonly Scalar[]
  numberRange: { min?: number | undefined; max?: number | undefined }
  momentRange: { min?: string | undefined; max?: string | undefined }
  openRange: { min?: Scalar | undefined; max?: Scalar | undefined }
  presence: true
}

/** The values of one filter, depending on its target: an attribute, a field of join rows, the id, or a column. */
type ValueOf<Filter, Key extends string, A extends NamedAttributes, Pivot extends NamedAttributes> = Filter extends {
  readonly [filterState]: FilterState<infer Form, infer Target, boolean>
}
  ? FormValues<ComparedValue<Target extends '' ? Key : Target, A, Pivot>>[Form]
  : FormValues<Scalar>[FilterForm]

type ComparedValue<
  Target extends string,
  A extends NamedAttributes,
  Pivot extends NamedAttributes,
> = string extends Target
  ? Scalar
  : Target extends keyof A
    ? OneValue<A[Target][typeof attributeState]>
    : Target extends `pivot.${infer Name}`
      ? Name extends keyof Pivot
        ? OneValue<Pivot[Name][typeof attributeState]>
        : Scalar
      : Target extends 'id'
        ? string
        : Scalar

/** A value to compare with: an item of a list; a text for composite values. */
type OneValue<S extends AttributeState<string, unknown, AttributeFlag, string>> = S['value'] extends Scalar
  ? S['value']
  : S['value'] extends readonly (infer Item)[]
    ? Item
    : string

/** The filters of a type: the declared ones, the one by id, and those of relations that are filterable. */
export type FiltersOf<A extends NamedAttributes, Rels extends AnyRelations, Filters, Id extends string> = {
  [Key in (keyof Filters & string) | Id | Filterable<Rels>]: Key extends keyof Filters
    ? ValueOf<Filters[Key], Key, A, NoFields>
    : Key extends Id
      ? readonly string[]
      : string
}

type NoFields = Readonly<Record<never, never>>

type Filterable<Rels extends AnyRelations> = {
  [Name in keyof Rels]: 'filterable' extends Rels[Name][typeof relationState]['flags'] ? Name & string : never
}[keyof Rels]

/** The filters of a relation. Only the fields of the join rows are known as their targets here, not the related type. */
export type RelationFilters<Filters extends NamedFilters, Pivot extends NamedAttributes> = {
  -readonly [Key in keyof Filters]: ValueOf<Filters[Key], Key & string, NoFields, Pivot>
}

/** The keys of the filters that are singular, or of all. */
export type FilterKeys<Filters, Singular extends boolean> = {
  [Key in keyof Filters]: Filters[Key] extends { readonly [filterState]: FilterState<FilterForm, string, Singular> }
    ? Key & string
    : never
}[keyof Filters]
