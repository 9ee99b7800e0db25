import type { Operation } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const get = (path: string) => client(catalogueServer()).get(path)

/** The query that reaches the handler. */
async function queryOf(
  target: string,
  settings: Parameters<typeof catalogueServer>[0] = {},
): Promise<Operation['query']> {
  const seen: Operation['query'][] = []
  const server = catalogueServer({
    ...settings,
    handler:
      () =>
      async ({ query }) => {
        seen.push(query)
        return { kind: 'noContent', status: 204, headers: [] }
      },
  })
  const { errors } = await client(server, { isDescribed: false }).get(target)
  expect(errors).toEqual([])
  const [query] = seen
  if (query === undefined) throw new Error('The handler was not reached.')
  return query
}

describe('fields[TYPE]', () => {
  test('drops the members that it does not list; id and type stay', async () => {
    const { resources } = await get('/albums?fields[albums]=status,title')
    expect(resources[0]).toEqual({
      type: 'albums',
      id: '1',
      attributes: { title: 'OK Computer', status: 'released' },
      links: { self: 'http://localhost/albums/1' },
    })
  })

  test('is applied on the responses to writes', async () => {
    const api = client(catalogueServer())
    const created = await api.post('/genres?fields[genres]=', { body: resourceBody('genres', { name: 'Dub' }, 'dub') })
    expect(created.resource).not.toHaveProperty('attributes')
    const changed = await api.patch('/albums/1?fields[albums]=title', {
      body: resourceBody('albums', { explicit: true }, '1'),
    })
    expect(changed.resource.attributes).toEqual({ title: 'OK Computer' })
  })

  test('an empty fieldset drops every sparse member, and empty entries have no effect', async () => {
    expect((await get('/albums/1?fields[albums]=')).resource).not.toHaveProperty('attributes')
    expect((await get('/albums/1?fields[albums]=,title,,')).resource.attributes).toEqual({ title: 'OK Computer' })
  })

  test('the fieldset of another type changes nothing', async () => {
    expect((await get('/albums/1?fields[artists]=name')).resource.attributes).toHaveProperty('title')
  })

  test('an unknown member is FIELDSET_MEMBER_UNRECOGNIZED, and the detail names all of them', async () => {
    const [error] = expectErrors(await get('/albums?fields[albums]=title,nonsense,more'), [
      { status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' },
    ])
    expect(error?.detail).toContain(
      "The fieldset of type 'albums' names members that the type does not have: nonsense, more. Offered: title,",
    )
    for (const path of [
      '/albums?fields[nothing]=x',
      '/albums?fields[albums]=__proto__',
      '/albums?fields[albums]=constructor',
    ]) {
      expectErrors(await get(path), [{ status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED' }])
    }
  })

  test('an unknown member is refused before anything is written', async () => {
    const api = client(catalogueServer())
    const body = resourceBody('genres', { name: 'Dub' }, 'dub')
    expectErrors(await api.post('/genres?fields[genres]=nonsense', { body }), [{ status: 400 }])
    expect((await api.get('/genres')).resources.map(({ id }) => id)).toEqual(['art-rock', 'electronic', 'jazz', 'rock'])
  })

  test('unknown members are ignored when strict validation is off', async () => {
    const api = client(catalogueServer({ strictQueryParameters: false }))
    const { resource } = await api.get('/albums/1?fields[albums]=title,nonsense&fields[nothing]=x')
    expect(resource.attributes).toEqual({ title: 'OK Computer' })
  })
})

describe('strict validation of families', () => {
  test.each(['nonsense', 'withCount', 'relatedQuery', 'Fields', 'field', '', '__proto__', 'toString', 'camelCase'])(
    'the unrecognized family %j is QUERY_PARAM_UNRECOGNIZED',
    async (family) => {
      for (const target of [`/albums?${family}=1`, `/albums/1?${family}[a]=1`]) {
        expectErrors(await get(target), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: family }])
      }
    },
  )

  test('is on for writes as well', async () => {
    const response = await client(catalogueServer()).delete('/albums/1?nonsense=1')
    expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'nonsense' }])
  })

  test('when it is off, names with other characters than lower-case letters are accepted, the others are not', async () => {
    const api = client(catalogueServer({ strictQueryParameters: false }))
    expect((await api.get('/albums?camelCase=1&with-dash=2')).status).toBe(200)
    expectErrors(await api.get('/albums?nonsense=1'), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED' }])
  })

  test('a family that the application registers reaches the handler, every value of it', async () => {
    const query = await queryOf('/albums?myFamily=a&myFamily=b%20c', { queryFamilies: ['myFamily'] })
    expect([...query.custom]).toEqual([['myFamily', ['a', 'b c']]])
  })

  test('the profile parameter is accepted, and has no effect', async () => {
    expect((await get('/albums?profile=https://music.example/profile')).status).toBe(200)
  })
})

