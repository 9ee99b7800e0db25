import { defaultProfiles } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const labelled = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
const profiles = [...defaultProfiles, labelled]

/** A client that requests these profiles in every request. */
function clientWithProfiles(uris: readonly string[], settings: Parameters<typeof catalogueServer>[0] = {}): TestClient {
  const headers = uris.length === 0 ? {} : { Accept: `application/vnd.api+json; profile="${uris.join(' ')}"` }
  return client(catalogueServer({ profiles, ...settings }), { headers })
}

const plain = clientWithProfiles([])
const lenient = clientWithProfiles([], { strictQueryParameters: false })
const counting = clientWithProfiles([countableProfile.uri])
const querying = clientWithProfiles([relationshipQueriesProfile.uri])
const both = clientWithProfiles([countableProfile.uri, relationshipQueriesProfile.uri])

async function refuses(by: TestClient, target: string, code: string, parameter: string): Promise<void> {
  expectErrors(await by.get(target), [{ status: 400, code, parameter }])
}

const linkage = async (by: TestClient, target: string, name: string): Promise<unknown> =>
  (await by.get(target)).resource.relationships?.[name]?.data

/** The content of a document, without its own URL. */
async function content(by: TestClient, target: string): Promise<object> {
  const { data, included, meta } = (await by.get(target)).document ?? {}
  return { data, included, meta }
}

const tracks = (...ids: readonly string[]) => ids.map((id) => ({ type: 'tracks', id, meta: { served_by: 'music' } }))

describe('the families of a profile that was not negotiated', () => {
  test.each([
    ['withCount=_self_', 'withCount'],
    ['withCount=nobody', 'withCount'],
    ['relatedQuery[tracks][sort]=-title', 'relatedQuery'],
    ['rQ[tracks][sort]=-title', 'rQ'],
    ['labelLanguage=is', 'labelLanguage'],
  ])('%s is QUERY_PARAM_UNRECOGNIZED, and without strict validation it has no meaning', async (query, family) => {
    for (const address of ['/albums', '/albums/1', '/albums/1/tracks', '/albums/1/relationships/tracks']) {
      await refuses(plain, `${address}?${query}`, 'QUERY_PARAM_UNRECOGNIZED', family)
      expect(await content(lenient, `${address}?${query}`)).toEqual(await content(lenient, address))
    }
  })

  test('another profile does not enable them', async () => {
    await refuses(counting, '/albums?rQ[tracks][sort]=title', 'QUERY_PARAM_UNRECOGNIZED', 'rQ')
    await refuses(querying, '/albums?withCount=_self_', 'QUERY_PARAM_UNRECOGNIZED', 'withCount')
  })
})

describe('a profile of the application', () => {
  test('enables its own families if it is negotiated', async () => {
    const api = clientWithProfiles([labelled.uri])
    const { document, headers } = await api.get('/albums?labelLanguage=is&labelLanguage[]=x')
    expect(document?.data).toHaveLength(4)
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [labelled.uri] })
    expect(headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${labelled.uri}"`)
    await refuses(api, '/albums?labelLanguages=is', 'QUERY_PARAM_UNRECOGNIZED', 'labelLanguages')
  })
})

