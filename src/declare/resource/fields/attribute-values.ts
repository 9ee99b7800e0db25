/** The key of the type-level state of an attribute. It exists for the compiler only, not at run time. */
export declare const attributeState: unique symbol

/** The modifiers that were called on an attribute, as far as its types depend on them. */
export type AttributeFlag =
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

export interface AttributeState<Kind extends string, Value, F extends AttributeFlag, Column extends string> {
  readonly kind: Kind
  readonly value: Value
  readonly flags: F
  /** The backing column; `''` if it has the name of the attribute. */
  readonly column: Column
}

/** An attribute of any kind. */
export interface AnyAttribute {
  readonly [attributeState]: AttributeState<string, unknown, AttributeFlag, string>
}

/** Attributes by name. */
export type NamedAttributes = Readonly<Record<string, AnyAttribute>>

/**
 * The value of a `map` or an `object`, such as {@link ObjectAttribute}. The `Purpose` determines which of its members
 * exist.
 */
export interface Members<Fields extends NamedAttributes> {
  readonly members: Fields
}

/**
 * The value of a `oneOf`, such as {@link OneOfAttribute}: the member that distinguishes the variants, and the variants
 * declared so far.
 */
export interface Variants<Discriminator extends string, Named extends Readonly<Record<string, NamedAttributes>>> {
  readonly discriminator: Discriminator
  readonly variants: Named
}

/** The use of a value: a client reads it, or sends it to create or to update a resource. */
export type DocumentPurpose = 'read' | 'create' | 'update'

/** The wire values of an attribute, without `null`. */
export type WireValue<V, P extends DocumentPurpose> =
  V extends Members<infer Fields>
    ? AttributesFor<Fields, P>
    : V extends Variants<infer Discriminator, infer Named>
      ? { [Name in keyof Named]: Variant<Discriminator, Name, Named[Name], P> }[keyof Named]
      : V

type Variant<Discriminator extends string, Name, Fields extends NamedAttributes, P extends DocumentPurpose> = Simplify<
  { [Member in Discriminator]: Name } & AttributesFor<Fields, P>
>

/** The attributes of a type, or the members of a composite, in a document that a client reads or sends. */
export type AttributesFor<A extends NamedAttributes, P extends DocumentPurpose> = P extends 'read'
  ? ReadOf<A>
  : P extends 'create'
    ? CreateOf<A>
    : UpdateOf<A>

export type NullOf<F extends AttributeFlag> = 'nullable' extends F ? null : never

/**
 * A flattened attribute is `null` if there is no related row, and an update may send that `null` back. On a create the
 * related row is not known yet, so there `null` is not allowed.
 */
type MissingRelated<F extends AttributeFlag, P extends DocumentPurpose> = P extends 'create'
  ? never
  : 'flattened' extends F
    ? null
    : never

/**
 * The members of a `map` are columns of the row: clients read the object even if all of them are null, unless a user-defined function
 * returns the value. They may send null to clear the members.
 */
type NullFor<Kind extends string, F extends AttributeFlag, P extends DocumentPurpose> = P extends 'read'
  ? Kind extends 'map'
    ? [Extract<F, 'customRead' | 'computed'>] extends [never]
      ? never
      : NullOf<F>
    : NullOf<F>
  : NullOf<F>

/** A conditional type, so that editors show the value and not the name of this type. */
type ValueOf<A extends AnyAttribute, P extends DocumentPurpose> =
  A[typeof attributeState] extends AttributeState<infer Kind, infer V, infer F, string>
    ? WireValue<V, P> | NullFor<Kind, F, P> | MissingRelated<F, P>
    : never

/** Merges an intersection into one object type; `& {}` makes editors show its members. */
type Simplify<T> = { [Key in keyof T]: T[Key] } & {}

/** The names of the attributes that have at least one of the flags. */
export type NamesWithFlag<A extends NamedAttributes, F> = {
  [Name in keyof A]: Extract<A[Name][typeof attributeState]['flags'], F> extends never ? never : Name
}[keyof A]

/** How the modifiers of an attribute affect whether clients receive it. */
interface ReadEffects {
  hidden: 'never'
  writeOnly: 'never'
  maybeHidden: 'sometimes'
  onDemand: 'sometimes'
}

/** How the modifiers of an attribute affect whether clients send it to create a resource. */
interface CreateEffects {
  hidden: 'never'
  readOnly: 'never'
  readOnlyOnCreate: 'never'
  required: 'required'
  requiredOnCreate: 'required'
}

/** How the modifiers of an attribute affect whether clients send it to update a resource. */
interface UpdateEffects {
  hidden: 'never'
  readOnly: 'never'
  readOnlyOnUpdate: 'never'
}

/**
 * The effects of the modifiers of each attribute. They are looked up once for each attribute, because a conditional type for each effect takes
 * more instantiations.
 */
type EffectsOn<A extends NamedAttributes, Effects> = {
  [Name in keyof A]: Effects[A[Name][typeof attributeState]['flags'] & keyof Effects]
}

/** The names of the attributes that have an effect. */
type NamesHaving<Effects, Effect> = {
  [Name in keyof Effects]: Effect extends Effects[Name] ? Name : never
}[keyof Effects]

type ReadOf<A extends NamedAttributes> = ReadBy<A, EffectsOn<A, ReadEffects>>

type ReadBy<A extends NamedAttributes, Effects> = ReadMembers<
  A,
  NamesHaving<Effects, 'never'>,
  NamesHaving<Effects, 'sometimes'>
>

/** The values of some attributes. `Names extends keyof A` lets editors go from a member to the declaration of its attribute. */
type Values<A extends NamedAttributes, Names extends keyof A, P extends DocumentPurpose> = {
  -readonly [Name in Names]: ValueOf<A[Name], P>
}

type OptionalValues<A extends NamedAttributes, Names extends keyof A, P extends DocumentPurpose> = {
  -readonly [Name in Names]?: ValueOf<A[Name], P>
}

type ReadMembers<A extends NamedAttributes, Never, Sometimes> = Simplify<
  Values<A, Exclude<keyof A, Never | Sometimes>, 'read'> &
    OptionalValues<A, Exclude<Sometimes & keyof A, Never>, 'read'>
>

/** The names of the computed attributes without `fillUsing`, which are not writable. */
type ComputedOnly<A extends NamedAttributes> = {
  [Name in keyof A]: 'computed' extends A[Name][typeof attributeState]['flags']
    ? 'customWrite' extends A[Name][typeof attributeState]['flags']
      ? never
      : Name
    : never
}[keyof A]

type CreateOf<A extends NamedAttributes> = CreateBy<A, EffectsOn<A, CreateEffects>>

type CreateBy<A extends NamedAttributes, Effects> = CreateMembers<
  A,
  NamesHaving<Effects, 'never'> | ComputedOnly<A>,
  NamesHaving<Effects, 'required'>
>

type CreateMembers<A extends NamedAttributes, Never, Required> = Simplify<
  Values<A, Exclude<Required & keyof A, Never>, 'create'> &
    OptionalValues<A, Exclude<keyof A, Never | Required>, 'create'>
>

type UpdateOf<A extends NamedAttributes> = UpdateMembers<
  A,
  NamesHaving<EffectsOn<A, UpdateEffects>, 'never'> | ComputedOnly<A>
>

type UpdateMembers<A extends NamedAttributes, Never> = Simplify<OptionalValues<A, Exclude<keyof A, Never>, 'update'>>
