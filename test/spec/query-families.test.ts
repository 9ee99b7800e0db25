import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const api = client(catalogueServer())
const lenient = client(catalogueServer({ strictQueryParameters: false }))

const ids = async (target: string): Promise<readonly string[]> => (await api.get(target)).resources.map(({ id }) => id)

async function refuses(target: string, code: string, parameter: string, by = api): Promise<void> {
  expectErrors(await by.get(target), [{ status: 400, code, parameter }])
}

/** Every kind of address that a GET may have. */
const addresses = [
  '/albums',
  '/albums/1',
  '/albums/1/artist',
  '/albums/1/tracks',
  '/libraries/1/items',
  '/favorites/fav-z/favoritable',
  '/albums/1/relationships/artist',
  '/albums/1/relationships/tracks',
  '/libraries/1/relationships/items',
] as const

describe('an unrecognized family', () => {
  test.each(addresses)('is QUERY_PARAM_UNRECOGNIZED at %s, with the family as the parameter', async (address) => {
    await refuses(`${address}?nonsense=1`, 'QUERY_PARAM_UNRECOGNIZED', 'nonsense')
    await refuses(`${address}?my-own[deep][]=1`, 'QUERY_PARAM_UNRECOGNIZED', 'my-own')
    await refuses(`${address}?nonsense=1`, 'QUERY_PARAM_UNRECOGNIZED', 'nonsense', lenient)
    expect((await lenient.get(`${address}?my-own[deep][]=1`)).status).toBe(200)
  })

  test('is reported before all other errors of the query, and the first of several is reported', async () => {
    await refuses('/albums?sort=nobody&nonsense=1&other=2', 'QUERY_PARAM_UNRECOGNIZED', 'nonsense')
    await refuses('/albums?filter[nobody]=1&include=nobody&Nonsense', 'QUERY_PARAM_UNRECOGNIZED', 'Nonsense')
  })

  test('is reported for a missing resource too', async () => {
    await refuses('/albums/999?nonsense=1', 'QUERY_PARAM_UNRECOGNIZED', 'nonsense')
  })

  test('without strict validation, a name with other characters than a-z is ignored, whatever its value', async () => {
    const all = (await lenient.get('/albums')).resources
    for (const query of ['camelCase=%F0%9F%8E%B5', 'x-1', 'é=1', 'a.b=1&a.b=2', '_=1', 'constructor1[__proto__]=x']) {
      expect((await lenient.get(`/albums?${query}`)).resources).toEqual(all)
    }
  })

  test('without strict validation, known families are still read', async () => {
    const { resources } = await lenient.get('/albums?page[size]=1&otherThing=1&sort=-title')
    expect(resources.map(({ id }) => id)).toEqual(['1'])
    await refuses('/albums?sort=nobody', 'SORTING_UNRECOGNIZED', 'sort', lenient)
    await refuses('/albums?filter[nobody]=1', 'FILTERING_UNRECOGNIZED', 'filter[nobody]', lenient)
  })

  test('names of Object.prototype members are ordinary names', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const name of ['__proto__', 'hasOwnProperty', 'toString']) {
      await refuses(`/albums?${name}=1`, 'QUERY_PARAM_UNRECOGNIZED', name)
      await refuses(`/albums?${name}[a]=1`, 'QUERY_PARAM_UNRECOGNIZED', name)
      await refuses(`/albums?filter[${name}]=1`, 'FILTERING_UNRECOGNIZED', `filter[${name}]`)
      await refuses(`/albums?sort=${name}`, 'SORTING_UNRECOGNIZED', 'sort')
      await refuses(`/albums?include=${name}`, 'INCLUSION_UNRECOGNIZED', 'include')
      await refuses(`/albums?include=artist.${name}`, 'INCLUSION_UNRECOGNIZED', 'include')
      await refuses(`/albums?fields[albums]=${name}`, 'FIELDSET_MEMBER_UNRECOGNIZED', 'fields')
      await refuses(`/albums?fields[${name}]=title`, 'FIELDSET_MEMBER_UNRECOGNIZED', 'fields')
      expect((await api.get(`/albums?page[${name}]=1`)).status).toBe(200)
    }
  })
})

