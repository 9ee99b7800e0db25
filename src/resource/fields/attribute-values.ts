/** Carries what the compiler knows of an attribute; nothing is there at run time. */
export declare const attributeState: unique symbol

/** What modifiers have said so far. */
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
  | 'ownRead'
  | 'ownCast'
  | 'ownWrite'
  | 'sortable'

export interface AttributeState<Kind extends string, Value, F extends Flag, Column extends string> {
  readonly kind: Kind
  readonly value: Value
  readonly flags: F
  /** The backing column; `''` while it is called like the attribute. */
  readonly column: Column
}

/** Any attribute, whatever its kind. */
export interface AnyAttribute {
  readonly [attributeState]: AttributeState<string, unknown, Flag, string>
}

/** Attributes by name. */
export type Children = Readonly<Record<string, AnyAttribute>>

/** The value of a `map` or an `object`: which of its members are there depends on who looks. */
export interface Members<Fields extends Children> {
  readonly members: Fields
}

/** The value of a `oneOf`: what tells the variants apart, and those named so far. */
export interface Variants<Discriminator extends string, Named extends Readonly<Record<string, Children>>> {
  readonly discriminator: Discriminator
  readonly variants: Named
}

/** What a value is for: a client reads it, or sends it to create or to change a resource. */
export type Purpose = 'read' | 'create' | 'update'

/** The wire values of an attribute, `null` apart. */
export type WireValue<V, P extends Purpose> =
  V extends Members<infer Fields>
    ? AttributesFor<Fields, P>
    : V extends Variants<infer Discriminator, infer Named>
      ? { [Name in keyof Named]: Variant<Discriminator, Name, Named[Name], P> }[keyof Named]
      : V

type Variant<Discriminator extends string, Name, Fields extends Children, P extends Purpose> = Simplify<
  { [Member in Discriminator]: Name } & AttributesFor<Fields, P>
>

/** The attributes of a type, or the members of a composite, as they stand in a document. */
export type AttributesFor<A extends Children, P extends Purpose> = P extends 'read'
  ? ReadOf<A>
  : P extends 'create'
    ? CreateOf<A>
    : UpdateOf<A>

export type NullOf<F extends Flag> = 'nullable' extends F ? null : never

/** What is flattened is null where there is no related row, and can be sent back like that; a create has no such row yet. */
type BrokenOff<F extends Flag, P extends Purpose> = P extends 'create' ? never : 'flattened' extends F ? null : never

/** Conditional, so that editors show the value and not this name. */
type ValueOf<A extends AnyAttribute, P extends Purpose> =
  A[typeof attributeState] extends AttributeState<string, infer V, infer F, string>
    ? WireValue<V, P> | NullOf<F> | BrokenOff<F, P>
    : never

/** An intersection as one object; `{}` makes editors show its members. */
type Simplify<T> = { [Key in keyof T]: T[Key] } & {}

/** Names of the attributes that have one of the flags. */
export type Having<A extends Children, F> = {
  [Name in keyof A]: Extract<A[Name][typeof attributeState]['flags'], F> extends never ? never : Name
}[keyof A]

type NeverRead = 'hidden' | 'writeOnly'
type SometimesRead = 'maybeHidden' | 'onDemand'

/** Names of the attributes that a client may send. */
type WritableOn<A extends Children, Frozen> = Exclude<keyof A, Having<A, 'readOnly' | 'hidden' | Frozen> | Underived<A>>

/** Computed attributes without a `fillUsing` are not written. */
type Underived<A extends Children> = Exclude<Having<A, 'computed'>, Having<A, 'ownWrite'>>

type ReadOf<A extends Children> = Simplify<
  { [Name in Exclude<keyof A, Having<A, NeverRead | SometimesRead>>]: ValueOf<A[Name], 'read'> } & {
    [Name in Exclude<Having<A, SometimesRead>, Having<A, NeverRead>>]?: ValueOf<A[Name], 'read'>
  }
>

type CreateOf<A extends Children> = Simplify<
  {
    [Name in Extract<WritableOn<A, 'readOnlyOnCreate'>, Having<A, Demanded>>]: ValueOf<A[Name], 'create'>
  } & {
    [Name in Exclude<WritableOn<A, 'readOnlyOnCreate'>, Having<A, Demanded>>]?: ValueOf<A[Name], 'create'>
  }
>

type Demanded = 'required' | 'requiredOnCreate'

type UpdateOf<A extends Children> = Simplify<{
  [Name in WritableOn<A, 'readOnlyOnUpdate'>]?: ValueOf<A[Name], 'update'>
}>
