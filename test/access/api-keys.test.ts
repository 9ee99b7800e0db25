import type { StoredApiKey } from 'ashlar'
import { apiKeys, createApiKey, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

const issued = createApiKey('music')

function api(options: Partial<Parameters<typeof apiKeys>[0]> = {}) {
  const seen: unknown[] = []
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    policy: 'public',
    scope: ({ caller }) => {
      seen.push(caller)
      return null
    },
  })
  const keys = new Map<string, StoredApiKey>([[issued.id, { hash: issued.hash, caller: 'alice' }]])
  const middleware = [apiKeys({ find: (sought) => keys.get(sought) ?? null, ...options })]
  const server = createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1 }] }), middleware })
  return { ...client(server), seen }
}

const withKey = (key: string, header = 'X-API-Key') => ({ headers: { [header]: key } })

describe('an API key', () => {
  test('has a prefix, a public id and a secret, and is stored as a hash', () => {
    expect(issued.key).toMatch(/^music_[0-9a-f]{16}_[\w-]{43}$/)
    expect(issued.key).toContain(issued.id)
    expect(issued.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(createApiKey('music').key).not.toBe(issued.key)
    expect(() => createApiKey('my_app')).toThrow(TypeError)
  })

  test('identifies the caller', async () => {
    const music = api()
    expect((await music.get('/albums', withKey(issued.key))).status).toBe(200)
    expect((await music.get('/albums')).status).toBe(200)
    expect(music.seen).toEqual(['alice', null])
  })

  test.each([
    ['another secret', createApiKey('music').key.replace(/_[0-9a-f]{16}_/, `_${issued.id}_`)],
    ['another prefix', issued.key.replace('music', 'other')],
    ['an unknown id', createApiKey('music').key],
    ['a part of it', issued.key.slice(0, -1)],
    ['its hash', issued.hash],
    ['nothing', ''],
  ])('is refused with %s', async (_name, key) => {
    const response = await api().get('/albums', withKey(key))
    expectErrors(response, [{ status: 401, title: 'Unauthorized' }])
    expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="api"')
    expect(response.text).not.toContain('alice')
  })

  test('may be required, and be in another header', async () => {
    const closed = api({ required: true, header: 'Music-Key', realm: 'the "music"' })
    const refused = await closed.get('/albums', withKey(issued.key))
    expectErrors(refused, [{ status: 401 }])
    expect(refused.headers.get('www-authenticate')).toBe(String.raw`ApiKey realm="the \"music\""`)
    expect((await closed.get('/albums', withKey(issued.key, 'music-key'))).status).toBe(200)
  })

  test('is looked up only if it has the form of a key', async () => {
    const sought: string[] = []
    const music = api({
      find(key) {
        sought.push(key)
        return null
      },
    })
    await music.get('/albums', withKey(`' or 1=1 --`))
    await music.get('/albums', withKey(issued.key))
    expect(sought).toEqual([issued.id])
  })

  test('of an unknown caller is refused', async () => {
    const music = api({ find: () => ({ hash: issued.hash, caller: null }) })
    expectErrors(await music.get('/albums', withKey(issued.key)), [{ status: 401 }])
  })

  test('that is stored without a hash is refused', async () => {
    const music = api({ find: () => ({ hash: '', caller: 'alice' }) })
    expectErrors(await music.get('/albums', withKey(issued.key)), [{ status: 401 }])
  })
})
