import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])
const link = (id: string) => ({
  links: { reissue: { href: `http://localhost/albums/${id}/-actions/reissue`, meta: { method: 'POST' } } },
})

describe.each(musicServices)('actions of albums on %s', (_engine, open) => {
  const music = musicClient(open)
  const reissue = (attributes: object) =>
    music.post('/albums/1/-actions/reissue', { data: { type: 'albums', attributes } })
  const send = (raw: Uint8Array, type: string | null = 'image/png') =>
    music.request('POST', '/albums/1/-actions/artwork', { raw, headers: { 'Content-Type': type } })
  const titles = async (album: string) =>
    (await music.get(`/albums/${album}/tracks`)).resources.map(({ attributes }) => attributes?.['displayTitle'])

  describe('reissue', () => {
    test('is linked to from every album', async () => {
      expect((await music.get('/albums/1')).resource).toMatchObject(link('1'))
      expect((await music.get('/albums')).resources).toMatchObject(['1', '2', '3', '4'].map(link))
    })

    test('returns a copy of the album with the changes of the request', async () => {
      const { status, resource } = await reissue({ title: 'OKNOTOK', status: 'upcoming' })
      expect(status).toBe(200)
      expect(resource.id).toBe('5')
      expect(resource.attributes).toMatchObject({
        title: 'OKNOTOK',
        status: 'upcoming',
        releasedAt: '1997-05-21T00:00:00+00:00',
        releaseInfo: { label: 'Parlophone', catalogueNumber: 'NODATA 02' },
      })
      expect(resource.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '1' })
    })

    test('copies the tracks', async () => {
      const { resource } = await reissue({ title: 'OKNOTOK' })
      expect(await titles(resource.id)).toEqual(['1. Airbag', '2. Paranoid Android', '6. Karma Police'])
      expect(await titles('1')).toEqual(['1. Airbag', '2. Paranoid Android', '6. Karma Police'])
    })

    test('does not copy what belongs to the old album only: rating, picture, and when it is on sale', async () => {
      const days = { availableFrom: '1997-05-21', availableUntil: '2020-01-01' }
      await music.patch('/albums/1', { data: { type: 'albums', id: '1', attributes: days } })
      await send(png)
      const { resource } = await reissue({ title: 'OKNOTOK', availableFrom: '2025-01-01' })
      const ofItsOwn = { averageRating: null, artwork: null, availableFrom: '2025-01-01', availableUntil: null }
      expect(resource.attributes).toMatchObject(ofItsOwn)
      const { resource: old } = await music.get('/albums/1')
      expect(old.attributes).toMatchObject({ averageRating: 4.8, artwork: '/albums/1/-actions/picture', ...days })
    })

    test('validates the document like any other', async () => {
      expectErrors(await reissue({ title: 'a'.repeat(201), status: 'lost' }), [
        { status: 422, pointer: '/data/attributes/title' },
        { status: 422, pointer: '/data/attributes/status' },
      ])
      expect((await music.get('/albums')).resources).toHaveLength(4)
    })

    test('needs an album', async () => {
      expectErrors(await music.post('/albums/9/-actions/reissue', { data: { type: 'albums', attributes: {} } }), [
        { status: 404, code: 'RESOURCE_NOT_FOUND' },
      ])
    })
  })

  describe('summary', () => {
    test('takes no input, and returns the number of albums of each status', async () => {
      await music.patch('/albums/4', { data: { type: 'albums', id: '4', attributes: { status: 'withdrawn' } } })
      const { status, document } = await music.post('/albums/-actions/summary')
      expect(status).toBe(200)
      expect(document).toMatchObject({ meta: { albums: 4, byStatus: { released: 3, withdrawn: 1 } } })
      expect(document).not.toHaveProperty('data')
    })
  })

  describe('artwork', () => {
    test('takes the bytes of a picture, and returns nothing', async () => {
      const { status, text } = await send(png)
      expect(status).toBe(204)
      expect(text).toBe('')
    })

    test('sets the path of the picture in the album', async () => {
      await send(png)
      expect((await music.get('/albums/1')).resource.attributes?.['artwork']).toBe('/albums/1/-actions/picture')
      const { url } = await music.service.listen(music.service.adminHandle)
      const picture = await fetch(`${url}/albums/1/-actions/picture`)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe('image/png')
      expect(new Uint8Array(await picture.arrayBuffer())).toEqual(png)
      expect((await fetch(`${url}/albums/2/-actions/picture`)).status).toBe(404)
    })

    test('serves a picture with its media type, and only its headers for HEAD', async () => {
      await send(png)
      const { url } = await music.service.listen(music.service.adminHandle)
      const [picture, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(`${url}/albums/1/-actions/picture`, { method })),
      )
      for (const name of ['content-type', 'content-length', 'x-content-type-options']) {
        expect(head?.headers.get(name), name).toBe(picture?.headers.get(name))
      }
      expect(head?.headers.get('x-content-type-options')).toBe('nosniff')
      const known = { 'If-None-Match': picture?.headers.get('etag') ?? '' }
      expect((await fetch(`${url}/albums/1/-actions/picture`, { headers: known })).status).toBe(304)
      expect(head?.status).toBe(200)
      expect(await head?.text()).toBe('')
      expect((await fetch(`${url}/albums/2/-actions/picture`, { method: 'HEAD' })).status).toBe(404)
    })

    test('replaces the first picture by another', async () => {
      await send(png)
      await send(new Uint8Array([1, 2, 3]), 'image/webp')
      const { url } = await music.service.listen(music.service.adminHandle)
      const picture = await fetch(`${url}/albums/1/-actions/picture`)
      expect(picture.headers.get('content-type')).toBe('image/webp')
      expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
    })

    test('takes pictures only, which have bytes and run no scripts', async () => {
      expect((await send(png, 'image/svg+xml')).status).toBe(415)
      expect((await send(png, 'text/html')).status).toBe(415)
      expect((await send(png, 'application/octet-stream')).status).toBe(415)
      expect((await send(png, null)).status).toBe(415)
      expect((await send(new Uint8Array())).status).toBe(400)
      expect((await music.get('/albums/1')).resource.attributes?.['artwork']).toBeNull()
    })
  })
})
