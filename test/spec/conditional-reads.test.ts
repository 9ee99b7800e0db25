import { belongsTo, createServer, defineResource, type Handler, hasMany, id, model, type ResponseValue } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'
import { tagOf, versionedClient } from '../support/versioned-music.js'

const countableProfile = 'https://haddowg.github.io/json-api/profiles/countable/'
const patch = (api: ReturnType<typeof versionedClient>, title: string, tag = '*'): Promise<TestResponse> =>
  api.patch('/albums/1', { body: resourceBody('albums', { title }, '1'), headers: { 'If-Match': tag } })

const tagging =
  (builtIn: Handler): Handler =>
  async (operation) =>
    ({ ...(await builtIn(operation)), headers: ['etag', '"mine"'] }) as ResponseValue

describe('without entity tags of resources', () => {
  test('a collection has a weak tag and 304 if its type declares it', async () => {
    const api = versionedClient({ collectionTags: true })
    const tag = tagOf(await api.get('/albums'))
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    const known = (path: string): Promise<TestResponse> => api.get(path, { headers: { 'If-None-Match': tag } })
    expect((await known('/albums')).status).toBe(304)
    expect((await known('/albums?sort=-id')).status).toBe(200)
    await patch(api, 'Changed')
    expect((await known('/albums')).status).toBe(200)
    expectErrors(await patch(api, 'x', tag), [{ status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' }])
    expect((await api.get('/artists')).headers.has('etag')).toBe(false)
  })

  test('an entity tag of a handler is the only one, whatever its spelling', async () => {
    const api = versionedClient({ collectionTags: true }, { handler: tagging })
    expect((await api.get('/albums')).headers.get('etag')).toBe('"mine"')
    expect((await api.get('/albums', { headers: { 'If-None-Match': '"mine"' } })).status).toBe(304)
  })

  test('a resource has Last-Modified and 304 if its type names a column', async () => {
    const api = versionedClient({ lastModified: 'changedAt' })
    const date = 'Sat, 31 Jan 2026 12:00:00 GMT'
    expect((await api.get('/albums/1')).headers.get('last-modified')).toBe(date)
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await api.get(path, { headers })).status
    expect(await statusOf('/albums/1', { 'If-Modified-Since': date })).toBe(304)
    expect(await statusOf('/albums/1', { 'If-Modified-Since': 'Sat, 31 Jan 2026 11:59:59 GMT' })).toBe(200)
    expect(await statusOf('/albums/1', { 'If-Modified-Since': 'yesterday' })).toBe(200)
    expect(await statusOf('/albums/1', { 'If-Modified-Since': date, 'If-None-Match': '"x"' })).toBe(200)
    // The included resource may be newer.
    expect(await statusOf('/albums/1?include=artist', { 'If-Modified-Since': date })).toBe(200)
    expect((await api.get('/albums/2')).headers.has('last-modified')).toBe(false)
    expect((await api.get('/albums')).headers.has('last-modified')).toBe(false)
  })

  test('a document that shows other rows has no Last-Modified, since they may have changed', async () => {
    const [row, changedAt] = [{ id: 1, title: 'x' }, new Date('2026-01-31T12:00:00Z')]
    const timed = { id: id(), lastModified: 'changedAt' } as const
    const albums = defineResource('albums', {
      ...timed,
      model: model<{ id: number; title: string; changedAt: Date }>('albums'),
      attributes: (a) => ({ title: a.string() }),
      relations: { tracks: hasMany('tracks').withData().countable() },
    })
    const tracks = defineResource('tracks', {
      ...timed,
      model: model<{ id: number; title: string; albumId: number; changedAt: Date }>('tracks'),
      attributes: (a) => ({ title: a.string(), albumTitle: a.string().storedAs('title').on('album') }),
      relations: { album: belongsTo('albums') },
    })
    const rows = { albums: [{ ...row, changedAt }], tracks: [{ ...row, albumId: 1, changedAt }] }
    const api = client(createServer({ resources: [albums, tracks], data: storedData(rows) }))
    const countable = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile}"` } }
    const isDated = async (path: string, options = {}): Promise<boolean> => {
      const response = await api.get(path, options)
      expect(response.status).toBe(200)
      return response.headers.has('last-modified')
    }
    expect(await isDated('/albums/1?fields[albums]=title')).toBe(true)
    expect(await isDated('/tracks/1?fields[tracks]=title,album')).toBe(true)
    // The linkage, the count, and the title of the album are in other rows.
    expect(await isDated('/albums/1')).toBe(false)
    expect(await isDated('/albums/1?fields[albums]=title&withCount=tracks', countable)).toBe(false)
    expect(await isDated('/tracks/1')).toBe(false)
  })

  test('a resource that has changed in this second has no Last-Modified, since it may change again', async () => {
    const api = versionedClient({ version: { column: 'changedAt', as: 'instant' }, lastModified: 'changedAt' })
    const date = (await patch(api, 'Now')).headers.get('last-modified')
    expect(date === null || Date.parse(date) < Date.now()).toBe(true)
  })
})
