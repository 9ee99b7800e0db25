import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = musicClient(open)

  describe('charts', () => {
    test('are of a month, and rank the tracks that were played in it', async () => {
      const { resource } = await music.get('/charts/2026-02')
      expect(resource).toEqual({
        type: 'charts',
        id: '2026-02',
        attributes: {
          plays: 115,
          entries: [
            { place: 1, track: '2', title: 'Paranoid Android', plays: 73 },
            { place: 2, track: '4', title: 'Jóga', plays: 30 },
            { place: 3, track: '5', title: 'So What', plays: 12 },
          ],
        },
      })
    })

    test('have no link to themselves', async () => {
      expect((await music.get('/charts/2026-02')).resource).not.toHaveProperty('links')
      for (const chart of (await music.get('/charts')).resources) expect(chart).not.toHaveProperty('links')
    })

    test('are computed from the plays there are now', async () => {
      await music.service.storage.db.insertInto('plays').values({ trackId: 1, month: '2026-02', times: 100 }).execute()
      const { resource } = await music.get('/charts/2026-02')
      expect(resource.attributes).toMatchObject({
        plays: 215,
        entries: [{ place: 1, track: '1', title: 'Airbag' }, {}, {}, {}],
      })
    })

    test('are listed, one for each month', async () => {
      expect(shown((await music.get('/charts')).resources).toSorted()).toEqual(['charts 2026-01', 'charts 2026-02'])
    })

    test('do not exist for months without plays', async () => {
      expectErrors(await music.get('/charts/1999-12'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    })
  })

  describe('countries', () => {
    test('have the ISO code for an id, and a name', async () => {
      const { resource } = await music.get('/countries/is')
      expect(resource).toEqual({
        type: 'countries',
        id: 'is',
        attributes: { name: 'Iceland' },
        links: { self: 'http://localhost/countries/is' },
      })
    })

    test('are always the same', async () => {
      expect(shown((await music.get('/countries')).resources)).toEqual(
        ['de', 'gb', 'is', 'jp', 'us'].map((code) => `countries ${code}`),
      )
      for (const code of ['xx', 'constructor']) {
        expectErrors(await music.get(`/countries/${code}`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      }
    })
  })

  test.each(['charts', 'countries'])('%s are read, and nothing else', async (type) => {
    const created = await music.post(`/${type}`, { data: { type, attributes: {} } })
    expect(created.status).toBe(405)
    expect(created.headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
    const id = type === 'charts' ? '2026-02' : 'is'
    expect((await music.patch(`/${type}/${id}`, { data: { type, id, attributes: {} } })).status).toBe(405)
    expect((await music.delete(`/${type}/${id}`)).status).toBe(405)
  })
})
