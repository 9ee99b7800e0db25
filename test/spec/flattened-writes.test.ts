import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { flattenedData, flattenedMusic, staff } from '../support/flattened-music.js'
import { storedData } from '../support/stored-data.js'

// reference-fields 1.4: attributes that are flattened from a chain of to-one relations, written.

type Members = Readonly<Record<string, unknown>>

interface Sent {
  readonly attributes?: Members
  readonly artist?: string | null
}

function bodyOf({ attributes = {}, artist }: Sent, key?: string): { readonly data: object } {
  const linkage = artist === null ? null : { type: 'artists', id: artist }
  const relationships = artist === undefined ? {} : { relationships: { artist: { data: linkage } } }
  return { data: { type: 'albums', ...(key === undefined ? {} : { id: key }), attributes, ...relationships } }
}

/** A new catalogue, and the writes of its persisters. */
function catalogue(settings: { readonly validateStored?: boolean } = {}) {
  const writes: string[] = []
  const data = flattenedData()
  const noted: typeof data = {
    ...data,
    persister(type) {
      const own = data.persister(type)
      if (own === null) return null
      return {
        ...own,
        update: (...given: Parameters<Persister['update']>) => {
          writes.push(`${given[0].type} ${String(given[1])} ${JSON.stringify(given[2])}`)
          return own.update(...given)
        },
      }
    },
  }
  const music = client(flattenedMusic(noted, settings))
  const read = async (path: string): Promise<Members> => (await music.get(path, staff)).resource.attributes ?? {}
  return { music, writes, read }
}

const ownerMissing = (attribute: string, relation: string) => ({
  code: 'RELATED_ATTRIBUTE_OWNER_MISSING',
  status: 422,
  detail: `The attribute '${attribute}' is stored on the related resource, but the relationship '${relation}' is empty.`,
  pointer: `/data/attributes/${attribute}`,
})

describe('a flattened attribute is written', () => {
  test('to the row at the end of its path, as the kind stores it', async () => {
    const { music, read, writes } = catalogue()
    const { status, resource } = await music.patch('/albums/2', {
      body: bodyOf({ attributes: { artistName: 'Bj', artistFounded: '1977-01-01' } }, '2'),
    })
    expect(status).toBe(200)
    expect(resource.attributes).toMatchObject({ artistName: 'Bj', artistFounded: '1977-01-01' })
    expect(await read('/artists/2')).toMatchObject({ name: 'Bj', foundedOn: '1977-01-01' })
    expect(writes).toHaveLength(1)
  })

  test('together with all others of the same row, and those of another row', async () => {
    const { music, writes } = catalogue()
    const attributes = { title: 'Kid B', artistName: 'On a Friday', producerName: 'Nigel', labelName: 'Parlophone' }
    await music.patch('/albums/1', { body: bodyOf({ attributes }, '1') })
    expect(writes).toEqual([
      'albums 1 {"title":"Kid B"}',
      'artists 1 {"name":"On a Friday"}',
      'artists 2 {"name":"Nigel"}',
      'labels 1 {"name":"Parlophone"}',
    ])
  })

  test('over a relation that the related row holds', async () => {
    const { music, read } = catalogue()
    await music.patch('/albums/1', {
      body: bodyOf({ attributes: { portraitUrl: 'https://example.com/new.png' } }, '1'),
    })
    expect(await read('/portraits/1')).toEqual({ url: 'https://example.com/new.png' })
  })

  test('after the relationships of the same body are applied', async () => {
    const { music, read } = catalogue()
    const { resource } = await music.patch('/albums/1', {
      body: bodyOf({ attributes: { artistName: 'Gudmundsdóttir'.slice(0, 12) }, artist: '2' }, '1'),
    })
    expect(resource.attributes).toMatchObject({ artistName: 'Gudmundsdótt' })
    expect(await read('/artists/1')).toMatchObject({ name: 'Radiohead' })
    expect(await read('/artists/2')).toMatchObject({ name: 'Gudmundsdótt' })
  })

  test('on create, to the row that the body names', async () => {
    const { music, read } = catalogue()
    const { status, resource } = await music.post('/albums', {
      body: bodyOf({ attributes: { title: 'Amnesiac', artistName: 'RH' }, artist: '1' }),
    })
    expect(status).toBe(201)
    expect(resource.attributes).toMatchObject({ artistName: 'RH', labelName: 'XL' })
    expect(await read('/artists/1')).toMatchObject({ name: 'RH' })
  })

  test('not at all if it equals the stored value', async () => {
    const { music, writes } = catalogue()
    const attributes = { artistName: 'Radiohead', artistFounded: '1985-01-01', producerName: 'Björk', labelName: 'XL' }
    expect((await music.patch('/albums/1', { body: bodyOf({ attributes }, '1') })).status).toBe(200)
    expect(writes).toEqual([])
  })
})

