import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { lazily } from '../../core/util/lazily.js'
import { lruCache } from '../../core/util/lru-cache.js'

/*
 * Cursors contain values of rows, so clients must not be able to read them, or to make their own. A cursor is encrypted with a
 * synthetic initialization vector: an HMAC of its content, which is also the proof that it is genuine (the construction of SIV,
 * RFC 5297, with HMAC-SHA256 and AES-256-CTR). Equal contents give equal cursors, so that equal pages are equal texts with equal
 * `ETag`s in all processes with the same secret. That reveals only that two cursors have the same position, which the pages that
 * contain them show too.
 */

/** Encrypts and decrypts cursors. */
export interface CursorCipher {
  /** Returns a URL-safe text. */
  encrypt(content: string): string
  /** Returns the content of a cursor; `null` if none of the secrets has encrypted it. */
  decrypt(token: string): string | null
}

const VECTOR_BYTES = 16

/** The limits of the cache of cursors. */
const [MAX_CACHED, MAX_CACHED_LENGTH] = [500, 256]

/**
 * Creates the cipher of a server. The first secret encrypts, and all of them decrypt.
 *
 * The last short cursors are cached, because clients request the first pages of lists again and again: encryption was 7 % of the profile of
 * a list of 50 (W2 with plain texts). A page that is new takes as long as without the cache.
 *
 * @param secrets none for a random secret, which all servers of this process share until it ends
 */
export function cursorCipher(secrets: readonly string[]): CursorCipher {
  const all = lazily(() => (secrets.length === 0 ? [keysOfProcess()] : secrets.map(keysOf)))
  const cache = lruCache<string, string>(MAX_CACHED)
  const encrypt = (content: string): string => {
    const [keys = keysOfProcess()] = all()
    return encrypted(Buffer.from(content), keys)
  }
  return {
    encrypt: (content) =>
      content.length > MAX_CACHED_LENGTH ? encrypt(content) : cache.getOrCreate(content, () => encrypt(content)),
    decrypt(token) {
      if (!/^[\w-]+$/.test(token)) return null
      const bytes = Buffer.from(token, 'base64url')
      // Another text of the same bytes is not a cursor of this server.
      if (bytes.length <= VECTOR_BYTES || bytes.toString('base64url') !== token) return null
      for (const keys of all()) {
        const content = decrypted(bytes, keys)
        if (content !== null) return content
      }
      return null
    },
  }
}

interface CursorKeys {
  readonly vector: KeyObject
  readonly content: KeyObject
}

/** Derives separate keys, so that the secret can be used for other things too. */
function keysOf(secret: string | Buffer): CursorKeys {
  const derived = (purpose: string): KeyObject =>
    createSecretKey(createHmac('sha256', secret).update(`ashlar cursor ${purpose}`).digest())
  return { vector: derived('vector'), content: derived('content') }
}

const keysOfProcess = lazily((): CursorKeys => keysOf(randomBytes(32)))

function vectorOf(content: Buffer, { vector }: CursorKeys): Buffer {
  return createHmac('sha256', vector).update(content).digest().subarray(0, VECTOR_BYTES)
}

function encrypted(content: Buffer, keys: CursorKeys): string {
  const vector = vectorOf(content, keys)
  const cipher = createCipheriv('aes-256-ctr', keys.content, vector)
  return Buffer.concat([vector, cipher.update(content)]).toString('base64url')
}

function decrypted(bytes: Buffer, keys: CursorKeys): string | null {
  const vector = bytes.subarray(0, VECTOR_BYTES)
  const content = createDecipheriv('aes-256-ctr', keys.content, vector).update(bytes.subarray(VECTOR_BYTES))
  return timingSafeEqual(vectorOf(content, keys), vector) ? content.toString() : null
}
