import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; country: string; title: string }>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().unique(),
    title: a.string().unique({ with: ['country'] }),
    country: a.string(),
  }),
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    artistName: a.string().on('artist').storedAs('name'),
    artistCountry: a.string().on('artist').storedAs('country'),
  }),
  relations: { artist: belongsTo('artists') },
})

function shop() {
  const rows = {
    artists: [
      { id: 1, name: 'Radiohead', country: 'gb', title: 'Band' },
      { id: 2, name: 'Björk', country: 'is', title: 'Band' },
    ],
    albums: [{ id: 1, title: 'OK Computer', artistId: 1 }],
  }
  return client(createServer({ resources: [albums, artists], data: storedData(rows) }))
}

const sent = (attributes: object) => ({ body: { data: { type: 'albums', id: '1', attributes } } })

test('a duplicate flattened value at the end of its path is reported at the attribute that was sent', async () => {
  const api = shop()
  const taken = [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/artistName' }]
  expectErrors(await api.patch('/albums/1', sent({ title: 'Kid A', artistName: 'Björk' })), taken)
  expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ title: 'OK Computer', artistName: 'Radiohead' })
}) // biome-ignore format: one line a request

test('also if the unique attribute itself was not sent', async () => {
  expectErrors(await shop().patch('/albums/1', sent({ title: 'Kid A', artistCountry: 'is' })), [
    { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/artistCountry' },
  ])
})