describe('withCount', () => {
  test('takes a comma list: blanks are dropped, and duplicates count once', async () => {
    const { document } = await counting.get('/albums?withCount=,_self_,tracks,tracks,,_self_')
    expect(document?.meta).toMatchObject({ total: 4 })
    const { resources } = await counting.get('/albums?withCount=tracks')
    expect(resources.map(({ relationships }) => relationships?.['tracks']?.meta)).toEqual([
      { total: 3 },
      { total: 2 },
      { total: 3 },
      { total: 4 },
    ])
  })

  test('has no effect if it is empty', async () => {
    expect(await content(counting, '/albums?withCount=')).toEqual(await content(counting, '/albums'))
  })

  test('with brackets is QUERY_PARAM_MALFORMED', async () => {
    for (const name of ['withCount[]', 'withCount[tracks]', 'withCount[a][b]']) {
      await refuses(counting, `/albums?${name}=tracks`, 'QUERY_PARAM_MALFORMED', 'withCount')
    }
  })

  test.each([
    ['/albums?withCount=nobody', 'nobody'],
    ['/albums?withCount=artist', 'artist'],
    ['/albums/1?withCount=artist,tracks,nobody', 'artist, nobody'],
    ['/artists?withCount=albums', 'albums'],
    ['/albums?withCount=__proto__', '__proto__'],
    ['/albums?withCount=title', 'title'],
    ['/libraries?withCount=_self_', '_self_'],
    ['/albums/1/artist?withCount=_self_', '_self_'],
    ['/artists/1/albums?withCount=_self_', '_self_'],
    ['/artists/1/relationships/albums?withCount=_self_', '_self_'],
    ['/albums/1/relationships/artist?withCount=_self_', '_self_'],
  ])(
    '%s is RELATIONSHIP_COUNT_NOT_ALLOWED, and the detail names the relations that cannot be counted',
    async (target, names) => {
      const [error] = expectErrors(await counting.get(target), [
        { status: 400, code: 'RELATIONSHIP_COUNT_NOT_ALLOWED', parameter: 'withCount' },
      ])
      expect(error?.detail).toContain(names)
    },
  )

  test('has the limit of include paths', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `n${index}`).join(',')
    await refuses(counting, `/albums?withCount=${names}`, 'LIMIT_EXCEEDED', 'withCount')
  })
})