describe('the shape of each family', () => {
  test.each([
    ['fields=title', 'fields'],
    ['sort[a]=title', 'sort'],
    ['sort[]=title', 'sort'],
    ['filter=x', 'filter'],
    ['filter[]=x', 'filter'],
    ['page=3', 'page'],
    ['filter[a=x', 'filter'],
    ['filter]a=x', 'filter]a'],
    ['filter[a]b=x', 'filter'],
    ['filter[a][[b]=x', 'filter'],
    ['filter[a]=%zz', 'filter'],
    ['%ff=1', '%ff'],
  ])('%s is QUERY_PARAM_MALFORMED', async (query, parameter) => {
    expectErrors(await get(`/albums?${query}`), [{ status: 400, code: 'QUERY_PARAM_MALFORMED', parameter }])
  })

  test('malformed values inside fields and include are skipped', async () => {
    expect((await get('/albums/1?fields[albums]=title&fields[albums][]=status')).resource.attributes).toEqual({
      title: 'OK Computer',
    })
    expect((await get('/albums/1?fields[]=title')).resource.attributes).toHaveProperty('status')
    expect((await get('/albums/1?include[]=artist')).status).toBe(200)
  })

  test('garbage inside page is never an error', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const query of ['page[size]=abc', 'page[size][a]=1', 'page[]=1', 'page[nonsense]=1', 'page[number]=-3']) {
      expect((await get(`/albums?${query}`)).status).toBe(200)
    }
  })

  test('a repeated parameter counts once: the last wins', async () => {
    expect((await get('/albums/1?fields[albums]=title&fields[albums]=status')).resource.attributes).toEqual({
      status: 'released',
    })
  })

  test('brackets may be percent-encoded, a plus is a space, empty pairs are ignored', async () => {
    const query = await queryOf('/albums?&filter%5Btitle%5D=Kid+A&&page[size]=2&')
    expect([...query.filter]).toEqual([['title', 'Kid A']])
    expect([...query.page]).toEqual([['size', '2']])
  })

  test('include is a flat list of paths: an empty one includes nothing, an absent one is null', async () => {
    expect((await queryOf('/albums?include=artist,tracks.album')).include).toEqual(['artist', 'tracks.album'])
    expect((await queryOf('/albums?include=')).include).toEqual([])
    expect((await queryOf('/albums')).include).toBeNull()
  })

  test('sort is a list of keys in their order', async () => {
    expect((await queryOf('/albums?sort=-releasedAt,title')).sort).toEqual(['-releasedAt', 'title'])
    expect((await queryOf('/albums?sort=')).sort).toEqual([])
  })

  test('filters are texts, lists or maps, and no name reaches a prototype', async () => {
    const { filter } = await queryOf(
      '/albums?filter[a]=1&filter[b][]=1&filter[b][]=2&filter[c][min]=3&filter[__proto__]=x',
    )
    expect(filter.get('a')).toBe('1')
    expect(filter.get('b')).toEqual(['1', '2'])
    expect(filter.get('c')).toEqual(new Map([['min', '3']]))
    expect(filter.get('__proto__')).toBe('x')
    expect(Object.getPrototypeOf({})).not.toHaveProperty('x')
  })
})

describe('unsupported parameters', () => {
  test('an endpoint without inclusion is INCLUSION_UNSUPPORTED', async () => {
    for (const path of ['/countries?include=x', '/countries/is?include=x.y']) {
      expectErrors(await get(path), [{ status: 400, code: 'INCLUSION_UNSUPPORTED', parameter: 'include' }])
    }
  })

  test('a collection that declares no sorts is SORTING_UNSUPPORTED', async () => {
    expectErrors(await get('/countries?sort=name'), [{ status: 400, code: 'SORTING_UNSUPPORTED', parameter: 'sort' }])
  })

  test('an undeclared filter is FILTERING_UNRECOGNIZED, with its key', async () => {
    for (const key of ['nonsense', '__proto__']) {
      expectErrors(await get(`/countries?filter[${key}]=x`), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: `filter[${key}]` },
      ])
    }
  })

  test('are not ignored on a write', async () => {
    const body = resourceBody('genres', { name: 'Dub' }, 'dub')
    const api = client(catalogueServer())
    expectErrors(await api.post('/genres?include=artists', { body }), [{ status: 400 }])
    expect((await api.get('/genres')).resources.map(({ id }) => id)).toEqual(['art-rock', 'electronic', 'jazz', 'rock'])
  })
})