describe('if a relation of the path is empty', () => {
  test('422 reports every such attribute, and nothing is written', async () => {
    const { music, read, writes } = catalogue()
    const attributes = { title: 'Acetate', artistName: 'Nobody', portraitUrl: 'https://example.com/x.png' }
    const response = await music.patch('/albums/4', { body: bodyOf({ attributes }, '4') })
    expectErrors(response, [ownerMissing('artistName', 'artist'), ownerMissing('portraitUrl', 'artist.portrait')])
    expect(writes).toEqual([])
    expect(await read('/albums/4')).toMatchObject({ title: 'Test Pressing' })
  })

  test('at its last relation, too', async () => {
    const { music } = catalogue()
    const response = await music.patch('/albums/2', { body: bodyOf({ attributes: { labelName: 'One Little' } }, '2') })
    expectErrors(response, [ownerMissing('labelName', 'artist.label')])
  })

  test('nothing is written in stores without transactions, either', async () => {
    const music = client(flattenedMusic({ ...flattenedData(), transactions: null }))
    const attributes = { title: 'Acetate', artistName: 'Nobody' }
    const body = bodyOf({ attributes }, '4')
    expectErrors(await music.patch('/albums/4', { body }), [ownerMissing('artistName', 'artist')])
    expectErrors(await music.post('/albums', { body: bodyOf({ attributes }) }), [ownerMissing('artistName', 'artist')])
    const { resources } = await music.get('/albums')
    expect(resources.map((resource) => resource.attributes?.['title'])).not.toContain('Acetate')
  })

  test('nothing is created either', async () => {
    const { music } = catalogue()
    const body = bodyOf({ attributes: { title: 'Amnesiac', artistName: 'Radiohead' } })
    expectErrors(await music.post('/albums', { body }), [ownerMissing('artistName', 'artist')])
    expect((await music.get('/albums')).resources).toHaveLength(4)
    expect((await music.get('/artists', staff)).resources).toHaveLength(3)
  })

  test('a row that the caller does not see counts as missing', async () => {
    const { music, read } = catalogue()
    const body = bodyOf({ attributes: { artistName: 'William' } }, '3')
    expectErrors(await music.patch('/albums/3', { body }), [ownerMissing('artistName', 'artist')])
    expect(await read('/artists/3')).toMatchObject({ name: 'Burial' })
    expect((await music.patch('/albums/3', { ...staff, body })).status).toBe(200)
    expect(await read('/artists/3')).toMatchObject({ name: 'William' })
  })

  test('after the same body has cleared it, the attribute has no row', async () => {
    const { music, read } = catalogue()
    const body = bodyOf({ attributes: { artistName: 'Nobody' }, artist: null }, '1')
    expectErrors(await music.patch('/albums/1', { body }), [ownerMissing('artistName', 'artist')])
    expect(await read('/albums/1')).toMatchObject({ artistName: 'Radiohead' })
  })

  test('null, which equals the value that is read, changes nothing and is accepted', async () => {
    const { music, writes } = catalogue()
    const nothing = { artistName: null, artistFounded: null, labelName: null }
    expect((await music.patch('/albums/4', { body: bodyOf({ attributes: nothing }, '4') })).status).toBe(200)
    expect((await music.patch('/albums/2', { body: bodyOf({ attributes: { labelName: null } }, '2') })).status).toBe(
      200,
    )
    expect(writes).toEqual([])
    const cleared = bodyOf({ attributes: nothing, artist: null }, '1')
    expect((await music.patch('/albums/1', { body: cleared })).resource.attributes).toMatchObject(nothing)
  })

  test('null is not accepted for an existing row, unless the attribute is nullable', async () => {
    const { music, read } = catalogue()
    const cleared = { artistName: null, artistFounded: null }
    expectErrors(await music.patch('/albums/1', { body: bodyOf({ attributes: cleared }, '1') }), [
      {
        code: 'VALIDATION_FAILED',
        detail: 'This must not be null.',
        pointer: '/data/attributes/artistName',
      },
    ])
    expectErrors(await music.patch('/albums/4', { body: bodyOf({ attributes: cleared, artist: '1' }, '4') }), [
      {
        code: 'VALIDATION_FAILED',
        detail: 'This must not be null.',
        pointer: '/data/attributes/artistName',
      },
    ])
    const founded = bodyOf({ attributes: { artistFounded: null } }, '1')
    expect((await music.patch('/albums/1', { body: founded })).status).toBe(200)
    expect(await read('/artists/1')).toMatchObject({ foundedOn: null })
  })

  test('on create, null counts as not sent', async () => {
    const { music } = catalogue()
    expectErrors(await music.post('/albums', { body: bodyOf({ attributes: { title: 'X', artistName: null } }) }), [
      { code: 'VALIDATION_FAILED', detail: 'This is required.', pointer: '/data/attributes/artistName' },
    ])
    const body = bodyOf({ attributes: { title: 'X', artistName: 'RH', labelName: null }, artist: '2' })
    expect((await music.post('/albums', { body })).status).toBe(201)
  })
})

