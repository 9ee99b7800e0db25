import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, defineResource, id, model } from 'ashlar'
import { jwtBearer } from 'ashlar/jwt'
import type { JwtBearerOptions } from '../../src/serve/access/jwt-bearer.js'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import type { JWK } from 'jose'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../support/client.js'

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

let [signing, foreign]: [Key | null, Key | null] = [null, null]
let set: { keys: JWK[] }
beforeAll(async () => {
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  signing = own.privateKey
  foreign = other.privateKey
  set = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }] }
})

interface Signed {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly key?: Key | null
  readonly expires?: string | number | null
}

async function token({ claims = {}, key = signing, expires = '5m' }: Signed = {}): Promise<string> {
  if (key === null) throw new Error('There is no key yet.')
  const all = { iss: 'https://login.example', aud: 'music', sub: '7', ...claims }
  const unsigned = new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).setIssuedAt()
  return (expires === null ? unsigned : unsigned.setExpirationTime(expires)).sign(key)
}

function api(options: Partial<JwtBearerOptions> = {}) {
  const seen: unknown[] = []
  const logged: unknown[] = []
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    policy: 'public',
    scope: ({ caller }) => {
      seen.push(caller)
      return null
    },
  })
  const bearer = jwtBearer({
    issuer: 'https://login.example',
    audience: 'music',
    keys: { set },
    algorithms: ['ES256'],
    requiredClaims: ['sub'],
    caller: ({ sub }) => (sub === '0' ? null : `user ${sub}`),
    ...options,
  })
  const data = memoryData({ albums: [{ id: 1 }] })
  const logger = { error: (entry: unknown) => void logged.push(entry) }
  return { ...client(createServer({ resources: [albums], data, middleware: [bearer], logger })), seen, logged }
}

const bearing = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

describe('a bearer token', () => {
  test('identifies the caller', async () => {
    const music = api()
    expect((await music.get('/albums', bearing(await token()))).status).toBe(200)
    expect((await music.get('/albums')).status).toBe(200)
    expect(music.seen).toEqual(['user 7', null])
  })

  const now = Math.floor(Date.now() / 1000)
  test.each<readonly [string, () => string | Promise<string>]>([
    ['of another key', () => token({ key: foreign })],
    ['that has expired', () => token({ expires: now - 60 })],
    ['without an expiry', () => token({ expires: null })],
    ['of another issuer', () => token({ claims: { iss: 'https://evil.example' } })],
    ['for another service', () => token({ claims: { aud: 'films' } })],
    ['without a required claim', () => token({ claims: { sub: undefined } })],
    ['that is not valid yet', () => token({ claims: { nbf: now + 600 } })],
    ['without a signature', () => new UnsecuredJWT({ sub: '7' }).setIssuer('https://login.example').encode()],
    ['that the application does not accept', () => token({ claims: { sub: '0' } })],
    ['that is no token', () => 'abc'],
  ])('%s is refused, with a reason in the challenge', async (_name, make) => {
    const music = api()
    const refused = await music.get('/albums', bearing(await make()))
    expectErrors(refused, [{ status: 401, title: 'Unauthorized' }])
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="api", error="invalid_token", error_description=".+"$/,
    )
    expect(music.seen).toEqual([])
  })

  test('may have expired by at most the clock tolerance', async () => {
    const old = await token({ expires: Math.floor(Date.now() / 1000) - 20 })
    expectErrors(await api().get('/albums', bearing(old)), [{ status: 401 }])
    expect((await api({ clockTolerance: 60 }).get('/albums', bearing(old))).status).toBe(200)
  })

  test('is needed on a closed server, where other schemes are not enough', async () => {
    const refused = await api({ required: true, realm: 'music' }).get('/albums')
    expectErrors(refused, [{ status: 401 }])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="music"')
    const basic = { headers: { authorization: 'Basic YTpi' } }
    expectErrors(await api({ required: true }).get('/albums', basic), [{ status: 401 }])
    // Other middleware may know the scheme.
    expect((await api().get('/albums', basic)).status).toBe(200)
    expectErrors(await api().get('/albums', { headers: { authorization: 'Bearer' } }), [{ status: 401 }])
  })

  test('is not verified with a shared secret', () => {
    for (const algorithms of [['HS256'], ['none'], ['dir'], ['XX99'], []])
      expect(() => api({ algorithms })).toThrow(TypeError)
  })
})

test.each(['issuer', 'audience'])('the %s of tokens is never left out', (name) => {
  for (const value of [undefined, '', [], [''], 7]) expect(() => api({ [name]: value as never })).toThrow(TypeError)
})

describe('the keys of the issuer', () => {
  test('are fetched once, and cached', async () => {
    let fetched = 0
    const issuer = createHttpServer((_request, response) => {
      fetched += 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify(set))
    })
    await new Promise<void>((resolve) => void issuer.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void issuer.close())
    const { port } = issuer.address() as AddressInfo
    const music = api({ keys: { url: `http://127.0.0.1:${port}/jwks.json` } })
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await music.get('/albums', bearing(await token()))).status).toBe(200)
    }
    expect(fetched).toBe(1)
  })

  test('that cannot be fetched are a 503, which is logged', async () => {
    const issuer = createHttpServer((_request, response) => void response.writeHead(500).end())
    await new Promise<void>((resolve) => void issuer.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void issuer.close())
    const { port } = issuer.address() as AddressInfo
    const music = api({ keys: { url: `http://127.0.0.1:${port}/jwks.json` } })
    const response = await music.get('/albums', bearing(await token()))
    expectErrors(response, [{ status: 503 }])
    expect(response.headers.get('retry-after')).toBe('5')
    expect([music.logged.length, music.seen]).toEqual([1, []])
  })

  test('may be in a file, which is read when it is needed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'jwks.json')
    const music = api({ keys: { file } })
    expectErrors(await music.get('/albums', bearing(await token())), [{ status: 503 }])
    await writeFile(file, JSON.stringify(set))
    expect((await music.get('/albums', bearing(await token()))).status).toBe(200)
    await rm(file)
    expect((await music.get('/albums', bearing(await token()))).status).toBe(200)
  })
})