describe('a family of the application', () => {
  const registered = client(catalogueServer({ queryFamilies: ['labelLocale', 'sortOf'] }))

  test.each(addresses)('is accepted at %s, in every shape, and changes nothing', async (address) => {
    const { data } = (await api.get(address)).document ?? {}
    for (const query of [
      'labelLocale=is',
      'labelLocale',
      'labelLocale[]=a&labelLocale[]=b',
      'labelLocale[a][b]=c',
      'sortOf=nobody',
    ]) {
      expect((await registered.get(`${address}?${query}`)).document?.data).toEqual(data)
    }
  })

  test('enables no other', async () => {
    await refuses('/albums?labelLocales=is', 'QUERY_PARAM_UNRECOGNIZED', 'labelLocales', registered)
    await refuses('/albums?LabelLocale=is', 'QUERY_PARAM_UNRECOGNIZED', 'LabelLocale', registered)
  })
})

describe('parameters of lists, sent for one resource', () => {
  test('sort is SORTING_UNSUPPORTED, a filter FILTERING_UNRECOGNIZED, page QUERY_PARAM_UNRECOGNIZED', async () => {
    await refuses('/albums/1?sort=title', 'SORTING_UNSUPPORTED', 'sort')
    await refuses('/albums/1?filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]')
    await refuses('/albums/1?page[size]=1', 'QUERY_PARAM_UNRECOGNIZED', 'page')
  })
})

describe('a DELETE', () => {
  test.each([
    ['sort=title', 'SORTING_UNSUPPORTED', 'sort'],
    ['filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]'],
    ['page[size]=1', 'QUERY_PARAM_UNRECOGNIZED', 'page'],
    ['include=artist', 'INCLUSION_UNSUPPORTED', 'include'],
    ['fields[albums]=nobody', 'FIELDSET_MEMBER_UNRECOGNIZED', 'fields'],
  ])('with %s is 400, and deletes nothing', async (query, code, parameter) => {
    const shop = client(catalogueServer())
    expectErrors(await shop.delete(`/albums/1?${query}`), [{ status: 400, code, parameter }])
    expect((await shop.get('/albums/1')).status).toBe(200)
  })

  test('with parameters without effect runs', async () => {
    const shop = client(catalogueServer())
    expect((await shop.delete('/albums/1?include=&sort=&fields[albums]=title')).status).toBe(204)
  })
})

