/**
 * A contract, as `ApiOf` infers it and `ashlar types` writes it. Its members are not described, so that the compiler need not expand every
 * attribute of every type to compare a contract with it. See {@link createClient}.
 */
export interface Contract {
  readonly types: Readonly<Record<string, TypeContract>>
  readonly page: unknown
  readonly atomic: string | null
  readonly idempotency: boolean
  /** Contracts of older servers have none. */
  readonly filterTrees?: boolean
  readonly dryRun: boolean
}

interface TypeContract {
  readonly path: string
  readonly operations: unknown
  readonly clientIds: unknown
  readonly attributes: unknown
  readonly create: unknown
  readonly update: unknown
  readonly relations: Indexed
  readonly filters: unknown
  readonly singular: unknown
  readonly sorts: unknown
  readonly page: unknown
  readonly countable: unknown
  readonly actions: Indexed
  /** Contracts of older servers have none. */
  readonly upsertBy?: unknown
  /** Contracts of older servers have none. */
  readonly aggregates?: Indexed
  readonly results: Indexed
}

/**
 * Lets types look up members by name, as in `Api['types'][T]['relations'][N]['is']`. Any other constraint would be compared with each relation of
 * each type, and a conditional type instead of the lookup takes ten times as many instantiations.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above; only the constraint is loose, never a type that a client sees
type Indexed = any

/** The names of the types of a contract. See {@link createClient}. */
export type TypeName<Api extends Contract> = keyof Api['types'] & string

/**
 * The names of the types with an operation: a constraint for functions that take any of them. See {@link createClient}.
 *
 * @example
 * ```ts
 * interface Api extends ApiOf<typeof server> {}
 * const { types } = createClient<Api>({ url: 'https://music.example' })
 * const idsOf = async <T extends TypesWith<Api, 'FetchCollection'>>(type: T) =>
 *   (await types[type].list()).data.map(({ id }) => id)
 * ```
 */
export type TypesWith<Api extends Contract, Operation extends string> = {
  [T in TypeName<Api>]: Operation extends Api['types'][T]['operations'] ? T : never
}[TypeName<Api>]

/**
 * One relation of a type. All types look up parts of the contract by `Api`, `T` and the name, and do not have such parts as arguments: the
 * compiler would instantiate a part with each of them.
 */
export type RelationOf<Api extends Contract, T extends TypeName<Api>, N> = Api['types'][T]['relations'][N &
  keyof Api['types'][T]['relations']]

/** One action of a type. */
export type ActionOf<Api extends Contract, T extends TypeName<Api>, A> = Api['types'][T]['actions'][A &
  keyof Api['types'][T]['actions']]

/** The names of the aggregates of a type. See {@link createClient}. */
export type AggregateName<Api extends Contract, T extends TypeName<Api>> = keyof Api['types'][T]['aggregates'] & string

/** The type of the groups of an aggregate. */
export type GroupsOf<Api extends Contract, T extends TypeName<Api>, N> = Extract<
  Api['types'][T]['aggregates'][N & keyof Api['types'][T]['aggregates']],
  TypeName<Api>
>

/** The names of the relations with a property. */
export type RelationsThatAre<Api extends Contract, T extends TypeName<Api>, Property> = {
  [N in keyof Api['types'][T]['relations']]: Property extends Api['types'][T]['relations'][N]['is'] ? N & string : never
}[keyof Api['types'][T]['relations']]

/** The names of the to-many relations with a property. */
export type ToManyThatAre<Api extends Contract, T extends TypeName<Api>, Property> = {
  [N in keyof Api['types'][T]['relations']]: Api['types'][T]['relations'][N]['many'] extends true
    ? Property extends Api['types'][T]['relations'][N]['is']
      ? N & string
      : never
    : never
}[keyof Api['types'][T]['relations']]

/** The related types of a relation that the server has. It distributes over `T`: not all of these types may have the relation. */
export type TargetOf<Api extends Contract, T extends TypeName<Api>, N> = T extends unknown
  ? Extract<RelationOf<Api, T, N>['type'], TypeName<Api>>
  : never

/** Whether a union has one member. */
export type IsOne<T, Each = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [Each] extends [T]
      ? true
      : false
    : never
