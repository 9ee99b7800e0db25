import type { CallOptions } from '../client/type-verbs.js'
import { type Invalidating, invalidateTouched, type Touched } from './invalidation.js'

/** The variables of a mutation at run time. */
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

/** A write: what sends it, and the resources that it touches. */
interface Write {
  readonly send: (options: CallOptions) => Promise<object>
  /** Called after the request, with the result if there is one. */
  readonly touched: (result: object) => readonly Touched[]
}

/** The statuses of failures which say that the server has something else than the client knows. */
const outdated: readonly unknown[] = [404, 409, 410, 412, undefined]

/** Sends a write, and invalidates what it touches. Returns after the queries in use are read again. */
export async function mutate(
  { client, key }: { readonly client: Invalidating; readonly key: string },
  options: CallOptions,
  { send, touched }: Write,
): Promise<object> {
  const changesNothing = options.dryRun === true || options.method === 'GET'
  try {
    const result = await send(options)
    if (!changesNothing) await invalidateTouched(client, key, touched(result))
    return result
  } catch (thrown) {
    // Without a status, the response is lost, and the write may have happened.
    if (!changesNothing && outdated.includes((thrown as { readonly status?: number }).status)) {
      void invalidateTouched(client, key, touched({}))
    }
    throw thrown
  }
}

/** Returns the options of a request, with those that the variables have. */
export function optionsWith(options: CallOptions, { ifMatch, idempotencyKey }: AnyVariables): CallOptions {
  return {
    ...options,
    ...(ifMatch === undefined || ifMatch === null ? {} : { ifMatch }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

/** Returns the members of relationships. */
export function membersOf(...relationships: readonly (Members | undefined)[]): readonly Touched[] {
  return relationships.flatMap((members) => members ?? []).map(({ type, id = none }) => ({ type, id }))
}

/** Returns the resources of a result. */
export function resourcesOf(result: object): readonly Touched[] {
  const { data } = result as { readonly data?: Members }
  return membersOf(data)
}

/** The id of a resource that has no id yet: no query is for it, but the collections of its type will have it. */
export const none = ''
