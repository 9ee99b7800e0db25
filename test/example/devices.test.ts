import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const radio = '/devices/01J9ZQ4T8W2N6R0V5XB3C7D1EF'

describe.each(musicServices)('devices on %s', (_engine, open) => {
  const music = musicClient(open)

  test('have a label, and no relationships', async () => {
    const { resource } = await music.get(radio)
    expect(resource.attributes).toEqual({ label: 'Kitchen radio' })
    expect(resource).not.toHaveProperty('relationships')
  })

  test('get a ULID from the service', async () => {
    const { status, resource } = await music.post('/devices', {
      data: { type: 'devices', attributes: { label: 'Car' } },
    })
    expect(status).toBe(201)
    expect(resource.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect((await music.get(`/devices/${resource.id}`)).resource.attributes).toEqual({ label: 'Car' })
  })

  test('need a label', async () => {
    expectErrors(await music.post('/devices', { data: { type: 'devices', attributes: {} } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/label' },
    ])
  })

  describe('when deleted', () => {
    test('are not shown to clients, but stay in their table', async () => {
      expect((await music.delete(radio)).status).toBe(204)
      expectErrors(await music.get(radio), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      expect((await music.get('/devices')).resources).toEqual([])
      expectErrors(await music.delete(radio), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      const rows = await music.service.storage.db.selectFrom('devices').selectAll().execute()
      expect(rows).toMatchObject([{ label: 'Kitchen radio' }])
      expect(rows[0]?.deletedAt).not.toBeNull()
    })

    test('are listed without includes, with their inverse relation', async () => {
      await music.delete(radio)
      const { resources } = await music.get('/devices?filter[onlyTrashed]=true')
      expect(resources).toMatchObject([
        {
          attributes: { label: 'Kitchen radio' },
          links: { restore: { href: `http://localhost${radio}/-actions/restore`, meta: { method: 'POST' } } },
        },
      ])
    })

    test('can be restored', async () => {
      await music.delete(radio)
      const { status, resource } = await music.post(`${radio}/-actions/restore`)
      expect(status).toBe(200)
      expect(resource.attributes).toEqual({ label: 'Kitchen radio' })
      expect(shown((await music.get('/devices')).resources)).toEqual(['devices 01J9ZQ4T8W2N6R0V5XB3C7D1EF'])
    })

    test('can be deleted for good', async () => {
      await music.delete(radio)
      expect((await music.post(`${radio}/-actions/force-delete`)).status).toBe(204)
      expectErrors(await music.post(`${radio}/-actions/restore`), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      expect(await music.service.storage.db.selectFrom('devices').selectAll().execute()).toEqual([])
    })
  })

  describe('have cache headers', () => {
    test('private, a minute for a list, ten for a device, and Vary by language', async () => {
      const list = await music.get('/devices')
      expect(list.headers.get('Cache-Control')).toBe('private, max-age=60')
      // The caller is passed to the handle, so that no header is known to decide about it.
      expect(list.headers.get('Vary')).toBe('Accept, Accept-Language, Authorization, Cookie, Origin')
      expect((await music.get(radio)).headers.get('Cache-Control')).toBe('private, max-age=600')
    })

    test('but no time for errors and writes', async () => {
      const missing = await music.get('/devices/01J9ZQ4T8W2N6R0V5XB3C7D1EG')
      const written = await music.patch(radio, {
        data: { type: 'devices', id: '01J9ZQ4T8W2N6R0V5XB3C7D1EF', attributes: { label: 'Radio' } },
      })
      for (const { headers } of [missing, written]) expect(headers.get('Cache-Control')).toBe('private')
    })
  })

  test('are the only type that may be cached for a while', async () => {
    for (const path of ['/albums', '/tracks/1', '/countries']) {
      expect((await music.get(path)).headers.get('Cache-Control')).toBe('private')
    }
  })
})
