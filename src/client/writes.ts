import type { ActionOf, Contract, RelationOf, RelationsThatAre, TypeName } from './contract.js'
import type { DocumentQuery, RequestOptions } from './queries.js'
import type { Identifier } from './resource.js'

/** The options of a batch. Versions belong to its operations. See {@link createClient}. */
export interface BatchOptions<Api extends Contract> extends RequestOptions {
  /**
   * A key by which the server recognizes a repeated write, at most 255 characters; `true` for a random one. With a key, a write is also retried
   * after a lost response. It needs the setting `idempotency` of the server.
   */
  readonly idempotencyKey?:
    | (Api['idempotency'] extends true
        ? string | true
        : "This server does not recognize keys: set 'idempotency' in its settings.")
    | undefined
  /** Preferences, for the header `Prefer`. */
  readonly prefer?: Preference | undefined
  /** Whether the server rolls the write back. It needs the setting `dryRun` of the server. */
  readonly dryRun?:
    | (Api['dryRun'] extends true ? boolean : "This server has no dry runs: set 'dryRun' in its settings.")
    | undefined
}

export type Preference = 'return=minimal' | 'return=representation' | (string & {})

/** The options of a write. See {@link createClient}. */
export interface WriteOptions<Api extends Contract> extends BatchOptions<Api> {
  /**
   * The ETag of the version that the client has read. If there is a later one, the write is refused with 412. For a type without versions the ETag
   * is `null`, and nothing is checked.
   */
  readonly ifMatch?: string | null | undefined
}

/** The options of a write whose response has the resource. `M` has the preferences, which determine whether it does. */
export interface ResourceWriteOptions<
  Api extends Contract,
  T extends TypeName<Api>,
  P extends string,
  F,
  M extends Preference = never,
> extends WriteOptions<Api>,
    DocumentQuery<Api, T, P, F> {
  /** Preferences, for the header `Prefer`. After `return=minimal` the response may have no document. */
  readonly prefer?: M | undefined
}

/** A resource that the same batch creates, instead of its identifier. See {@link createClient}. */
export interface LocalIdentifier<T extends string = string> {
  readonly type: T
  readonly lid: string
}

/** A member of a relationship that a client sends. The fields of its join row may be missing if it is a member already. */
export type LinkedInput<Api extends Contract, T extends TypeName<Api>, N> = LinkedTo<RelationOf<Api, T, N>['type']> &
  SentPivot<RelationOf<Api, T, N>['pivot']>

/** A new member of a relationship: it has the required fields of its join row. */
export type AddedInput<Api extends Contract, T extends TypeName<Api>, N> = LinkedTo<RelationOf<Api, T, N>['type']> &
  NewPivot<RelationOf<Api, T, N>['pivot']>

/** Distributes over the types of a polymorphic relation. */
type LinkedTo<T> = T extends string ? Identifier<T> | LocalIdentifier<T> : never

type SentPivot<Pivot> = Pivot extends { create: infer Fields } ? { readonly $pivot?: Partial<Fields> } : unknown

type NewPivot<Pivot> = Pivot extends { create: infer Fields } ? Needed<'$pivot', Fields> : unknown

/** The members of a relationship of a new resource, as a client sends them. */
type NewLinkage<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? readonly AddedInput<Api, T, N>[]
  : AddedInput<Api, T, N> | null

/** The members that a relationship gets instead of the present ones, as a client sends them. */
export type LinkageInput<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? readonly LinkedInput<Api, T, N>[]
  : LinkedInput<Api, T, N> | null

/** The relationships that a new resource may have, and those that it must have. */
type NewRelationships<Api extends Contract, T extends TypeName<Api>> = {
  readonly [N in RelationsThatAre<Api, T, 'required'>]: NewLinkage<Api, T, N>
} & {
  readonly [N in Exclude<RelationsThatAre<Api, T, 'creatable'>, RelationsThatAre<Api, T, 'required'>>]?: NewLinkage<
    Api,
    T,
    N
  >
}

type ChangedRelationships<Api extends Contract, T extends TypeName<Api>> = {
  readonly [N in RelationsThatAre<Api, T, 'replaceable'>]?: LinkageInput<Api, T, N>
}

/**
 * A member of a document, which is optional if nothing in it is required. The compiler accepts any object for a type without members: a
 * sentence refuses it.
 */
type Needed<Name extends string, Value> = {} extends Value
  ? {
      readonly [Each in Name]?: [keyof Value] extends [never] ? `This type has no ${Name} that a client sends.` : Value
    }
  : { readonly [Each in Name]: Value }

/** The attributes of a new resource. See {@link createClient}. */
export type NewAttributes<Api extends Contract, T extends TypeName<Api>> = {
  readonly [Name in keyof Api['types'][T]['create']]: Api['types'][T]['create'][Name]
}

