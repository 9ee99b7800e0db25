import type { Caller } from '../../../declare/resource/request/registered.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'

/**
 * How a server treats the header `Idempotency-Key`.
 *
 * @example
 * ```ts
 * const idempotency: ServerSettings['idempotency'] = { expiresAfter: 3600 }
 * createServer({ resources: [albums, artists], data: memoryData(), idempotency })
 * ```
 */
export interface IdempotencySettings {
  /** The seconds after which a key counts as new. Default: 86,400, one day. */
  readonly expiresAfter?: number
  /**
   * How many keys a caller may have that have not expired. Another one is refused with 429. With several processes, the limit may be
   * exceeded by a tenth for each of them. Default: 10,000.
   */
  readonly maxKeys?: number
  /**
   * Returns a text that identifies a caller. Keys of different callers are independent. Default: the `id` of the caller, else its
   * `sub`, each with `iss`, `kind` and `type` if it has them, else all its members. It is not called for anonymous requests.
   */
  readonly callerKey?: (caller: NonNullable<Caller>) => string
}

/** Returns the settings of each server that handles the header, by its name. Invalid values are reported by a build rule. */
export function idempotencyByServer({
  idempotency,
  servers,
}: {
  readonly idempotency?: unknown
  readonly servers?: unknown
}): ReadonlyMap<string, IdempotencySettings> {
  const named = Object.entries(isPlainObject(servers) ? servers : {}).map(
    ([name, server]) => [name, isPlainObject(server) ? server['idempotency'] : undefined] as const,
  )
  const all = new Map<string, unknown>([['default', undefined], ...named])
  if (idempotency !== undefined) all.set('default', idempotency)
  return new Map(
    [...all].flatMap(([name, given]): [string, IdempotencySettings][] => {
      if (given === true) return [[name, {}]]
      return isPlainObject(given) ? [[name, given]] : []
    }),
  )
}
