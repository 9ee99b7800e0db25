import { belongsTo, hasMany } from 'ashlar'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const headers = { accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"` }

const get = (path: string) => client(catalogueServer(), { headers }).get(path)

const unrecognized = (parameter: string) => [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }]

describe('relatedQuery', () => {
  test('has no meaning unless the profile is negotiated', async () => {
    const path = '/albums/1?include=tracks&relatedQuery[tracks][filter][title]=air'
    expectErrors(await client(catalogueServer()).get(path), unrecognized('relatedQuery'))
    expectErrors(await client(catalogueServer()).get(path.replace('relatedQuery', 'rQ')), unrecognized('rQ'))
    const { document } = await client(catalogueServer({ strictQueryParameters: false })).get(path)
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2', 'tracks 6'])
  })

  test('filters the linkage of a relationship, and included matches', async () => {
    const { document, resources } = await get('/albums?include=tracks&relatedQuery[tracks][filter][title]=a')
    const linked = [
      ['tracks 1', 'tracks 2', 'tracks 6'],
      ['tracks 3'],
      ['tracks 4', 'tracks 9'],
      ['tracks 5', 'tracks 10', 'tracks 12'],
    ]
    expect(resources.map(({ relationships }) => shown(relationships?.['tracks']?.data))).toEqual(linked)
    expect(shown(document?.included)).toEqual(linked.flat())
    const filtered = await get('/albums?include=tracks&relatedQuery[tracks][filter][title]=air')
    expect(filtered.resources.map(({ relationships }) => shown(relationships?.['tracks']?.data))).toEqual([
      ['tracks 1'],
      [],
      [],
      [],
    ])
    expect(shown(filtered.document?.included)).toEqual(['tracks 1'])
  })

  test('sorts it', async () => {
    const { document, resource } = await get('/albums/1?include=tracks&relatedQuery[tracks][sort]=-title')
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 2', 'tracks 6', 'tracks 1'])
    expect(shown(document?.included)).toEqual(['tracks 2', 'tracks 6', 'tracks 1'])
  })

  test('has the short form rQ; if both set the same part, the long one wins', async () => {
    const short = await get('/albums/1?include=tracks&rQ[tracks][filter][title]=air&rQ[tracks][sort]=-title')
    expect(shown(short.resource.relationships?.['tracks']?.data)).toEqual(['tracks 1'])
    const mixed = '/albums/1?include=tracks&rQ[tracks][sort]=title&relatedQuery[tracks][sort]=-title'
    expect(shown((await get(mixed)).resource.relationships?.['tracks']?.data)).toEqual([
      'tracks 2',
      'tracks 6',
      'tracks 1',
    ])
    const joined = '/albums/1?include=tracks&rQ[tracks][sort]=title&relatedQuery[tracks][filter][title]=p'
    expect(shown((await get(joined)).resource.relationships?.['tracks']?.data)).toEqual(['tracks 6', 'tracks 2'])
  })

  test('uses the filters and sorts of the related type, overridden by those of the relation', async () => {
    const long = await get('/albums/1?include=tracks&rQ[tracks][filter][longerThan]=300')
    expect(shown(long.resource.relationships?.['tracks']?.data)).toEqual(['tracks 2'])
    const sorted = await get('/albums/1?include=tracks&rQ[tracks][sort]=-duration')
    expect(shown(sorted.resource.relationships?.['tracks']?.data)).toEqual(['tracks 2', 'tracks 1', 'tracks 6'])
  })

  test('does not change the primary collection', async () => {
    const { resources } = await get('/albums?relatedQuery[tracks][filter][title]=air&filter[title]=kid')
    expect(shown(resources)).toEqual(['albums 2'])
  })

  test('applies to linkage that is always shown', async () => {
    const { resource } = await get('/tracks/1?rQ[playlists][sort]=')
    expect(resource.relationships?.['playlists']?.data).toHaveLength(2)
    const api = client(
      recordShop({ albums: { relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').withData() } } }),
      { headers },
    )
    const { resource: album } = await api.get('/albums/1?rQ[tracks][sort]=-title')
    expect(shown(album.relationships?.['tracks']?.data)).toEqual(['tracks 2', 'tracks 1'])
  })

  test('does not add linkage to a relation that renders links only', async () => {
    const { resource } = await get('/albums/1?rQ[tracks][sort]=-title')
    expect(resource.relationships?.['tracks']).toEqual({ links: relationshipLinks('/albums/1', 'tracks') })
  })

  test('is applied on related reads, for the relations of the related type', async () => {
    const { resources } = await get('/artists/1/albums?include=tracks&rQ[tracks][filter][title]=air')
    expect(resources.map(({ relationships }) => shown(relationships?.['tracks']?.data))).toEqual([['tracks 1'], []])
  })

  test('is applied on the responses to writes', async () => {
    const body = resourceBody('albums', { title: 'OKNOTOK' }, '1')
    const api = client(catalogueServer(), { headers })
    const { document, resource } = await api.patch('/albums/1?include=tracks&rQ[tracks][filter][title]=air', { body })
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1'])
    expect(shown(document?.included)).toEqual(['tracks 1'])
  })
})

describe('a filter of a to-one', () => {
  test('that excludes its target makes linkage null, with no included entry', async () => {
    const { document, resources } = await get('/albums?include=artist&rQ[artist][filter][name]=Radiohead')
    expect(resources.map(({ relationships }) => relationships?.['artist']?.data)).toEqual([
      { type: 'artists', id: '1' },
      { type: 'artists', id: '1' },
      null,
      null,
    ])
    expect(shown(document?.included)).toEqual(['artists 1'])
  })

  test('applies to linkage that is not included', async () => {
    const { resources } = await get('/albums?rQ[artist][filter][name]=Radiohead')
    expect(resources[2]?.relationships?.['artist']).toEqual({
      links: relationshipLinks('/albums/3', 'artist'),
      data: null,
    })
    expect(resources[0]?.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '1' })
  })
})

describe('relationships that relatedQuery cannot address', () => {
  test.each([
    ['/albums', 'relatedQuery[tracks.playlists][sort]=title', 'relatedQuery[tracks.playlists]', 'a dotted path'],
    ['/albums', 'rQ[nonsense][sort]=title', 'rQ[nonsense]', 'an unknown relation'],
    ['/albums', 'rQ[title][sort]=title', 'rQ[title]', 'an attribute'],
    ['/albums', 'rQ[artist][sort]=name', 'rQ[artist]', 'the sort of a to-one'],
    ['/albums/1', 'relatedQuery[artist][page][size]=1', 'relatedQuery[artist]', 'the page of a to-one'],
    ['/libraries/1', 'rQ[items][filter][title]=x', 'rQ[items]', 'a polymorphic to-many'],
    ['/favorites', 'rQ[favoritable][filter][title]=x', 'rQ[favoritable]', 'a polymorphic to-one'],
    ['/albums/1/relationships/tracks', 'rQ[playlists][sort]=title', 'rQ[playlists]', 'anything of identifiers'],
  ])('%s?%s is 400 at %s: %s', async (address, query, parameter) => {
    expectErrors(await get(`${address}?${query}`), unrecognized(parameter))
  })

  test('a hidden relation is unknown', async () => {
    const relations = { artist: belongsTo('artists'), tracks: hasMany('tracks').hidden() }
    const api = client(recordShop({ albums: { relations } }), { headers })
    expectErrors(await api.get('/albums?rQ[tracks][sort]=title'), unrecognized('rQ[tracks]'))
  })

  test("unknown keys and bad values give the related endpoint's 400s, even if the relation renders links only", async () => {
    for (const address of ['/albums', '/albums/1?include=tracks']) {
      const send = (query: string) => get(`${address}${address.includes('?') ? '&' : '?'}${query}`)
      expectErrors(await send('rQ[tracks][filter][nonsense]=1'), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'rQ[tracks][filter][nonsense]' },
      ])
      expectErrors(await send('relatedQuery[tracks][sort]=nonsense'), [
        { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'relatedQuery[tracks][sort]' },
      ])
      expectErrors(await send('rQ[tracks][filter][explicit]=perhaps'), [
        { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'rQ[tracks][filter][explicit]' },
      ])
    }
  })

  test.each([
    ['relatedQuery=x', 'relatedQuery'],
    ['relatedQuery[]=x', 'relatedQuery'],
    ['relatedQuery[tracks]=x', 'relatedQuery[tracks]'],
    ['rQ[tracks][nonsense]=x', 'rQ[tracks]'],
    ['rQ[tracks][sort][]=x', 'rQ[tracks][sort]'],
    ['rQ[tracks][filter]=x', 'rQ[tracks][filter]'],
  ])('%s is malformed', async (query, parameter) => {
    expectErrors(await get(`/albums?${query}`), [{ status: 400, code: 'QUERY_PARAM_MALFORMED', parameter }])
  })

  test('the page of a to-many is ignored: further pages have their own URL', async () => {
    exemptFromDescription('queries', 'A relationship ignores pages.')
    const { status, resource } = await get('/albums/1?include=tracks&rQ[tracks][page][size]=1')
    expect(status).toBe(200)
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1', 'tracks 2', 'tracks 6'])
  })
})
