import type { AggregateFields, AggregateFieldState } from '../../declare/resource/define/aggregate-kit.js'
import type { AttributesFor, attributeState, NamedAttributes } from '../../declare/resource/fields/attribute-values.js'
import type { AnyRelations, relationState } from '../../declare/resource/relations/relation-types.js'

/** The names of the resource types of the aggregates of a type. */
export type AggregateTypes<Type extends string, Aggregates> = `${Type}-${keyof Aggregates & string}`

/** The resource types of the aggregates of a type, by their names. */
export type NamedAggregates<Type extends string, Aggregates> = {
  -readonly [Name in keyof Aggregates]: `${Type}-${Name & string}`
}

/** The contract of the groups of an aggregate. They have no address of their own: `aggregate()` of the type reads them. */
export interface AggregateContract<
  Type extends string,
  A extends NamedAttributes,
  Rels extends AnyRelations,
  Declared,
  Filters,
> {
  path: Type
  operations: never
  clientIds: 'never'
  attributes: GroupAttributes<A, FieldsOf<Declared, A, Rels>>
  create: Nothing
  update: Nothing
  relations: GroupRelations<Rels, FieldsOf<Declared, A, Rels>>
  filters: Filters
  singular: never
  sorts: keyof AggregateFields<Declared> & string
  page: { number?: number | undefined; size?: number | undefined }
  countable: true
  actions: Nothing
  upsertBy: never
  aggregates: Nothing
  results: {
    create: { resource: Type }
    update: { resource: Type }
    delete: 'none'
    fetchOne: { resource: Type }
  }
}

type Nothing = Readonly<Record<never, never>>

/** How a field is made, and of which field of the type. */
interface FieldMaking {
  readonly use: unknown
  readonly of: PropertyKey
}

/** The fields of an aggregate by name. A field without a target takes the one that its key names. */
type FieldsOf<Declared, A, Rels> = {
  [Name in keyof AggregateFields<Declared>]: MakingOf<
    AggregateFieldState<AggregateFields<Declared>[Name]>,
    Name,
    A,
    Rels
  >
}

type MakingOf<State, Name, A, Rels> = State extends { readonly use: infer Use; readonly field: infer Field }
  ? {
      readonly use: Use
      readonly of: Field extends ''
        ? Use extends 'count'
          ? never
          : Name & (keyof A | keyof Rels)
        : Field & PropertyKey
    }
  : never

type IsRelation<Making, Rels> = Making extends { readonly use: 'value'; readonly of: infer Of }
  ? [Of] extends [keyof Rels]
    ? true
    : false
  : false

type Simplify<T> = { -readonly [Key in keyof T]: T[Key] } & {}

/** A field that some callers do not see is left out for them. */
type GroupAttributes<A extends NamedAttributes, Fields> = Simplify<
  {
    -readonly [Name in keyof Fields as AttributeKey<A, Fields[Name], Name, 'always'>]: ValueOf<A, Fields[Name]>
  } & {
    -readonly [Name in keyof Fields as AttributeKey<A, Fields[Name], Name, 'sometimes'>]?: ValueOf<A, Fields[Name]>
  }
>

type AttributeKey<A extends NamedAttributes, Making, Name, When> = Making extends FieldMaking
  ? [Making['of']] extends [never]
    ? When extends 'always'
      ? Name
      : never
    : Making['of'] extends keyof A
      ? 'maybeHidden' extends A[Making['of']][typeof attributeState]['flags']
        ? When extends 'sometimes'
          ? Name
          : never
        : When extends 'always'
          ? Name
          : never
      : never
  : never

type ValueOf<A extends NamedAttributes, Making> = Making extends { readonly use: infer Use; readonly of: infer Of }
  ? Use extends 'count'
    ? number
    : Use extends 'year' | 'avg'
      ? number | null
      : Use extends 'quarter' | 'month' | 'week' | 'day'
        ? string | null
        : Of extends keyof A
          ? ComputedValue<
              Use,
              Required<AttributesFor<Pick<A, Of>, 'read'>>[Of & keyof AttributesFor<Pick<A, Of>, 'read'>]
            >
          : never
  : never

type ComputedValue<Use, Value> = Use extends 'value'
  ? Value
  : Use extends 'sum'
    ? SumOf<Exclude<Value, null>>
    : Exclude<Value, null> | null

/** The sum of whole numbers that are texts is a text too. */
type SumOf<Value> = ([Value] extends [string] ? string : number) | null

type GroupRelations<Rels extends AnyRelations, Fields> = {
  -readonly [Name in keyof Fields as IsRelation<Fields[Name], Rels> extends true ? Name : never]: GroupRelation<
    Rels[(Fields[Name] & FieldMaking)['of'] & keyof Rels][typeof relationState],
    Name & string
  >
}

interface GroupRelation<S extends { readonly target: unknown; readonly flags: unknown }, Name extends string> {
  type: S['target']
  many: false
  path: Name
  is:
    | 'shown'
    | 'linked'
    | ('notIncludable' extends S['flags'] ? never : 'includable')
    | ('maybeHidden' extends S['flags'] ? 'optional' : never)
  pivot: null
  filters: Nothing
  sorts: never
  page: 'inherited'
}
