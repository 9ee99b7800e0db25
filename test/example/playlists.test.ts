import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const playlist = (attributes: object, relationships: object = {}) => ({
  data: { type: 'playlists', attributes, relationships },
})
const roadTripWith = (attributes: object) => ({ data: { type: 'playlists', id: roadTrip, attributes } })
const track = (id: string) => ({ type: 'tracks', id })

describe.each(musicServices)('playlists on %s', (_engine, open) => {
  const music = musicClient(open)

  test('show these attributes, in this order', async () => {
    const { resource } = await music.get(`/playlists/${roadTrip}`)
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['title', 'Road Trip'],
      ['slug', 'road-trip'],
      ['public', true],
      ['externalId', null],
    ])
  })

  test('have these relationships, in this order', async () => {
    const { resource } = await music.get(`/playlists/${roadTrip}`)
    expect(Object.keys(resource.relationships ?? {})).toEqual(['owner', 'publicOwner', 'tracks', 'orderedTracks'])
    expect(resource.relationships).toMatchObject({
      owner: { data: { type: 'users', id: '1' } },
      publicOwner: { data: { type: 'public-profiles', id: '1' } },
    })
    expect(resource.relationships?.['tracks']).not.toHaveProperty('data')
    expect(resource.relationships?.['orderedTracks']).not.toHaveProperty('data')
  })

  test('get a UUID from the service, and are not public by default', async () => {
    const { status, resource } = await music.post('/playlists', playlist({ title: 'Für Elise' }))
    expect(status).toBe(201)
    expect(resource.id).toMatch(uuid)
    expect(resource.attributes).toEqual({ title: 'Für Elise', slug: 'fur-elise', public: false, externalId: null })
  })

  test('do not take an id from the client', async () => {
    expectErrors(
      await music.post('/playlists', { data: { type: 'playlists', id: rainyDay, attributes: { title: 'Mine' } } }),
      [{ status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' }],
    )
  })

  test('need a title', async () => {
    expectErrors(await music.post('/playlists', playlist({ public: true })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
    ])
  })

  test('derive their slug from their current title, whatever a client writes', async () => {
    const { resource } = await music.patch(`/playlists/${roadTrip}`, roadTripWith({ title: 'Way Home', slug: 'mine' }))
    expect(resource.attributes).toMatchObject({ title: 'Way Home', slug: 'way-home' })
  })

  test('have an externalId that is a UUID, or none', async () => {
    const externalId = '6fa459ea-ee8a-4ca4-894e-db77e160355e'
    const { resource } = await music.patch(`/playlists/${roadTrip}`, roadTripWith({ externalId }))
    expect(resource.attributes?.['externalId']).toBe(externalId)
    expectErrors(await music.patch(`/playlists/${roadTrip}`, roadTripWith({ externalId: 'seven' })), [
      { status: 422, pointer: '/data/attributes/externalId' },
    ])
  })

  test('store an externalId in the case that it was sent in', async () => {
    const externalId = '6FA459EA-EE8A-4CA4-894E-DB77E160355e'
    const { resource } = await music.post('/playlists', playlist({ title: 'Way Home', externalId }))
    expect(resource.attributes?.['externalId']).toBe(externalId)
    expect((await music.get(`/playlists/${resource.id}`)).resource.attributes?.['externalId']).toBe(externalId)
  })

  describe('have an owner', () => {
    test('who is a user, of whom this server shows type and id only', async () => {
      const { resource } = await music.get(`/playlists/${roadTrip}/owner`)
      expect(resource).toEqual({ type: 'users', id: '1' })
    })

    test('who is also seen as a public profile', async () => {
      const { resource } = await music.get(`/playlists/${roadTrip}/publicOwner`)
      expect(resource).toMatchObject({ type: 'public-profiles', id: '1', attributes: { displayName: 'Alice' } })
    })

    test('whom a client can set: the public profile follows', async () => {
      const owner = { data: { type: 'users', id: '2' } }
      const { resource } = await music.post('/playlists', playlist({ title: 'Mine' }, { owner }))
      expect(resource.relationships).toMatchObject({
        owner,
        publicOwner: { data: { type: 'public-profiles', id: '2' } },
      })
    })

    test('who must exist', async () => {
      const owner = { data: { type: 'users', id: '77' } }
      expectErrors(await music.post('/playlists', playlist({ title: 'Mine' }, { owner })), [
        { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/owner/data' },
      ])
    })

    test('who cannot be changed through the narrower view', async () => {
      expectErrors(
        await music.patch(`/playlists/${roadTrip}/relationships/publicOwner`, {
          data: { type: 'public-profiles', id: '2' },
        }),
        [{ status: 403, code: 'RELATIONSHIP_READ_ONLY' }],
      )
    })
  })

  test('have the same tracks twice: as a plain relation, and in the order of the playlist', async () => {
    expect(shown((await music.get(`/playlists/${roadTrip}/tracks`)).resources)).toEqual([
      'tracks 1',
      'tracks 3',
      'tracks 5',
    ])
    expect(shown((await music.get(`/playlists/${roadTrip}/orderedTracks`)).resources)).toEqual([
      'tracks 5',
      'tracks 1',
      'tracks 3',
    ])
  })

  test('can be created with their tracks', async () => {
    const { resource } = await music.post(
      '/playlists',
      playlist({ title: 'New' }, { tracks: { data: [track('7'), track('2')] } }),
    )
    expect(shown((await music.get(`/playlists/${resource.id}/orderedTracks`)).resources)).toEqual([
      'tracks 7',
      'tracks 2',
    ])
  })
})
