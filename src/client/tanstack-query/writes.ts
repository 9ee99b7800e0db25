import { type Invalidating, invalidateTouched, type Touched } from './invalidation.js'

/** The options of a write at run time. */
export type AnyWriteOptions = Readonly<Record<string, unknown>>

/** The variables of a mutation at run time. The types of `Queries` define their members. */
export interface AnyVariables {
  readonly id?: string
  readonly ifMatch?: string | null
  readonly idempotencyKey?: string | true
  readonly relationships?: Readonly<Record<string, Members>>
  readonly members?: Members
  readonly input?: unknown
}

/** The members of a relationship. In a batch, they may have no id yet. */
type Members = Touched | readonly Touched[] | null

/** A write: the function that sends it, and the resources that it touches. */
interface Write {
  readonly options: AnyWriteOptions
  readonly send: (options: AnyWriteOptions) => Promise<object | null>
  /** Called after the request, with an empty result if it has failed. */
  readonly touched: (result: object) => readonly Touched[]
}

/** The statuses of failures after which the cached data of the client are outdated. */
const outdated: readonly unknown[] = [404, 409, 410, 412]

/** Sends a write, and invalidates the queries that it affects. Returns after the queries in use are refetched. */
export async function mutate(
  client: Invalidating,
  key: string,
  { options, send, touched }: Write,
): Promise<object | null> {
  const changesNothing = options['dryRun'] === true || options['method'] === 'GET'
  try {
    const result = await send(options)
    if (!changesNothing) await invalidateTouched(client, key, touched(result ?? {}))
    return result
  } catch (thrown) {
    const { status } = thrown as { readonly status?: number }
    // Without a status, the response was lost, and the write may have been committed. The error does not wait for the queries.
    if (!changesNothing && (status === undefined || outdated.includes(status))) {
      // A failed delete does not change the resource.
      const written = touched({}).map((resource) => ({ ...resource, isDeleted: false }))
      void invalidateTouched(client, key, written)
    }
    throw thrown
  }
}

/** Returns the options of a request, with those that the variables have. */
export function optionsWith(options: AnyWriteOptions, { ifMatch, idempotencyKey }: AnyVariables): AnyWriteOptions {
  return {
    ...options,
    ...(ifMatch === undefined || ifMatch === null ? {} : { ifMatch }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

/** Returns the identifiers of members of relationships. */
export function membersOf(...relationships: readonly (Members | undefined)[]): readonly Touched[] {
  return relationships.flatMap((members) => members ?? []).map(({ type, id = noId }) => ({ type, id }))
}

/** Returns the identifiers of the resources of a result. */
export function resourcesOf(result: object): readonly Touched[] {
  const { data } = result as { readonly data?: Members }
  return membersOf(data)
}

/** The id of a resource that has none yet. No query reads it, but the collections of its type will contain it. */
export const noId = ''