describe('the parsing of a query string', () => {
  test('names and values are percent-decoded as UTF-8, and a plus is a space', async () => {
    expect(await ids('/albums?filter[title]=Kid%20A')).toEqual(['2'])
    expect(await ids('/albums?filter[title]=Kid+A')).toEqual(['2'])
    expect(await ids('/albums?filter%5Btitle%5D=%4bid')).toEqual(['2'])
    expect(await ids('/albums?%66ilter[%74itle]=Kid')).toEqual(['2'])
    expect(await ids('/artists?filter[q]=Bj%C3%B6rk')).toEqual(['2'])
    expect(await ids('/artists?filter[q]=Björk')).toEqual(['2'])
    expect(await ids('/albums?sort=%2dtitle')).toEqual(['1', '4', '2', '3'])
    // A literal plus is percent-encoded.
    expect(await ids('/albums?filter[title]=Kid%2BA')).toEqual([])
  })

  test('commas separate whether they are percent-encoded or not', async () => {
    const { included } = (await api.get('/albums/1?include=artist%2Ctracks')).document ?? {}
    expect(included?.map(({ type }) => type)).toEqual(['artists', 'tracks', 'tracks', 'tracks'])
    expect(await ids('/albums?sort=status%2C-title')).toEqual(['1', '4', '2', '3'])
  })

  test.each(['%', '%4', '%zz', '%ff', '%C3', '%C3%28', '%ED%A0%80', '%c0%af'])(
    'the undecodable sequence %s is QUERY_PARAM_MALFORMED, with the family',
    async (sequence) => {
      await refuses(`/albums?filter[title]=${sequence}`, 'QUERY_PARAM_MALFORMED', 'filter')
      await refuses(`/albums?filter[${sequence}]=x`, 'QUERY_PARAM_MALFORMED', 'filter')
      await refuses(`/albums?filter%5B${sequence}%5D=x`, 'QUERY_PARAM_MALFORMED', 'filter')
      await refuses(`/albums?page[${sequence}]=1`, 'QUERY_PARAM_MALFORMED', 'page')
      // Garbage in the value of a page is never an error.
      expect((await api.get(`/albums?page[size]=${sequence}`)).status).toBe(200)
      await refuses(`/albums?${sequence}=x`, 'QUERY_PARAM_MALFORMED', sequence)
    },
  )

  test('a pair without = has an empty value, and one without a name is the family without a name', async () => {
    expect((await api.get('/albums/1?include')).document).toHaveProperty('included', [])
    expect((await api.get('/albums?sort')).status).toBe(200)
    await refuses('/albums?=x', 'QUERY_PARAM_UNRECOGNIZED', '')
    await refuses('/albums?[a]=x', 'QUERY_PARAM_UNRECOGNIZED', '')
  })

  test('only the first = separates', async () => {
    expect(await ids('/albums?filter[title]==Kid')).toEqual([])
  })

  test('empty pairs, and a question mark without a query, have no effect', async () => {
    for (const query of ['', '&', '&&&']) expect(await ids(`/albums?${query}`)).toEqual(['1', '2', '3', '4'])
  })
})

describe('a repeated parameter', () => {
  test('counts once: the last wins, in every family', async () => {
    expect(await ids('/albums?sort=title&sort=-title')).toEqual(['1', '4', '2', '3'])
    expect(await ids('/albums?filter[title]=Kid&filter[title]=Blue')).toEqual(['4'])
    expect(await ids('/albums?page[size]=1&page[size]=2')).toEqual(['1', '2'])
    const { included } = (await api.get('/albums/1?include=tracks&include=artist')).document ?? {}
    expect(included?.map(({ type }) => type)).toEqual(['artists'])
    expect(await ids('/albums?sort=-title&sort=')).toEqual(['1', '2', '3', '4'])
  })

  test('makes a list if its name ends in []', async () => {
    expect(await ids('/tracks?filter[genres][]=jazz&filter[genres][]=art-rock')).toEqual([
      '2',
      '5',
      '7',
      '10',
      '11',
      '12',
    ])
  })

  test('that is a text and then a list, or the reverse, has the last form', async () => {
    expect(await ids('/tracks?filter[genres][]=jazz&filter[genres]=art-rock')).toEqual(['2', '7'])
    expect(await ids('/tracks?filter[genres]=jazz&filter[genres][]=art-rock')).toEqual(['2', '7'])
  })
})

describe('stray commas and blanks', () => {
  test('of include and fields have no effect', async () => {
    const { included } = (await api.get('/albums/1?include=,artist,,')).document ?? {}
    expect(included?.map(({ type }) => type)).toEqual(['artists'])
    expect((await api.get('/albums/1?fields[albums]=,,title,')).resource.attributes).toEqual({ title: 'OK Computer' })
  })

  test('of sort are undeclared keys', async () => {
    for (const sort of [',', 'title,', ',title', 'title,,status', '-', 'title, status', ' title']) {
      await refuses(`/albums?sort=${sort}`, 'SORTING_UNRECOGNIZED', 'sort')
    }
  })

  test('names are not trimmed', async () => {
    await refuses('/albums?include=artist,+tracks', 'INCLUSION_UNRECOGNIZED', 'include')
    await refuses('/albums?fields[albums]=title,+status', 'FIELDSET_MEMBER_UNRECOGNIZED', 'fields')
    await refuses('/albums?+sort=title', 'QUERY_PARAM_UNRECOGNIZED', ' sort')
  })
})

