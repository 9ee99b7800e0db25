import { createServer, defineResource, id, model } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { exemptFromDescription } from '../support/described-exchange.js'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** Brackets are percent-encoded in links. */
const encoded = (target: string): string => target.replaceAll('[', '%5B').replaceAll(']', '%5D')

interface LabelRow {
  id: string
  name: string
}

function labelServer(declaration: Partial<Parameters<typeof defineResource<'labels', LabelRow>>[1]>, baseUri?: string) {
  const labels = defineResource('labels', {
    model: model<LabelRow>('labels'),
    id: id().allowClientId(),
    attributes: (a) => ({ name: a.string() }),
    ...(declaration as object),
  })
  const data = storedData({ labels: [{ id: 'ecm', name: 'ECM' }] })
  return client(createServer({ resources: [labels], data, ...(baseUri === undefined ? {} : { baseUri }) }))
}

describe('a resource object', () => {
  test('has type, id, attributes, relationships, links and meta, in this order, and its fields in the order of the declaration', async () => {
    const { text } = await client(catalogueServer()).get('/tracks/1')
    expect(text).toBe(
      '{"data":{"type":"tracks","id":"1","attributes":{"title":"Airbag","trackNumber":1,"durationSeconds":284,' +
        '"explicit":false,"genres":["rock"],"previewOffset":null,"displayTitle":"1. Airbag"},"relationships":{' +
        '"album":{"links":{"self":"http://localhost/tracks/1/relationships/album",' +
        '"related":"http://localhost/tracks/1/album"},"data":{"type":"albums","id":"1"}},' +
        '"playlists":{"links":{"self":"http://localhost/tracks/1/relationships/playlists",' +
        '"related":"http://localhost/tracks/1/playlists"},' +
        '"data":[{"type":"playlists","id":"2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62"},' +
        '{"type":"playlists","id":"b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c"}]}},' +
        '"links":{"self":"http://localhost/tracks/1"},"meta":{"served_by":"music"}},' +
        '"links":{"self":"http://localhost/tracks/1"},"jsonapi":{"version":"1.1"}}',
    )
  })

  test('has no attributes and no relationships member if none of them is shown', async () => {
    const { resource } = await client(catalogueServer()).get('/artists/1?fields[artists]=')
    expect(resource).toEqual({ type: 'artists', id: '1', links: { self: 'http://localhost/artists/1' } })
  })

  test('has no meta and no further links if the functions of the type return nothing', async () => {
    const { resource } = await labelServer({ meta: () => ({}), links: () => ({}) }).get('/labels/ecm')
    expect(resource).toEqual({
      type: 'labels',
      id: 'ecm',
      attributes: { name: 'ECM' },
      links: { self: 'http://localhost/labels/ecm' },
    })
  })
})

describe('links.self of a resource', () => {
  test('is {base_uri}/{uriType}/{id}', async () => {
    const api = labelServer({ uriType: 'record-labels' }, 'https://music.example/v1/')
    const { resource } = await api.get('/record-labels/ecm')
    expect(resource.type).toBe('labels')
    expect(resource.links).toEqual({ self: 'https://music.example/v1/record-labels/ecm' })
  })

  test('has the id percent-encoded, and refers to the resource', async () => {
    const api = labelServer({})
    for (const name of ['a/b', 'ä ö', '100%', '?x=1#y', '😀']) {
      const created = await api.post('/labels', { body: resourceBody('labels', {}, name) })
      expect(created.resource.id).toBe(name)
      const self = String(created.resource.links?.['self'])
      expect(self).toBe(`http://localhost/labels/${encodeURIComponent(name)}`)
      expect((await api.get(self.slice('http://localhost'.length))).resource.id).toBe(name)
    }
  })

  test('is left out if explicit links already contain it', async () => {
    const { resource } = await labelServer({
      links: (row) => ({ self: `https://other.example/${row.id}`, logo: { href: '/logo.png', title: row.name } }),
    }).get('/labels/ecm')
    expect(resource.links).toEqual({
      self: 'https://other.example/ecm',
      logo: { href: '/logo.png', title: 'ECM' },
    })
  })

  test('is left out when the id is empty', async () => {
    exemptFromDescription('exchanges', 'No client can create a resource with an empty id.')
    const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id() })
    const api = client(createServer({ resources: [labels], data: storedData({ labels: [{ id: '' }] }) }))
    expect((await api.get('/labels')).resources).toEqual([{ type: 'labels', id: '' }])
  })

  test('is left out when the type emits none', async () => {
    const { resource } = await labelServer({ selfLink: false }).get('/labels/ecm')
    expect(resource).toEqual({ type: 'labels', id: 'ecm', attributes: { name: 'ECM' } })
  })
})

