import type { CollectionCriteria, DataSource } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { namesOf, sparseAlbums, sparseRows } from '../support/sparse-albums.js'
import { storedData } from '../support/stored-data.js'

const api = sparseAlbums()

/** The columns that a store reads. */
async function columnsOf(target: string): Promise<readonly (readonly string[] | null)[]> {
  const data = storedData(sparseRows)
  const columns: CollectionCriteria['columns'][] = []
  const watching: DataSource = {
    ...data,
    provider(type) {
      const provider = data.provider(type)
      if (provider === null) return null
      return {
        ...provider,
        fetchOne(of, key, criteria) {
          columns.push(criteria.columns)
          return provider.fetchOne(of, key, criteria)
        },
      }
    },
  }
  await sparseAlbums(watching).get(target)
  return columns
}

describe('reads of the store', () => {
  test('have only the columns of the remaining members', async () => {
    expect(await columnsOf('/tracks/1?fields[tracks]=title')).toEqual([['id', 'title']])
    expect(await columnsOf('/tracks/1?fields[tracks]=')).toEqual([['id']])
    expect(await columnsOf('/tracks/1?fields[tracks]=album')).toEqual([['id', 'albumId']])
  })

  test('have the key of a relation that is left out if it is included', async () => {
    expect(await columnsOf('/tracks/1?fields[tracks]=title&include=album')).toEqual([['id', 'title', 'albumId']])
  })

  test('have the whole row if a member has a function', async () => {
    expect(await columnsOf('/albums/1?fields[albums]=shout')).toEqual([null])
  })
})

describe('the members that a fieldset may name', () => {
  test('are those of the type on the requested server', async () => {
    const catalogue = client(catalogueServer())
    const unknown = [{ status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' }]
    expect((await catalogue.get('/admin/users/1?fields[users]=email')).resource.attributes).toEqual({
      email: 'alice@music.example',
    })
    expectErrors(await catalogue.get('/playlists?fields[users]=email'), unknown)
    expectErrors(await catalogue.get('/admin/users?fields[artists]=name'), unknown)
  })
})

describe('fieldsets of included resources', () => {
  test('apply by the type of each', async () => {
    const { document, resource } = await api.get(
      '/albums/1?include=artist,tracks&fields[tracks]=title&fields[artists]=slug&fields[albums]=title,artist,tracks',
    )
    expect(namesOf(resource)).toEqual(['title', 'artist', 'tracks'])
    expect(document?.included?.map((each) => [each.type, namesOf(each)])).toEqual([
      ['artists', ['name', 'slug', 'albums']],
      ['tracks', ['title']],
      ['tracks', ['title']],
    ])
  })

  test('a relation that is left out is still included: its resources are in the document, its linkage is not', async () => {
    const { document, resource } = await api.get('/albums/1?include=tracks&fields[albums]=title&fields[tracks]=title')
    expect(resource).toEqual({
      type: 'albums',
      id: '1',
      attributes: { title: 'Kid A' },
      links: { self: 'http://localhost/albums/1' },
    })
    expect(document?.included).toEqual([
      { type: 'tracks', id: '1', attributes: { title: 'Idioteque' }, links: { self: 'http://localhost/tracks/1' } },
      { type: 'tracks', id: '2', attributes: { title: 'Optimistic' }, links: { self: 'http://localhost/tracks/2' } },
    ])
  })

  test('a path may go through relations that are left out', async () => {
    const { document } = await api.get('/tracks/1?include=album.artist&fields[tracks]=title&fields[albums]=title')
    expect(document?.included?.map((each) => [each.type, namesOf(each)])).toEqual([
      ['albums', ['title']],
      ['artists', ['name', 'slug', 'albums']],
    ])
  })

  test('a sparse-by-default relation that is included has its linkage, unless a fieldset leaves it out', async () => {
    const linked = (await api.get('/albums/1?include=reviews')).resource
    expect(linked.relationships?.['reviews']?.data).toHaveLength(2)
    const { document, resource } = await api.get('/albums/1?include=reviews&fields[albums]=title')
    expect(namesOf(resource)).toEqual(['title'])
    expect(document?.included).toHaveLength(2)
  })
})

describe('at the URLs of relations', () => {
  test('a fieldset is of the related type', async () => {
    const { resources } = await api.get('/albums/1/tracks?fields[tracks]=seconds')
    expect(resources.map(namesOf)).toEqual([['seconds'], ['seconds']])
    expect(namesOf((await api.get('/albums/1/artist?fields[artists]=slug&fields[albums]=')).resource)).toEqual([
      'name',
      'slug',
      'albums',
    ])
  })

  test('identifiers have no members to be left out, but a fieldset is checked as everywhere', async () => {
    const { document } = await api.get('/albums/1/relationships/tracks?fields[tracks]=title')
    expect(document?.data).toEqual([
      { type: 'tracks', id: '1' },
      { type: 'tracks', id: '2' },
    ])
    expectErrors(await api.get('/albums/1/relationships/tracks?fields[tracks]=nobody'), [
      { status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' },
    ])
  })

  test('each of several types has its own', async () => {
    const { resources } = await client(catalogueServer()).get(
      '/libraries/1/items?fields[tracks]=title&fields[albums]=status,title&fields[artists]=',
    )
    expect(resources.map((each) => [each.type, each.attributes])).toEqual([
      ['tracks', { title: 'Airbag' }],
      ['tracks', { title: 'So What' }],
      ['albums', { title: 'Kid A', status: 'released' }],
      ['artists', undefined],
    ])
  })
})