describe('the values of flattened attributes are checked', () => {
  test('by their own rules', async () => {
    const { music, writes } = catalogue()
    const body = bodyOf({ attributes: { artistName: 'A Silver Mt. Zion' } }, '1')
    expectErrors(await music.patch('/albums/1', { body }), [
      {
        code: 'VALIDATION_FAILED',
        detail: 'This must have at most 12 characters.',
        pointer: '/data/attributes/artistName',
      },
    ])
    expect(writes).toEqual([])
  })

  test('with validateStored also if they are not sent, like other attributes', async () => {
    const { music, read } = catalogue({ validateStored: true })
    const name = 'The Flaming Lips'
    await music.patch('/artists/2', { body: { data: { type: 'artists', id: '2', attributes: { name } } } })
    expectErrors(await music.patch('/albums/1', { body: bodyOf({ artist: '2' }, '1') }), [
      { code: 'VALIDATION_FAILED', pointer: '/data/attributes/artistName' },
    ])
    expect(await read('/albums/1')).toMatchObject({ artistName: 'Radiohead' })
    expect(
      (await music.patch('/albums/1', { body: bodyOf({ attributes: { artistName: 'Lips' }, artist: '2' }, '1') }))
        .status,
    ).toBe(200)
  })

  test('together with the others, with their values after the write', async () => {
    const { music } = datedMusic()
    const tooEarly = [{ code: 'VALIDATION_FAILED', pointer: '/data/attributes/releasedOn' }]
    expectErrors(
      await music.patch('/albums/1', { body: bodyOf({ attributes: { releasedOn: '1980-01-01' } }, '1') }),
      tooEarly,
    )
    expectErrors(
      await music.patch('/albums/1', { body: bodyOf({ attributes: { founded: '2001-01-01' } }, '1') }),
      tooEarly,
    )
    expectErrors(await music.patch('/albums/1', { body: bodyOf({ artist: '2' }, '1') }), tooEarly)
    expectErrors(await music.patch('/albums/1', { body: bodyOf({ attributes: { reissuedOn: '1980-01-01' } }, '1') }), [
      { code: 'VALIDATION_FAILED', pointer: '/data/attributes/reissuedOn' },
    ])
    expect(
      (await music.patch('/albums/1', { body: bodyOf({ attributes: { releasedOn: '1986-01-01' } }, '1') })).status,
    ).toBe(200)
  })
})

/** Albums come after the founding of their artists. */
function datedMusic() {
  const albums = defineResource('albums', {
    model: model<{ id: number; releasedOn: string; reissuedOn: string | null; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({
      releasedOn: a.date().compareWith('founded', '>'),
      founded: a.date().on('artist'),
      reissuedOn: a.date().nullable().compareWith('known', '>'),
      known: a.date().on('artist').storedAs('founded').readOnly(),
    }),
    relations: { artist: belongsTo('artists') },
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; founded: string }>('artists'),
    id: id(),
    attributes: (a) => ({ founded: a.date() }),
  })
  const data = storedData({
    artists: [
      { id: 1, founded: '1985-01-01' },
      { id: 2, founded: '2005-01-01' },
    ],
    albums: [{ id: 1, releasedOn: '2000-10-02', reissuedOn: null, artistId: 1 }],
  })
  return { music: client(createServer({ resources: [albums, artists], data })) }
}

test('the resource of a GET response can be sent back, and changes nothing', async () => {
  const { music, writes } = catalogue()
  for (const key of ['1', '2', '3', '4']) {
    const { document } = await music.get(`/albums/${key}`)
    const response = await music.patch(`/albums/${key}`, { body: { data: document?.data } })
    expect(response.status).toBe(200)
    expect(response.document).toEqual(document)
  }
  expect(writes.filter((write) => !write.startsWith('albums'))).toEqual([])
})
