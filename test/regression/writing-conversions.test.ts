import { belongsTo, belongsToMany, createServer, defineResource, fail, HttpError, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** Fails on anything but digits, with a message that must not be sent. */
const digits = (value: unknown): string => {
  if (/^\d+$/.test(String(value))) return String(value)
  throw new TypeError('secret-host refused it')
}

const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })

const labels = defineResource('labels', {
  model: model<{ id: number; code: string }>('labels'),
  id: id(),
  attributes: (a) => ({ code: a.string() }),
})

const albums = defineResource('albums', {
  model: model<Record<string, unknown>>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    barcode: a.string().deserializeUsing(async (value) => digits(value)),
    size: a.object().fields({ sleeve: a.object().fields({ width: a.string().deserializeUsing(digits) }) }),
    edition: a.map().fields({ number: a.string().storedAs('editionNumber').deserializeUsing(digits) }),
    medium: a
      .oneOf()
      .discriminator('kind')
      .variant('vinyl', { speed: a.string().deserializeUsing(digits) }),
    labelCode: a.string().on('label').storedAs('code').deserializeUsing(digits),
    gone: a.string().deserializeUsing(() => {
      throw new HttpError(410)
    }),
    known: a.string().deserializeUsing(() => fail('RESOURCE_IN_USE')),
  }),
  relations: {
    label: belongsTo('labels'),
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'albumId', member: 'trackId' })
      .fields((a) => ({ place: a.string().deserializeUsing(digits) })),
  },
})

const shop = (limits = {}) =>
  client(
    createServer({
      resources: [albums, tracks, labels],
      data: storedData({
        albums: [{ id: 1, title: 'OK Computer', barcode: '1', labelId: 1 }],
        labels: [{ id: 1, code: '1' }],
        tracks: [{ id: 1 }],
        entries: [],
      }),
      limits,
    }),
  )

const sent = (attributes: object, more: object = {}) => ({ body: { data: { type: 'albums', attributes, ...more } } })
const unusable = (pointer: string, name: string) => ({
  status: 422,
  code: 'ATTRIBUTE_VALUE_INVALID',
  pointer,
  detail: `The value of the attribute '${name}' cannot be used: it cannot be converted.`,
})

test('a value that a function cannot convert is 422 at its pointer, at any depth, all in one response, and nothing is stored', async () => {
  const api = shop()
  const attributes = {
    title: 'Kid A',
    barcode: 'x',
    size: { sleeve: { width: 'x' } },
    edition: { number: 'x' },
    medium: { kind: 'vinyl', speed: 'x' },
  }
  const all = [
    unusable('/data/attributes/barcode', 'barcode'),
    unusable('/data/attributes/size/sleeve/width', 'size.sleeve.width'),
    unusable('/data/attributes/edition/number', 'edition.number'),
    unusable('/data/attributes/medium/speed', 'medium.speed'),
  ]
  expectErrors(await api.post('/albums', sent(attributes)), all)
  const response = await api.patch('/albums/1', sent(attributes, { id: '1' }))
  expectErrors(response, all)
  expect(JSON.stringify(response.document)).not.toContain('secret-host')
  expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ title: 'OK Computer', barcode: '1' })
  expectErrors(await shop({ errors: 2 }).post('/albums', sent(attributes)), all.slice(0, 2))
})

test('so are flattened attributes, and fields of join rows', async () => {
  const api = shop()
  expectErrors(await api.patch('/albums/1', sent({ labelCode: 'x' }, { id: '1' })), [
    unusable('/data/attributes/labelCode', 'labelCode'),
  ])
  const data = [{ type: 'tracks', id: '1', meta: { pivot: { place: 'x' } } }]
  expectErrors(await api.post('/albums/1/relationships/tracks', { body: { data } }), [
    unusable('/data/0/meta/pivot/place', 'place'),
  ])
  expectErrors(await api.post('/albums', sent({ title: 'Kid A' }, { relationships: { tracks: { data } } })), [
    unusable('/data/relationships/tracks/data/0/meta/pivot/place', 'place'),
  ])
})

test('a client error that a function throws is reported unchanged', async () => {
  const api = shop()
  expectErrors(await api.post('/albums', sent({ gone: 'x' })), [{ status: 410 }])
  expectErrors(await api.post('/albums', sent({ known: 'x' })), [{ status: 409, code: 'RESOURCE_IN_USE' }])
})
