/** The key of the type-level state of an attribute. It exists for the compiler only, not at run time. */
export declare const attributeState: unique symbol

/** The modifiers that were called on an attribute, as far as its types depend on them. */
export type Flag =
  | 'nullable'
  | 'required'
  | 'requiredOnCreate'
  | 'readOnly'
  | 'readOnlyOnCreate'
  | 'readOnlyOnUpdate'
  | 'hidden'
  | 'maybeHidden'
  | 'writeOnly'
  | 'onDemand'
  | 'computed'
  | 'flattened'
  | 'customRead'
  | 'customCast'
  | 'customWrite'
  | 'sortable'

export interface AttributeState<Kind extends string, Value, F extends Flag, Column extends string> {
  readonly kind: Kind
  readonly value: Value
  readonly flags: F
  /** The backing column; `''` if it has the name of the attribute. */
  readonly column: Column
}

/** An attribute of any kind. */
export interface AnyAttribute {
  readonly [attributeState]: AttributeState<string, unknown, Flag, string>
}

/** Attributes by name. */
export type Children = Readonly<Record<string, AnyAttribute>>

/** The value of a `map` or an `object`. Which of its members exist depends on the `Purpose`. */
export interface Members<Fields extends Children> {
  readonly members: Fields
}

/** The value of a `oneOf`: the member that distinguishes the variants, and the variants declared so far. */
export interface Variants<Discriminator extends string, Named extends Readonly<Record<string, Children>>> {
  readonly discriminator: Discriminator
  readonly variants: Named
}

/** The use of a value: a client reads it, or sends it to create or to update a resource. */
export type Purpose = 'read' | 'create' | 'update'

/** The wire values of an attribute, without `null`. */
export type WireValue<V, P extends Purpose> =
  V extends Members<infer Fields>
    ? AttributesFor<Fields, P>
    : V extends Variants<infer Discriminator, infer Named>
      ? { [Name in keyof Named]: Variant<Discriminator, Name, Named[Name], P> }[keyof Named]
      : V

type Variant<Discriminator extends string, Name, Fields extends Children, P extends Purpose> = Simplify<
  { [Member in Discriminator]: Name } & AttributesFor<Fields, P>
>

/** The attributes of a type, or the members of a composite, in a document that a client reads or sends. */
export type AttributesFor<A extends Children, P extends Purpose> = P extends 'read'
  ? ReadOf<A>
  : P extends 'create'
    ? CreateOf<A>
    : UpdateOf<A>

export type NullOf<F extends Flag> = 'nullable' extends F ? null : never

/**
 * A flattened attribute is `null` if there is no related row, and an update may send that `null` back. On a create the
 * related row is not known yet, so there `null` is not allowed.
 */
type MissingRelated<F extends Flag, P extends Purpose> = P extends 'create'
  ? never
  : 'flattened' extends F
    ? null
    : never

/** A conditional type, so that editors show the value and not the name of this type. */
type ValueOf<A extends AnyAttribute, P extends Purpose> =
  A[typeof attributeState] extends AttributeState<string, infer V, infer F, string>
    ? WireValue<V, P> | NullOf<F> | MissingRelated<F, P>
    : never

/** Merges an intersection into one object type; `& {}` makes editors show its members. */
type Simplify<T> = { [Key in keyof T]: T[Key] } & {}

/** The names of the attributes that have at least one of the flags. */
export type Having<A extends Children, F> = {
  [Name in keyof A]: Extract<A[Name][typeof attributeState]['flags'], F> extends never ? never : Name
}[keyof A]

type NeverRead = 'hidden' | 'writeOnly'
type SometimesRead = 'maybeHidden' | 'onDemand'

/** The names of the attributes that a client may send. */
type WritableOn<A extends Children, ReadOnlyFlag> = Exclude<
  keyof A,
  Having<A, 'readOnly' | 'hidden' | ReadOnlyFlag> | ComputedOnly<A>
>

/** The names of the computed attributes without `fillUsing`, which are not writable. */
type ComputedOnly<A extends Children> = Exclude<Having<A, 'computed'>, Having<A, 'customWrite'>>

type ReadOf<A extends Children> = Simplify<
  { [Name in Exclude<keyof A, Having<A, NeverRead | SometimesRead>>]: ValueOf<A[Name], 'read'> } & {
    [Name in Exclude<Having<A, SometimesRead>, Having<A, NeverRead>>]?: ValueOf<A[Name], 'read'>
  }
>

type CreateOf<A extends Children> = Simplify<
  {
    [Name in Extract<WritableOn<A, 'readOnlyOnCreate'>, Having<A, RequiredFlag>>]: ValueOf<A[Name], 'create'>
  } & {
    [Name in Exclude<WritableOn<A, 'readOnlyOnCreate'>, Having<A, RequiredFlag>>]?: ValueOf<A[Name], 'create'>
  }
>

type RequiredFlag = 'required' | 'requiredOnCreate'

type UpdateOf<A extends Children> = Simplify<{
  [Name in WritableOn<A, 'readOnlyOnUpdate'>]?: ValueOf<A[Name], 'update'>
}>