describe('links.self of a document', () => {
  test.each([
    '/albums/1',
    '/albums/1?',
    '/albums/1?fields%5Balbums%5D=title&include=',
    '/albums/1/artist?fields[artists]=name',
    '/countries/is?fields[countries]=',
  ])('equals the request URI %s', async (target) => {
    const { document } = await client(catalogueServer()).get(target)
    expect(document?.links).toEqual({ self: `http://localhost${encoded(target).replace(/\?$/, '')}` })
  })

  test('equals the request URI of a linkage read, next to the related link', async () => {
    const { document } = await client(catalogueServer()).get('/albums/1/relationships/artist?filter[name]=Bj%C3%B6rk')
    expect(document?.links).toEqual({
      self: 'http://localhost/albums/1/relationships/artist?filter%5Bname%5D=Bj%C3%B6rk',
      related: 'http://localhost/albums/1/artist',
    })
  })

  test.each(['/artists', '/artists?', '/artists?fields[artists]=name'])(
    'equals the request URI %s of a collection that is fetched whole',
    async (target) => {
      const { document } = await client(catalogueServer({ maxPageSize: 0 })).get(target)
      expect(document?.links).toEqual({ self: `http://localhost${encoded(target).replace(/\?$/, '')}` })
    },
  )

  test('is the link of the page on a paginated collection, next to the links of the other pages', async () => {
    const { document } = await client(catalogueServer()).get('/albums?page[size]=2&page[number]=2')
    expect(document?.links).toEqual({
      self: 'http://localhost/albums?page%5Bsize%5D=2&page%5Bnumber%5D=2',
      first: 'http://localhost/albums?page%5Bsize%5D=2&page%5Bnumber%5D=1',
      prev: 'http://localhost/albums?page%5Bsize%5D=2&page%5Bnumber%5D=1',
    })
  })

  test('equals the request URI on a page that has no self link', async () => {
    for (const target of ['/albums?page[number]=9', '/albums?page[size]=0', '/public-profiles']) {
      const { document } = await client(catalogueServer()).get(target)
      expect(document?.links?.['self']).toBe(`http://localhost${encoded(target)}`)
    }
  })

  test('is a URI even if the client sent characters that a URI cannot have', async () => {
    const { document } = await client(catalogueServer()).get('/albums/1?profile=<"a b|c">é\ud800')
    expect(document?.links?.['self']).toBe('http://localhost/albums/1?profile=%3C%22a%20b%7Cc%22%3E%C3%A9%EF%BF%BD')
  })

  test('is on the responses to writes too', async () => {
    const api = client(catalogueServer())
    const created = await api.post('/genres', { body: resourceBody('genres', { name: 'Dub' }, 'dub') })
    expect(created.document?.links).toEqual({ self: 'http://localhost/genres' })
    const changed = await api.patch('/genres/dub', { body: resourceBody('genres', { name: 'DUB' }, 'dub') })
    expect(changed.document?.links).toEqual({ self: 'http://localhost/genres/dub' })
  })

  test('is missing in error documents', async () => {
    expect((await client(catalogueServer()).get('/albums/99')).document?.links).toBeUndefined()
  })
})

describe('the base URI', () => {
  test('is the configured one, without its trailing slashes', async () => {
    const api = client(catalogueServer({ baseUri: 'https://music.example/api//' }), { origin: 'http://internal:8080' })
    const { document, resource } = await api.get('/artists/1')
    expect(document?.links).toEqual({ self: 'https://music.example/api/artists/1' })
    expect(resource.links).toEqual({ self: 'https://music.example/api/artists/1' })
    expect(resource.relationships?.['albums']?.links).toEqual({
      self: 'https://music.example/api/artists/1/relationships/albums',
      related: 'https://music.example/api/artists/1/albums',
    })
  })

  test('is the scheme and host of the request when none is configured', async () => {
    const { document, resources } = await client(catalogueServer(), { origin: 'https://music.example:8443' }).get(
      '/artists',
    )
    expect(document?.links).toEqual({
      self: 'https://music.example:8443/artists?page%5Bnumber%5D=1',
      first: 'https://music.example:8443/artists?page%5Bnumber%5D=1',
    })
    expect(resources[0]?.links).toEqual({ self: 'https://music.example:8443/artists/1' })
  })

  test('is in front of the prefix of a named server', async () => {
    const { document, resource } = await client(catalogueServer({ baseUri: 'https://music.example' })).get(
      '/admin/users/1',
    )
    expect(document?.links).toEqual({ self: 'https://music.example/admin/users/1' })
    expect(resource.links).toEqual({ self: 'https://music.example/admin/users/1' })
    expect(resource.relationships?.['playlists']?.links).toEqual({
      self: 'https://music.example/admin/users/1/relationships/playlists',
    })
  })
})

describe('the jsonapi object', () => {
  test('has the version, and the meta of the server', async () => {
    const { document } = await client(catalogueServer({ jsonapiMeta: { node: 'b' } })).get('/albums')
    expect(document?.jsonapi).toEqual({ version: '1.1', meta: { node: 'b' } })
  })

  test('is left out if it would be empty', async () => {
    const { document } = await client(catalogueServer({ version: '' })).get('/albums/99')
    expect(document).not.toHaveProperty('jsonapi')
  })
})

describe('a collection', () => {
  test('is a list, even when it is empty', async () => {
    const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id(), pagination: null })
    const { resources, document } = await client(createServer({ resources: [labels], data: storedData() })).get(
      '/labels',
    )
    expect(resources).toEqual([])
    expect(document?.meta).toEqual({ total: 0 })
  })

  test('has its total if it is fetched whole, and no meta.page', async () => {
    const { document } = await client(catalogueServer({ maxPageSize: 0 })).get('/artists')
    expect(document?.meta).toEqual({ total: 3 })
  })
})
