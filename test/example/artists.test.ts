import { expectErrors, type TestResource } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const artist = (attributes: object) => ({ data: { type: 'artists', attributes } })
const bjork = (attributes: object) => ({ data: { type: 'artists', id: '2', attributes } })

describe.each(musicServices)('artists on %s', (_engine, open) => {
  const music = musicClient(open)

  test('show these attributes, in this order', async () => {
    const { resource } = await music.get('/artists/2')
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['name', 'Björk'],
      ['slug', 'bjork'],
      ['website', null],
      ['bio', 'Icelandic singer.'],
      ['trackCount', 3],
      ['createdAt', '1993-07-05T00:00:00+00:00'],
    ])
  })

  test('have albums, which are linked to', async () => {
    const { resource } = await music.get('/artists/2')
    expect(resource.relationships).toEqual({
      albums: {
        links: {
          self: 'http://localhost/artists/2/relationships/albums',
          related: 'http://localhost/artists/2/albums',
        },
      },
    })
  })

  test('get an id from the database, a slug from their name, and the moment of their creation', async () => {
    const before = Date.now()
    const { status, resource } = await music.post('/artists', artist({ name: 'Sigur Rós' }))
    expect(status).toBe(201)
    expect(resource.id).toBe('4')
    expect(resource.attributes).toEqual({
      name: 'Sigur Rós',
      slug: 'sigur-ros',
      website: null,
      bio: null,
      trackCount: 0,
      createdAt: expect.any(String),
    })
    const createdAt = Date.parse(String(resource.attributes?.['createdAt']))
    expect(createdAt).toBeGreaterThanOrEqual(before - 1000)
    expect(createdAt).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('get different slugs if several with one name are created concurrently', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, () => music.post('/artists', artist({ name: 'Nico' }))),
    )
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 201))
    expect(new Set(created.map(({ resource }) => resource.attributes?.['slug'])).size).toBe(20)
  })

  test('of one name, two hundred in one batch, get the next numbers', async () => {
    for (const slug of ['nico-3', 'nico-7a', 'nico-99999999999999999999', 'nicolas-50']) {
      expect((await music.post('/artists', artist({ name: 'Nico', slug }))).status).toBe(201)
    }
    const operations = Array.from({ length: 200 }, () => ({ op: 'add', ...artist({ name: 'Nico' }) }))
    const { status, results } = await music.batch(operations)
    expect(status).toBe(200)
    const slugs = results.map(({ data }) => (data as TestResource).attributes?.['slug'])
    expect(slugs).toEqual(['nico', ...Array.from({ length: 199 }, (_, index) => `nico-${index + 4}`)])
  })

  test('have the slug that the client sends', async () => {
    const { resource } = await music.post('/artists', artist({ name: 'Sigur Rós', slug: 'victory-rose' }))
    expect(resource.attributes?.['slug']).toBe('victory-rose')
  })

  test('retain their slug when their name changes', async () => {
    const { resource } = await music.patch('/artists/2', bjork({ name: 'Björk Guðmundsdóttir' }))
    expect(resource.attributes).toMatchObject({ name: 'Björk Guðmundsdóttir', slug: 'bjork' })
  })

  test('have unique slugs', async () => {
    expectErrors(await music.post('/artists', artist({ name: 'Somebody', slug: 'bjork' })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/slug' },
    ])
  })

  test('get a number after their slug if the name exists', async () => {
    const slugs = []
    for (const name of ['Björk', 'BJORK!', 'Nirvana', 'Nirvana', '初音ミク', '椎名林檎']) {
      const { status, resource } = await music.post('/artists', artist({ name }))
      expect(status).toBe(201)
      slugs.push(resource.attributes?.['slug'])
    }
    expect(slugs).toEqual(['bjork-2', 'bjork-3', 'nirvana', 'nirvana-2', 'unnamed', 'unnamed-2'])
  })

  test('have slugs of small letters, digits and hyphens', async () => {
    expectErrors(await music.post('/artists', artist({ name: 'Somebody', slug: 'Some Body' })), [
      { status: 422, pointer: '/data/attributes/slug' },
    ])
  })

  test('need a name, of 120 characters at most', async () => {
    const name = { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' }
    expectErrors(await music.post('/artists', artist({ bio: 'Nameless.' })), [name])
    expectErrors(await music.post('/artists', artist({ name: 'a'.repeat(121) })), [name])
    expect((await music.post('/artists', artist({ name: 'a'.repeat(120) }))).status).toBe(201)
  })

  test('have websites that are addresses', async () => {
    const website = 'https://bjork.com'
    expect((await music.patch('/artists/2', bjork({ website }))).resource.attributes?.['website']).toBe(website)
    for (const other of ['bjork.com', 'javascript:alert(1)']) {
      expectErrors(await music.patch('/artists/2', bjork({ website: other })), [
        { status: 422, pointer: '/data/attributes/website' },
      ])
    }
  })

  test('have a bio of 1000 characters at most', async () => {
    expect((await music.patch('/artists/2', bjork({ bio: 'a'.repeat(1000) }))).status).toBe(200)
    expectErrors(await music.patch('/artists/2', bjork({ bio: 'a'.repeat(1001) })), [
      { status: 422, pointer: '/data/attributes/bio' },
    ])
  })

  test('have no bio and no website after null', async () => {
    const { resource } = await music.patch('/artists/2', bjork({ bio: null, website: null }))
    expect(resource.attributes).toMatchObject({ bio: null, website: null })
  })

  test('have the number of tracks of their albums, counted by the database', async () => {
    expect((await music.get('/artists/1')).resource.attributes?.['trackCount']).toBe(5)
    await music.post('/tracks', {
      data: {
        type: 'tracks',
        attributes: { title: 'Lucky' },
        relationships: { album: { data: { type: 'albums', id: '1' } } },
      },
    })
    expect((await music.get('/artists/1')).resource.attributes?.['trackCount']).toBe(6)
    const { resource } = await music.patch('/artists/2', bjork({ trackCount: 99 }))
    expect(resource.attributes?.['trackCount']).toBe(3)
  })

  test('take the moment of their creation from the client who creates them, and never again', async () => {
    const createdAt = '1994-01-01T00:00:00+00:00'
    const { resource } = await music.post('/artists', artist({ name: 'Sigur Rós', createdAt }))
    expect(resource.attributes?.['createdAt']).toBe(createdAt)
    const patched = await music.patch('/artists/2', bjork({ createdAt }))
    expect(patched.resource.attributes?.['createdAt']).toBe('1993-07-05T00:00:00+00:00')
  })
})