describe('an empty value', () => {
  test('include= includes nothing and suppresses default includes', async () => {
    expect((await api.get('/favorites/fav-z')).document?.included?.map(({ type }) => type)).toEqual(['albums'])
    const { document } = await api.get('/favorites/fav-z?include=')
    expect(document).toHaveProperty('included', [])
  })

  test('sort= counts as absent, at every URL', async () => {
    for (const address of addresses) expect((await api.get(`${address}?sort=`)).status).toBe(200)
  })

  test('of a filter is the empty text, which is not absent', async () => {
    expect(await ids('/albums?filter[artist.name]=')).toEqual([])
    expect(await ids('/albums?filter[title]=')).toEqual(['1', '2', '3', '4'])
  })
})

const list = (length: number, name: string): string => Array.from({ length }, () => name).join(',')

const sent = (length: number): string => `/tracks?${'&filter[genres][]=jazz'.repeat(length).slice(1)}`

describe('lists at their limits', () => {
  test('100 include paths are read, 101 are LIMIT_EXCEEDED', async () => {
    const { document } = await api.get(`/albums/1?include=${list(100, 'artist')}`)
    expect(document?.included).toHaveLength(1)
    for (const address of addresses) {
      await refuses(`${address}?include=${list(101, 'artist')}`, 'LIMIT_EXCEEDED', 'include')
    }
  })

  test('100 sort keys are read, 101 are LIMIT_EXCEEDED', async () => {
    expect(await ids(`/albums?sort=${list(100, '-title')}`)).toEqual(['1', '4', '2', '3'])
    for (const address of addresses) {
      await refuses(`${address}?sort=${list(101, 'title')}`, 'LIMIT_EXCEEDED', 'sort')
    }
  })

  test('1,000 values of a filter are read, 1,001 are LIMIT_EXCEEDED at that filter, as list and as text', async () => {
    expect(await ids(`/tracks?filter[genres]=${list(1000, 'jazz')}`)).toEqual(['5', '10', '11', '12'])
    await refuses(`/tracks?filter[genres]=${list(1001, 'jazz')}`, 'LIMIT_EXCEEDED', 'filter[genres]')
    const roomy = client(catalogueServer({ limits: { uriLength: 100_000 } }))
    expect((await roomy.get(sent(1000))).resources.map(({ id }) => id)).toEqual(['5', '10', '11', '12'])
    await refuses(sent(1001), 'LIMIT_EXCEEDED', 'filter[genres]', roomy)
  })

  test('the values of several filters are counted separately', async () => {
    const few = client(catalogueServer({ limits: { filterValues: 2 } }))
    expect((await few.get('/tracks?filter[genres]=jazz,rock&filter[title]=a,b,c')).status).toBe(200)
    await refuses('/tracks?filter[title]=a&filter[genres]=a,b,c', 'LIMIT_EXCEEDED', 'filter[genres]', few)
  })

  test('a path of ten thousand hops is refused, and so is a name of ten thousand characters', async () => {
    const roomy = client(catalogueServer({ limits: { uriLength: 200_000 } }))
    const deep = Array.from({ length: 10_000 }, (_, hop) => (hop % 2 === 0 ? 'artist' : 'albums')).join('.')
    await refuses(`/albums?include=${deep}`, 'LIMIT_EXCEEDED', 'include', roomy)
    const long = 'x'.repeat(10_000)
    await refuses(`/albums?include=${long}`, 'INCLUSION_UNRECOGNIZED', 'include', roomy)
    await refuses(`/albums?sort=${long}`, 'SORTING_UNRECOGNIZED', 'sort', roomy)
    await refuses(`/albums?filter[${long}]=1`, 'FILTERING_UNRECOGNIZED', `filter[${long}]`, roomy)
    await refuses(`/albums?${long}=1`, 'QUERY_PARAM_UNRECOGNIZED', long, roomy)
    await refuses(`/albums?filter${'[a]'.repeat(10_000)}=1`, 'LIMIT_EXCEEDED', 'filter', roomy)
  })
})
