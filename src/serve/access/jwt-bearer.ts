import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { Middleware } from '../../declare/resource/request/middleware.js'
import type { Awaitable } from '../../core/util/types.js'
import { authenticate } from './authenticate.js'

/** The public keys that sign tokens. */
export type TokenKeys =
  /** The address of the issuer's key set. It is fetched when a token needs it, and cached. */
  | { readonly url: string | URL }
  /** A file with a key set. It is read once, for the first token. */
  | { readonly file: string | URL }
  /** The key set itself. */
  | { readonly set: JSONWebKeySet }

/** The options of {@link jwtBearer}. */
export interface JwtBearerOptions {
  /** The claim `iss` that tokens must have. */
  readonly issuer: string | string[]
  /** The claim `aud` that tokens must have: the name of this service at the issuer. */
  readonly audience: string | string[]
  readonly keys: TokenKeys
  /** The signature algorithms that are accepted: `['RS256']`. Those of shared secrets are refused. */
  readonly algorithms: readonly string[]
  /** How far the clocks of issuer and service may differ, in seconds. Default: 5. */
  readonly clockTolerance?: number
  /** Claims that tokens must have besides `iss`, `aud` and `exp`: `['sub']`. */
  readonly requiredClaims?: readonly string[]
  /** The realm of the challenge. Default: `api`. */
  readonly realm?: string
  /** Whether a request without a token gets a 401. Default: false. */
  readonly required?: boolean
  /** Returns the caller that the claims of a valid token describe; `null` refuses the token. */
  readonly caller: (claims: JWTPayload, request: HttpRequest) => Awaitable<Caller>
}

/**
 * Returns middleware that authenticates callers by JSON Web Tokens in the header `Authorization: Bearer`. A token that is
 * not valid is a 401 with the reason in `WWW-Authenticate`. Tokens without an expiry are refused. If the key set cannot be
 * fetched, the response is 503.
 *
 * @example
 * ```ts
 * const bearer = jwtBearer({
 *   issuer: 'https://login.example',
 *   audience: 'music',
 *   keys: { url: 'https://login.example/.well-known/jwks.json' },
 *   algorithms: ['RS256'],
 *   requiredClaims: ['sub'],
 *   caller: ({ sub }) => ({ id: Number(sub), admin: false }),
 * })
 * createServer({ resources: [albums, artists], data: memoryData(), middleware: [bearer] })
 * ```
 */
export function jwtBearer(options: JwtBearerOptions): Middleware {
  const { caller: callerOf, realm = 'api', required = false } = options
  const challenge = `Bearer realm="${quoted(realm)}"`
  const refuse = (description: string): never => {
    const value = `${challenge}, error="invalid_token", error_description="${quoted(description)}"`
    return fail('UNAUTHENTICATED', {}, { reason: description, headers: ['WWW-Authenticate', value] })
  }
  const verify = verifierOf(options, refuse)
  return authenticate({
    challenge,
    required,
    async caller(request) {
      const header = request.header('authorization')
      // Credentials of another scheme are for other middleware.
      if (header === undefined || !/^Bearer(?: |$)/i.test(header)) return null
      const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(header) ?? []
      const claims = await (token === undefined
        ? refuse('The header Authorization has no bearer token.')
        : verify(token))
      const caller = await callerOf(claims, request)
      return caller === null ? refuse('The token is not accepted.') : caller
    },
  })
}

function verifierOf(
  { issuer, audience, keys, algorithms, clockTolerance = 5, requiredClaims = [] }: JwtBearerOptions,
  refuse: (description: string) => never,
): (token: string) => Promise<JWTPayload> {
  for (const [name, expected] of Object.entries({ issuer, audience })) {
    // Without this check, tokens of other issuers or for other services would be accepted.
    const names: readonly unknown[] = [expected].flat()
    if (names.length === 0 || !names.every(isName)) {
      throw new TypeError(`jwtBearer(): '${name}' must be a text that is not empty, or a list of such texts.`)
    }
  }
  if (algorithms.length === 0 || !algorithms.every((algorithm) => publicKeyAlgorithms.includes(algorithm))) {
    throw new TypeError(
      `jwtBearer(): 'algorithms' must list algorithms of public keys: some of ${publicKeyAlgorithms.join(', ')}.`,
    )
  }
  const checks: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance,
    requiredClaims: ['exp', ...requiredClaims],
  }
  const keyOf = keyFinder(keys)
  return async (token) => {
    try {
      return (await jwtVerify(token, keyOf, checks)).payload
    } catch (thrown) {
      if (isOfToken(thrown)) return refuse(thrown.message)
      const reason = 'The keys of the issuer cannot be read.'
      return fail('AUTHENTICATION_UNAVAILABLE', {}, { reason, cause: thrown, headers: ['Retry-After', '5'] })
    }
  }
}

/** The algorithms of signatures with a public key. */
const publicKeyAlgorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Returns whether an error is about the token. All others are about the key set. */
function isOfToken(thrown: unknown): thrown is Error {
  if (!(thrown instanceof errors.JOSEError)) return false
  return !(
    thrown instanceof errors.JWKSTimeout ||
    thrown instanceof errors.JWKSInvalid ||
    thrown.code === 'ERR_JOSE_GENERIC'
  )
}

function keyFinder(keys: TokenKeys): JWTVerifyGetKey {
  if ('url' in keys) return createRemoteJWKSet(new URL(keys.url))
  if ('set' in keys) return createLocalJWKSet(keys.set)
  let found: Promise<JWTVerifyGetKey> | null = null
  const read = async (): Promise<JWTVerifyGetKey> =>
    createLocalJWKSet(JSON.parse(await readFile(keys.file, 'utf8')) as JSONWebKeySet)
  return async (header, token) => {
    found ??= read().catch((thrown: unknown) => {
      // The next request tries again.
      found = null
      throw thrown
    })
    return (await found)(header, token)
  }
}

function quoted(text: string): string {
  return text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[^\t\u0020-\u007e]/g, '?')
}
