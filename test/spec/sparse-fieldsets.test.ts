import { expectErrors, type TestResource } from 'ashlar/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { calls, forgetCalls, namesOf, run, sparseAlbums } from '../support/sparse-albums.js'

const staff = { headers: { 'X-Staff': 'yes' } }
const api = sparseAlbums()
const one = async (query: string, options = {}): Promise<TestResource> =>
  (await api.get(`/albums/1?${query}`, options)).resource

beforeEach(forgetCalls)

describe('without a fieldset', () => {
  test('every member is shown but hidden, write-only and sparse-by-default ones', async () => {
    expect(namesOf(await one(''))).toEqual(['title', 'year', 'note', 'shout', 'length', 'artist', 'tracks', 'critics'])
  })

  test('the function of a sparse-by-default member is not run', async () => {
    await one('')
    expect(run.sparse).not.toHaveBeenCalled()
  })
})

describe('a fieldset', () => {
  test('drops unlisted members, attributes and relationships alike; id, type and links stay', async () => {
    expect(await one('fields[albums]=title,artist')).toEqual({
      type: 'albums',
      id: '1',
      attributes: { title: 'Kid A' },
      relationships: {
        artist: {
          links: {
            self: 'http://localhost/albums/1/relationships/artist',
            related: 'http://localhost/albums/1/artist',
          },
          data: { type: 'artists', id: '1', meta: { role: 'main' } },
        },
      },
      links: { self: 'http://localhost/albums/1' },
    })
  })

  test('retains the order of the declaration', async () => {
    expect(namesOf(await one('fields[albums]=tracks,shout,artist,title'))).toEqual([
      'title',
      'shout',
      'artist',
      'tracks',
    ])
  })

  test('that is empty leaves neither attributes nor relationships', async () => {
    const bare = { type: 'albums', id: '1', links: { self: 'http://localhost/albums/1' } }
    expect(await one('fields[albums]=')).toEqual(bare)
    expect(await one('fields[albums]')).toEqual(bare)
    expect(await one('fields[albums]=,')).toEqual(bare)
  })

  test('may name the id, which is there anyway', async () => {
    expect(namesOf(await one('fields[albums]=id'))).toEqual([])
    expect(namesOf(await one('fields[albums]=id,title'))).toEqual(['title'])
  })

  test('shows a sparse-by-default member that it names, attribute or relationship', async () => {
    expect((await one('fields[albums]=essay')).attributes).toEqual({ essay: 'about Kid A' })
    const { relationships } = await one('fields[albums]=reviews')
    expect(relationships?.['reviews']?.data).toEqual([
      { type: 'tracks', id: '1' },
      { type: 'tracks', id: '2' },
    ])
  })

  test('may name hidden and write-only members, and shows nothing of them', async () => {
    expect(namesOf(await one('fields[albums]=secret,password,ghost,title'))).toEqual(['title'])
    expect(namesOf(await one('fields[albums]=secret,password,ghost'))).toEqual([])
  })

  test('shows a member that a function hides to callers from whom it is not hidden', async () => {
    expect(namesOf(await one('fields[albums]=staffNote'))).toEqual([])
    expect((await one('fields[albums]=staffNote', staff)).attributes).toEqual({ staffNote: 'reissue' })
  })

  test('does not drop members that are not sparse fields', async () => {
    const artist = (await api.get('/artists/1?fields[artists]=')).resource
    expect(artist.attributes).toEqual({ name: 'Radiohead' })
    expect(artist.relationships?.['albums']?.data).toEqual([{ type: 'albums', id: '1' }])
  })

  test('of another type has no effect', async () => {
    expect(await one('fields[tracks]=title&fields[artists]=')).toEqual(await one(''))
  })
})

describe('only the functions of selected members run', () => {
  test.each([
    ['title', {}],
    ['shout', { computed: 1 }],
    ['length', { computedUsing: 1 }],
    ['year', { extract: 1 }],
    ['note', { serialize: 1 }],
    ['essay,title', { sparse: 1 }],
    ['artist', { linkage: 1 }],
    ['critics', { related: 1 }],
    ['', {}],
    ['secret,password,ghost', {}],
  ])('fields[albums]=%s', async (fieldset, expected) => {
    await one(`fields[albums]=${fieldset}`)
    expect(calls()).toEqual(expected)
  })

  test('the predicate of a member is called only if the member may be shown', async () => {
    await one('fields[albums]=title')
    expect(run.hidden).not.toHaveBeenCalled()
    await one('fields[albums]=staffNote')
    expect(run.hidden).toHaveBeenCalledOnce()
  })

  test('of included resources too', async () => {
    await api.get('/tracks?include=album&fields[albums]=shout,title')
    expect(calls()).toEqual({ computed: 1 })
  })

  test('of the response to a write too', async () => {
    const body = { data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } }
    await sparseAlbums().patch('/albums/1?fields[albums]=title', { body })
    expect(calls()).toEqual({})
  })
})

describe('an unknown member', () => {
  test.each([
    '/albums?fields[albums]=nobody',
    '/albums/1?fields[albums]=title,nobody',
    '/albums/1/tracks?fields[albums]=nobody',
    '/albums/1?fields[tracks]=nobody',
    '/albums/1?fields[albums]=type',
    '/albums/1?fields[albums]=Title',
    '/albums/1?fields[albums]=artist.name',
    '/albums/1?fields[nobody]=title',
  ])('%s is FIELDSET_MEMBER_UNRECOGNIZED with the parameter fields', async (target) => {
    expectErrors(await api.get(target), [{ status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' }])
  })

  test('a column of a map is no member, the map is', async () => {
    const catalogue = client(catalogueServer())
    const { resource } = await catalogue.get('/albums/1?fields[albums]=releaseInfo')
    expect(resource.attributes).toEqual({ releaseInfo: { label: 'Parlophone', catalogueNumber: 'NODATA 02' } })
    for (const member of ['label', 'releaseInfo.label']) {
      expectErrors(await catalogue.get(`/albums/1?fields[albums]=${member}`), [
        { code: 'FIELDSET_MEMBER_UNRECOGNIZED' },
      ])
    }
  })
})