describe('relatedQuery and its short form rQ', () => {
  test.each(['relatedQuery', 'rQ'])('%s sorts and filters the linkage of a relationship', async (family) => {
    expect(await linkage(querying, `/albums/1?include=tracks&${family}[tracks][sort]=-title`, 'tracks')).toEqual(
      tracks('2', '6', '1'),
    )
    expect(await linkage(querying, `/albums/1?include=tracks&${family}[tracks][filter][title]=air`, 'tracks')).toEqual(
      tracks('1'),
    )
    // The filters and sorts of the relation itself apply here too.
    const scoped = `${family}[tracks][filter][longerThan]=270&${family}[tracks][sort]=-duration`
    expect(await linkage(querying, `/albums/1?include=tracks&${scoped}`, 'tracks')).toEqual(tracks('2', '1'))
  })

  test('brackets may be percent-encoded', async () => {
    const target = '/albums/1?include=tracks&rQ%5Btracks%5D%5Bsort%5D=-title'
    expect(await linkage(querying, target, 'tracks')).toEqual(tracks('2', '6', '1'))
  })

  test('if both set the same part of one relationship, the long form wins', async () => {
    const short = 'rQ[tracks][sort]=title'
    const long = 'relatedQuery[tracks][sort]=-title'
    for (const query of [`${short}&${long}`, `${long}&${short}`]) {
      expect(await linkage(querying, `/albums/1?include=tracks&${query}`, 'tracks')).toEqual(tracks('2', '6', '1'))
    }
  })

  test('of different parts, both apply', async () => {
    const query = 'rQ[tracks][sort]=title&relatedQuery[tracks][filter][title]=ar'
    expect(await linkage(querying, `/albums/1?include=tracks&${query}`, 'tracks')).toEqual(tracks('6', '2'))
  })

  test.each([
    ['relatedQuery=x', 'relatedQuery'],
    ['relatedQuery[]=x', 'relatedQuery'],
    ['rQ[][sort]=x', 'rQ'],
    ['relatedQuery[tracks]=x', 'relatedQuery[tracks]'],
    ['rQ[tracks]=x', 'rQ[tracks]'],
    ['relatedQuery[tracks][nobody]=x', 'relatedQuery[tracks]'],
    ['relatedQuery[tracks][__proto__]=x', 'relatedQuery[tracks]'],
    ['relatedQuery[tracks][sort][]=title', 'relatedQuery[tracks][sort]'],
    ['rQ[tracks][sort][a]=title', 'rQ[tracks][sort]'],
    ['relatedQuery[tracks][filter]=x', 'relatedQuery[tracks][filter]'],
    ['rQ[tracks][filter][]=x', 'rQ[tracks][filter]'],
  ])('%s is QUERY_PARAM_MALFORMED', async (query, parameter) => {
    await refuses(querying, `/albums?${query}`, 'QUERY_PARAM_MALFORMED', parameter)
  })

  test.each([
    ['/albums?relatedQuery[nobody][sort]=title', 'relatedQuery[nobody]'],
    ['/albums?rQ[nobody][filter][title]=x', 'rQ[nobody]'],
    ['/albums?rQ[title][sort]=title', 'rQ[title]'],
    ['/albums?rQ[__proto__][sort]=title', 'rQ[__proto__]'],
    // Only the relations of the primary resources can be addressed.
    ['/albums?include=tracks.album&relatedQuery[tracks.album][filter][title]=x', 'relatedQuery[tracks.album]'],
    // One resource is neither sorted nor cut into pages.
    ['/albums?relatedQuery[artist][sort]=name', 'relatedQuery[artist]'],
    ['/albums?rQ[artist][page][size]=1', 'rQ[artist]'],
    // Several types have nothing in common to query.
    ['/libraries?rQ[items][sort]=title', 'rQ[items]'],
    ['/libraries?rQ[items][page][size]=1', 'rQ[items]'],
    ['/favorites?relatedQuery[favoritable][filter][title]=x', 'relatedQuery[favoritable]'],
    // Identifiers have no relationships.
    ['/albums/1/relationships/tracks?rQ[album][filter][title]=x', 'rQ[album]'],
  ])('%s addresses nothing: QUERY_PARAM_UNRECOGNIZED', async (target, parameter) => {
    await refuses(querying, target, 'QUERY_PARAM_UNRECOGNIZED', parameter)
  })

  test('unknown keys and bad values are the errors of the related endpoint, at the parameter that was sent', async () => {
    await refuses(
      querying,
      '/albums?relatedQuery[tracks][filter][nobody]=x',
      'FILTERING_UNRECOGNIZED',
      'relatedQuery[tracks][filter][nobody]',
    )
    await refuses(
      querying,
      '/albums?rQ[tracks][filter][longerThan]=x',
      'FILTER_VALUE_INVALID',
      'rQ[tracks][filter][longerThan]',
    )
    await refuses(querying, '/albums?rQ[tracks][sort]=nobody', 'SORTING_UNRECOGNIZED', 'rQ[tracks][sort]')
    const mixed = 'relatedQuery[tracks][filter][title]=a&rQ[tracks][sort]=nobody'
    await refuses(querying, `/albums?${mixed}`, 'SORTING_UNRECOGNIZED', 'rQ[tracks][sort]')
  })

  test('have the limits of filter and sort', async () => {
    const keys = Array.from({ length: 101 }, () => 'title').join(',')
    await refuses(querying, `/albums?rQ[tracks][sort]=${keys}`, 'LIMIT_EXCEEDED', 'rQ[tracks][sort]')
    const values = Array.from({ length: 1001 }, () => 'x').join(',')
    await refuses(
      querying,
      `/albums?rQ[tracks][filter][genres]=${values}`,
      'LIMIT_EXCEEDED',
      'rQ[tracks][filter][genres]',
    )
  })

  test('are checked although the relation is not shown with its linkage', async () => {
    await refuses(
      querying,
      '/albums?fields[albums]=title&rQ[tracks][sort]=nobody',
      'SORTING_UNRECOGNIZED',
      'rQ[tracks][sort]',
    )
  })

  test('a page is ignored on a to-many', async () => {
    exemptFromDescription('queries', 'A relationship ignores pages.')
    expect(await linkage(querying, '/albums/1?include=tracks&rQ[tracks][page][size]=1', 'tracks')).toEqual(
      tracks('1', '2', '6'),
    )
  })

  test('a filter that a to-one does not meet makes it null, and nothing of it is included', async () => {
    const target = '/albums/1?include=artist&rQ[artist][filter][name]='
    expect(await linkage(querying, `${target}Radiohead`, 'artist')).toEqual({ type: 'artists', id: '1' })
    const { resource, document } = await querying.get(`${target}Björk`)
    expect(resource.relationships?.['artist']?.data).toBeNull()
    expect(document?.included).toEqual([])
  })

  test('a count reflects the filter', async () => {
    const { resource } = await both.get('/albums/1?withCount=tracks&rQ[tracks][filter][title]=air')
    expect(resource.relationships?.['tracks']?.meta).toEqual({ total: 1 })
  })
})