/** The attributes that a change of a resource may have. See {@link createClient}. */
export type ChangedAttributes<Api extends Contract, T extends TypeName<Api>> = {
  readonly [Name in keyof Api['types'][T]['update']]: Api['types'][T]['update'][Name]
}

/** A new resource, as a client sends it. See {@link createClient}. */
export type NewResource<Api extends Contract, T extends TypeName<Api>> = Needed<'attributes', NewAttributes<Api, T>> &
  Needed<'relationships', NewRelationships<Api, T>> &
  ClientId<Api['types'][T]['clientIds']>

/** A resource that is created or updated, as a client sends it: with what a new one needs, and without its id. See {@link createClient}. */
export type UpsertedResource<Api extends Contract, T extends TypeName<Api>> = Needed<
  'attributes',
  NewAttributes<Api, T>
> &
  Needed<'relationships', NewRelationships<Api, T>>

/** The options of a write that creates or updates. See {@link createClient}. */
export interface UpsertOptions<
  Api extends Contract,
  T extends TypeName<Api>,
  P extends string,
  F,
  M extends Preference = never,
> extends ResourceWriteOptions<Api, T, P, F, M> {
  /** `*`: if the resource exists, the write is refused with 412. */
  readonly ifNoneMatch?: '*' | undefined
}

type ClientId<Policy> = Policy extends 'required'
  ? { readonly id: string }
  : Policy extends 'optional'
    ? { readonly id?: string }
    : unknown

/** The changes of a resource, as a client sends them. See {@link createClient}. */
export interface Changes<Api extends Contract, T extends TypeName<Api>> {
  readonly attributes?:
    | ([keyof Api['types'][T]['update']] extends [never]
        ? 'This type has no attribute that a client changes.'
        : ChangedAttributes<Api, T>)
    | undefined
  readonly relationships?:
    | ([RelationsThatAre<Api, T, 'replaceable'>] extends [never]
        ? 'This type has no relationship that a client replaces.'
        : ChangedRelationships<Api, T>)
    | undefined
}

/** The actions of a type, on one resource or on the collection. */
export type ActionName<Api extends Contract, T extends TypeName<Api>, Scope> = {
  [A in keyof Api['types'][T]['actions']]: Api['types'][T]['actions'][A]['on'] extends Scope ? A & string : never
}[keyof Api['types'][T]['actions']]

/** The body of raw input, with one of the media types that the action takes. See {@link createClient}. */
export interface RawInput<MediaType extends string = string> {
  readonly body: Blob | ArrayBuffer | Uint8Array | string
  readonly contentType: MediaType
}

/** `image/*` becomes any text that begins with `image/`. */
type SentMediaType<MediaType extends string> = MediaType extends '*/*'
  ? string
  : MediaType extends `${infer Family}/*`
    ? `${Family}/${string}`
    : MediaType

/** The further arguments of an action: an input if it has one, and options, which some methods require. */
export type ActionArguments<Api extends Contract, T extends TypeName<Api>, A, Options> = ActionOf<
  Api,
  T,
  A
>['input'] extends { document: infer Document extends TypeName<Api> }
  ? readonly [
      input: InputDocument<Api, T, Document>,
      ...options: ActionOptions<ActionOf<Api, T, A>['methods'], Options>,
    ]
  : ActionOf<Api, T, A>['input'] extends 'raw'
    ? readonly [input: RawInput, ...options: ActionOptions<ActionOf<Api, T, A>['methods'], Options>]
    : ActionOf<Api, T, A>['input'] extends { bytes: infer MediaType extends string }
      ? readonly [
          input: RawInput<SentMediaType<MediaType>>,
          ...options: ActionOptions<ActionOf<Api, T, A>['methods'], Options>,
        ]
      : readonly [input?: null, ...options: ActionOptions<ActionOf<Api, T, A>['methods'], Options>]

type InputDocument<Api extends Contract, T extends TypeName<Api>, Document extends TypeName<Api>> = Needed<
  'attributes',
  NewAttributes<Api, Document>
> & { readonly id?: string } & DocumentType<T, Document>

/** A document of another type than the one of the action names it, which the client does not know at run time. */
type DocumentType<T, Document> = Document extends T ? { readonly type?: Document } : { readonly type: Document }

/** The options of an action. `include` and `fields` are about the type of its result. */
export type ActionQuery<Api extends Contract, T extends TypeName<Api>, A, P extends string, F> = A extends unknown
  ? ResourceWriteOptions<Api, ShownType<Api, ActionOf<Api, T, A>['result']>, P, F>
  : never

type ShownType<Api extends Contract, Result> = Result extends
  | { resource: infer Type }
  | { resourceOrNull: infer Type }
  | { resources: infer Type }
  ? Extract<Type, TypeName<Api>>
  : never

/** An action without POST needs the method, which the client does not know at run time. */
export type ActionOptions<Method, Options> = 'POST' extends Method
  ? readonly [options?: Options & { readonly method?: Method }]
  : readonly [options: Options & { readonly method: Method }]
