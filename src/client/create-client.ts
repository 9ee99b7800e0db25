import { type Batch, type BatchStep, type Results, sendBatch } from './atomic.js'
import type { ClientContext } from './call-server.js'
import type { Contract, TypeName } from './contract.js'
import type { RequestSettings } from './send-request.js'
import type { TypeClient } from './type-client.js'
import { typeVerbs } from './type-verbs.js'
import type { BatchOptions } from './writes.js'

/**
 * The types of a server, each with its verbs. No member is optional; `-?` is for functions with a type parameter: without it, the compiler
 * knows no verb of `types[type]`, and with it those that all types of the parameter have. See {@link createClient}.
 */
export type Types<Api extends Contract> = { readonly [T in TypeName<Api>]-?: TypeClient<Api, T> }

/** A client of a server, as {@link createClient} returns it. */
export interface Client<Api extends Contract> {
  /** The types of the server, each with its verbs. */
  readonly types: Types<Api>
  /**
   * Sends several writes in one request. The server commits all or none. Returns the results of the steps that the function returns. It needs
   * the Atomic Operations extension.
   */
  readonly atomic: Api['atomic'] extends string ? SendBatch<Api> : null
}

/** Sends a batch. See {@link createClient}. */
export type SendBatch<Api extends Contract> = <const Steps extends readonly BatchStep<unknown>[]>(
  build: (batch: Batch<Api>) => Steps,
  options?: BatchOptions<Api>,
) => Promise<Results<Steps>>

/** The types whose path segment is not their name. */
type PathsOfTypes<Api extends Contract> = {
  readonly [T in TypeName<Api> as Api['types'][T]['path'] extends T ? never : T]: Api['types'][T]['path']
}

/** The relations whose path segment is not their name, by type and name: `albums.tracks`. */
type PathsOfRelations<Api extends Contract> = {
  readonly [Key in RelationKey<Api>]: Key extends `${infer T extends TypeName<Api>}.${infer N}`
    ? Api['types'][T]['relations'][N]['path']
    : never
}

type RelationKey<Api extends Contract> = {
  [T in TypeName<Api>]: {
    [N in keyof Api['types'][T]['relations'] & string]: Api['types'][T]['relations'][N]['path'] extends N
      ? never
      : `${T}.${N}`
  }[keyof Api['types'][T]['relations'] & string]
}[TypeName<Api>]

/** The paths that the client cannot know at run time. The settings must contain those that differ from the defaults. */
type UnusualPaths<Api extends Contract> = [keyof PathsOfTypes<Api> | RelationKey<Api>] extends [never]
  ? { readonly paths?: 'The paths of this server are the names of its types and relations.' }
  : { readonly paths: PathsOfTypes<Api> & PathsOfRelations<Api> }

type UnusualBatches<Path> = Path extends '/operations' | null ? { readonly atomic?: Path } : { readonly atomic: Path }

/** The settings of a client: the argument of {@link createClient}. */
export type ClientSettings<Api extends Contract> = {
  /** The URL of the server, with the prefix of a named server. On pages it may be a path: `/api`. */
  readonly url: string | URL
} & RequestSettings &
  UnusualPaths<Api> &
  UnusualBatches<Api['atomic']>

/** The argument of {@link createClient}. A call without a type argument is a compile error with a sentence. */
type SettingsFor<Api extends Contract> =
  string extends TypeName<Api> ? 'Name the contract of the server: createClient<Api>({ url }).' : ClientSettings<Api>

/**
 * Creates a client of a server. Its types come from the contract, which is the type argument; at run time it knows only the URL.
 *
 * @example
 * ```ts
 * const server = createServer({ resources: [albums, artists], data: memoryData() })
 * interface Api extends ApiOf<typeof server> {}
 *
 * const client = createClient<Api>({ url: 'https://music.example', timeout: 10_000 })
 * const titles = async () => {
 *   const page = await client.types.albums.list({ include: ['artist'] })
 *   return page.data.map((album) => `${album.title} by ${album.artist?.name ?? 'nobody'}`)
 * }
 * ```
 */
export function createClient<Api extends Contract>(settings: SettingsFor<Api>): Client<Api> {
  const {
    paths = {},
    atomic,
    ...rest
  } = settings as unknown as RequestSettings & {
    readonly url: string | URL
    readonly paths?: Readonly<Record<string, string>>
    readonly atomic?: string | null
  }
  const url = String(rest.url).replace(/\/+$/, '')
  const context: ClientContext = { ...rest, url, paths: new Map(Object.entries(paths)) }
  const verbs = new Map<string, object>()
  const types = new Proxy(Object.freeze({}), {
    get(_types, name) {
      if (typeof name !== 'string') return undefined
      const known = verbs.get(name) ?? typeVerbs(context, name)
      verbs.set(name, known)
      return known
    },
  })
  return Object.freeze({
    types: types as Types<Api>,
    atomic: ((build: never, options: never) =>
      sendBatch(context, atomic ?? '/operations', build, options)) as unknown as Client<Api>['atomic'],
  })
}
