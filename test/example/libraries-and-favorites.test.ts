import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const alice = { data: { type: 'users', id: '1' } }
const favorite = (attributes: object, favoritable: object) => ({
  data: { type: 'favorites', attributes, relationships: { user: alice, favoritable: { data: favoritable } } },
})

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = musicClient(open)

  describe('libraries', () => {
    test('have no attributes, an owner, and items', async () => {
      const { resource } = await music.get('/libraries/1')
      expect(resource).not.toHaveProperty('attributes')
      expect(Object.keys(resource.relationships ?? {})).toEqual(['owner', 'items'])
      expect(resource.relationships?.['owner']?.data).toEqual({ type: 'users', id: '1' })
    })

    test('get an id from the database', async () => {
      const { status, resource } = await music.post('/libraries', {
        data: { type: 'libraries', relationships: { owner: alice } },
      })
      expect(status).toBe(201)
      expect(resource.id).toBe('2')
      expect(resource.relationships?.['owner']).toMatchObject(alice)
    })

    test('contain tracks, albums and artists, together', async () => {
      const items = ['tracks 1', 'tracks 5', 'albums 2', 'artists 3']
      expect(shown((await music.get('/libraries/1/items')).resources)).toEqual(items)
      expect(shown((await music.get('/libraries/1/relationships/items')).document?.data)).toEqual(items)
      expect(shown((await music.get('/libraries/1?include=items')).document?.included)).toEqual(items)
    })

    test('show each item with its own type', async () => {
      const { resources } = await music.get('/libraries/1/items')
      expect(resources.map(({ attributes }) => attributes?.['title'] ?? attributes?.['name'])).toEqual([
        'Airbag',
        'So What',
        'Kid A',
        'Miles Davis',
      ])
    })

    test('take items of each type, and remove them', async () => {
      const path = '/libraries/1/relationships/items'
      const sameNumber = [
        { type: 'tracks', id: '3' },
        { type: 'albums', id: '3' },
      ]
      expect((await music.post(path, { data: sameNumber })).status).toBe(204)
      expect(shown((await music.get(path)).document?.data)).toEqual(
        expect.arrayContaining(['tracks 3', 'albums 3', 'artists 3']),
      )
      expect((await music.delete(path, { data: [{ type: 'artists', id: '3' }] })).status).toBe(204)
      expect(shown((await music.get(path)).document?.data)).toEqual([
        'tracks 1',
        'tracks 3',
        'tracks 5',
        'albums 2',
        'albums 3',
      ])
    })

    test('contain nothing else', async () => {
      expectErrors(await music.post('/libraries/1/relationships/items', { data: [{ type: 'genres', id: 'jazz' }] }), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE' },
      ])
    })

    test('show their items by pages, but neither filtered nor sorted, because they are of several types', async () => {
      expect(shown((await music.get('/libraries/1/items?page[size]=1&page[number]=3')).resources)).toEqual(['albums 2'])
      for (const parameter of ['filter[q]', 'sort']) {
        expectErrors(await music.get(`/libraries/1/items?${parameter}=title`), [
          { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED' },
        ])
      }
    })
  })

  describe('favorites', () => {
    test('show their time, their user and their item', async () => {
      const { resource, document } = await music.get('/favorites/fav-z')
      expect(resource).toMatchObject({
        id: 'fav-z',
        attributes: { favoritedAt: '2024-02-29T00:00:00+00:00' },
        relationships: {
          user: { data: { type: 'users', id: '1' } },
          favoritable: { data: { type: 'albums', id: '4' } },
        },
      })
      expect(Object.keys(resource.relationships ?? {})).toEqual(['user', 'favoritable'])
      expect(document?.included).toMatchObject([{ type: 'albums', id: '4', attributes: { title: 'Kind of Blue' } }])
    })

    test('have an id on the wire that is not the key in the table', async () => {
      const { resource } = await music.post('/favorites', favorite({}, { type: 'artists', id: '3' }))
      expect(resource.id).toBe('fav-1k')
      const stored = await music.service.storage.db
        .selectFrom('favorites')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      expect(stored).toEqual({ id: 8 })
      expect((await music.get('/favorites/fav-1k')).resource.id).toBe('fav-1k')
    })

    test('are not found by the key in the table, nor by an unknown id', async () => {
      for (const path of ['/favorites/5', '/favorites/fav-zz', '/favorites/fav-0']) {
        expectErrors(await music.get(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      }
    })

    test('are of tracks, albums or artists', async () => {
      const kinds = [
        { type: 'tracks', id: '2' },
        { type: 'albums', id: '2' },
        { type: 'artists', id: '2' },
      ]
      for (const data of kinds) {
        const { resource } = await music.post('/favorites', favorite({}, data))
        expect((await music.get(`/favorites/${resource.id}/favoritable`)).resource).toMatchObject(data)
      }
      expectErrors(await music.post('/favorites', favorite({}, { type: 'genres', id: 'jazz' })), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE' },
      ])
    })

    test('have the current time unless the client sends one on create; it cannot be changed', async () => {
      const track = { type: 'tracks', id: '2' }
      const before = Date.now()
      const { resource } = await music.post('/favorites', favorite({}, track))
      const moment = Date.parse(String(resource.attributes?.['favoritedAt']))
      // Responses show whole seconds.
      expect(moment).toBeGreaterThanOrEqual(before - 1000)
      expect(moment).toBeLessThanOrEqual(Date.now() + 1000)
      const favoritedAt = '2020-02-02T20:20:20+00:00'
      const created = await music.post('/favorites', favorite({ favoritedAt }, track))
      expect(created.resource.attributes?.['favoritedAt']).toBe(favoritedAt)
      const later = await music.patch('/favorites/fav-z', {
        data: { type: 'favorites', id: 'fav-z', attributes: { favoritedAt } },
      })
      expect(later.resource.attributes?.['favoritedAt']).toBe('2024-02-29T00:00:00+00:00')
    })
  })

  describe('public profiles', () => {
    test('show the display name of a user, and nothing more', async () => {
      const { resource } = await music.get('/public-profiles/1')
      expect(resource.attributes).toEqual({ displayName: 'Alice' })
      expect(resource).not.toHaveProperty('relationships')
    })

    test('are read only', async () => {
      const { status, headers } = await music.request('PATCH', '/public-profiles/1', {
        body: { data: { type: 'public-profiles', id: '1', attributes: { displayName: 'Eve' } } },
      })
      expect(status).toBe(405)
      expect(headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
      expect((await music.delete('/public-profiles/1')).status).toBe(405)
      expect((await music.post('/public-profiles', { data: { type: 'public-profiles' } })).status).toBe(405)
    })
  })

  describe('users', () => {
    test('have no endpoints', async () => {
      for (const path of ['/users', '/users/1']) expect((await music.get(path)).status).toBe(404)
    })

    test('are referred to by type and id', async () => {
      expect((await music.get('/libraries/1/owner')).resource).toEqual({ type: 'users', id: '1' })
      expect((await music.get('/favorites/fav-z/user')).resource).toEqual({ type: 'users', id: '1' })
      expect((await music.get('/libraries/1?include=owner')).document?.included).toEqual([{ type: 'users', id: '1' }])
    })
  })
})
