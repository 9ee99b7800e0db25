import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../core/errors/refuse.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { Middleware } from '../../declare/resource/request/middleware.js'
import type { Awaitable } from '../../core/util/types.js'
import { authenticate } from './authenticate.js'

/**
 * A new API key.
 *
 * @example
 * ```ts
 * const { key, id, hash }: NewApiKey = createApiKey('music')
 * console.log('Shown once:', key)
 * console.log('To store:', id, hash)
 * ```
 */
export interface NewApiKey {
  /** The key for the client. It cannot be recovered. */
  readonly key: string
  /** The public part of the key, by which it is looked up. It may be shown and logged. */
  readonly id: string
  /** The hash of the key, to be stored with the id. */
  readonly hash: string
}

/**
 * A key as the application has stored it.
 *
 * @example
 * ```ts
 * const stored: StoredApiKey = { hash: createApiKey('music').hash, caller: { id: 1, admin: false } }
 * ```
 */
export interface StoredApiKey {
  /** The hash that `createApiKey()` returned. */
  readonly hash: string
  /** Who has the key. */
  readonly caller: Caller
}

/** The options of {@link apiKeys}. */
export interface ApiKeysOptions {
  /** The request header that holds the key. Default: `x-api-key`. */
  readonly header?: string
  /** The realm of the challenge. Default: `api`. */
  readonly realm?: string
  /** Whether a request without a key gets a 401. Default: false. */
  readonly required?: boolean
  /** Returns the stored key with an id; `null` if there is none, or if it is not valid any more. */
  readonly find: (id: string, request: HttpRequest) => Awaitable<StoredApiKey | null>
}

/**
 * Creates an API key with 256 random bits. Show the key once, and store its id and hash. The hash is SHA-256 without
 * salt, which is enough for a random key.
 *
 * @param prefix letters and digits that identify the service, so that scanners find leaked keys
 *
 * @example
 * ```ts
 * const { key, id, hash } = createApiKey('music')
 * // key is music_<id>_<secret>
 * ```
 */
export function createApiKey(prefix: string): NewApiKey {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(prefix)) {
    throw new TypeError(
      `createApiKey(): the prefix '${prefix}' must have letters and digits only, and start with a letter.`,
    )
  }
  const id = randomBytes(8).toString('hex')
  const key = `${prefix}_${id}_${randomBytes(32).toString('base64url')}`
  return Object.freeze({ key, id, hash: hashOf(key).toString('hex') })
}

/**
 * Returns middleware that authenticates callers by keys of {@link createApiKey}. The key is compared in constant time,
 * also if there is no such key.
 *
 * @example
 * ```ts
 * const { id, hash } = createApiKey('music')
 * const keys = new Map([[id, { hash, caller: { id: 1, admin: false } }]])
 * const middleware = [apiKeys({ required: true, find: (sought) => keys.get(sought) ?? null })]
 * createServer({ resources: [albums, artists], data: memoryData(), middleware })
 * ```
 */
export function apiKeys({ header = 'X-API-Key', realm = 'api', required = false, find }: ApiKeysOptions): Middleware {
  const name = header.toLowerCase()
  return authenticate({
    challenge: `ApiKey realm="${realm.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
    required,
    header,
    async caller(request) {
      const key = request.header(name)
      if (key === undefined) return null
      const [, id] = /^[A-Za-z][A-Za-z0-9]*_([0-9a-f]{16})_[\w-]{43}$/.exec(key) ?? []
      const stored = id === undefined ? null : await find(id, request)
      const isKey = isEqual(hashOf(key), stored?.hash ?? noHash)
      // A key without a caller is refused: a request with credentials must not become anonymous.
      if (!isKey || stored === null || stored.caller === null) refuse(true, 'The API key is not valid.')
      return stored.caller
    },
  })
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** A hash that no key has. */
const noHash = '0'.repeat(64)

function isEqual(hash: Buffer, stored: string): boolean {
  const expected = Buffer.from(stored, 'hex')
  return expected.length === hash.length && timingSafeEqual(hash, expected)
}
