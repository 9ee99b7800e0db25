import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { album, artist, encodedMusic } from '../support/encoded-music.js'
import { shown } from '../support/shown.js'

const artists = (...numbers: readonly number[]) => numbers.map((number) => ({ type: 'artists', id: artist(number) }))
const albums = (...numbers: readonly number[]) => numbers.map((number) => ({ type: 'albums', id: album(number) }))
const [bjork, arca, rosalia] = [1, 2, 3].map((number) => `/artists/${artist(number)}`) as [string, string, string]
const pathOf = (link: unknown) => String(link).slice('http://localhost'.length)
const notFound = [{ status: 404, code: 'RESOURCE_NOT_FOUND' }]

describe('if an id is read, it is the wire id', () => {
  test('in routes of all shapes', async () => {
    const { api } = encodedMusic()
    expect((await api.get(bjork)).resource).toMatchObject({ id: artist(1), attributes: { name: 'Björk' } })
    expect((await api.get(`${arca}/mentor`)).resource.id).toBe(artist(1))
    expect((await api.get(`${arca}/relationships/mentor`)).document?.data).toEqual(artists(1)[0])
    for (const path of ['/artists/900001', '/artists/900001/mentor', '/artists/900001/relationships/mentor']) {
      const { status, errors } = await api.get(path)
      expect([status, errors[0]?.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
  })

  test('in linkage of every kind, in included resources, and at both URLs of a relation', async () => {
    const { api } = encodedMusic()
    const include = 'mentor,pupil,albums,likes,favorite'
    const { resource, document } = await api.get(`${arca}?include=${include}`)
    const linkage = Object.entries(resource.relationships ?? {}).map(([name, { data }]) => [name, data])
    expect(Object.fromEntries(linkage)).toEqual({
      mentor: artists(1)[0],
      pupil: artists(3)[0],
      albums: albums(3),
      likes: [],
      favorite: artists(1)[0],
    })
    expect(shown(document?.included)).toEqual(
      expect.arrayContaining([`artists ${artist(1)}`, `artists ${artist(3)}`, `albums ${album(3)}`]),
    )
    for (const [name, expected] of [
      ['likes', artists(2, 3)],
      ['albums', albums(1, 2)],
      ['pupil', artists(2)],
      ['favorite', albums(3)],
    ] as const) {
      expect(shown((await api.get(`${bjork}/relationships/${name}`)).document?.data)).toEqual(shown(expected))
      expect(shown((await api.get(`${bjork}/${name}`)).document?.data)).toEqual(shown(expected))
    }
  })

  test('in links, which can be followed', async () => {
    const { api } = encodedMusic()
    const { resource } = await api.get(bjork)
    expect(resource.links?.['self']).toBe(`http://localhost${bjork}`)
    for (const { links = {} } of Object.values(resource.relationships ?? {})) {
      expect((await api.get(pathOf(links['self']))).document?.links?.['self']).toBe(links['self'])
      expect((await api.get(pathOf(links['related']))).document?.links?.['self']).toBe(links['related'])
    }
  })

  test('in filters by id, and through relations', async () => {
    const { api } = encodedMusic()
    const found = async (query: string) => shown((await api.get(`/artists?${query}`)).document?.data)
    expect(await found(`filter[id]=${artist(1)},${artist(3)}`)).toEqual(shown(artists(1, 3)))
    expect(await found(`filter[other]=${artist(1)}`)).toEqual(shown(artists(2, 3)))
    expect(await found(`filter[only]=${artist(2)}`)).toEqual(shown(artists(2)))
    expect(await found(`filter[mentor]=${artist(1)}`)).toEqual(shown(artists(2)))
    expect(await found(`filter[album]=${album(2)}`)).toEqual(shown(artists(1)))
    expect(await found(`filter[idol]=${artist(1)}`)).toEqual(shown(artists(3)))
    expect(shown((await api.get(`${bjork}/albums?filter[id]=${album(2)}`)).document?.data)).toEqual(shown(albums(2)))
    for (const key of ['id', 'only', 'mentor', 'album', 'idol'])
      expect(await found(`filter[${key}]=900001`)).toEqual([])
  })

  test('in cursors, with any sort', async () => {
    const { api } = encodedMusic()
    for (const sort of ['', 'id', '-id', 'name', '-name,id']) {
      const all = shown((await api.get(`/artists?sort=${sort}`)).document?.data)
      const walked: string[] = []
      let next: unknown = `http://localhost/artists?page[size]=1&sort=${sort}`
      while (next !== undefined) {
        const { document } = await api.get(pathOf(next))
        walked.push(...shown(document?.data))
        next = document?.links?.['next']
      }
      expect(walked).toEqual(all)
      expect(walked).toHaveLength(3)
    }
    const { document } = await api.get(`${bjork}/albums?page[size]=1`)
    const second = await api.get(pathOf(document?.links?.['next']))
    expect(shown(second.document?.data)).toEqual(shown(albums(2)))
  })
})

describe('if an id is written, it is the wire id', () => {
  test('on create: Location, self, the document, and the stored key', async () => {
    const { api, rows } = encodedMusic()
    const created = await api.post('/artists', {
      body: { data: { type: 'artists', attributes: { name: 'Sevdaliza' } } },
    })
    expect(created.resource.id).toBe(artist(4))
    expect(created.headers.get('Location')).toBe(`http://localhost/artists/${artist(4)}`)
    const chosen = await api.post('/artists', {
      body: { data: { type: 'artists', id: artist(7), attributes: { name: 'Fever Ray' } } },
    })
    expect(chosen.resource.id).toBe(artist(7))
    expect((await rows())['artists']?.slice(3)).toEqual([
      expect.stringContaining('id: 900004'),
      expect.stringContaining('id: 900007'),
    ])
  })

  test('in linkage of resources, of every kind', async () => {
    const { api, rows } = encodedMusic()
    const relationships = {
      mentor: { data: artists(3)[0] },
      pupil: { data: artists(1)[0] },
      albums: { data: albums(2, 3) },
      likes: { data: artists(1, 2) },
      favorite: { data: albums(1)[0] },
    }
    const include = 'mentor,pupil,albums,likes,favorite'
    const data = { type: 'artists', id: artist(2), relationships }
    const updated = await api.patch(`${arca}?include=${include}`, { body: { data } })
    expect(updated.resource.relationships).toMatchObject(relationships)
    const { artists: stored = [], albums: owned = [], likes = [] } = await rows()
    expect(stored[1]).toMatch(/favoriteId: 900001,\s+favoriteType: 'albums',.*mentorId: 900003/s)
    expect(stored[0]).toMatch(/mentorId: 900002/)
    expect(owned.map((row) => /artistId: (\w+)/.exec(String(row))?.[1])).toEqual(['900001', '900002', '900002'])
    expect(likes.slice(3)).toEqual([
      expect.stringMatching(/fanId: 900002.*idolId: 900001/),
      expect.stringMatching(/fanId: 900002.*idolId: 900002/),
    ])
  })

  test('at relationship endpoints', async () => {
    const { api } = encodedMusic()
    const likes = `${bjork}/relationships/likes`
    const headers = { Prefer: 'return=representation' }
    const after = async (method: string, ...numbers: readonly number[]) =>
      shown((await api.request(method, likes, { body: { data: artists(...numbers) }, headers })).document?.data)
    expect(await after('POST', 1)).toEqual(shown(artists(1, 2, 3)))
    expect(await after('DELETE', 2, 3)).toEqual(shown(artists(1)))
    expect(await after('PATCH', 3, 2)).toEqual(shown(artists(2, 3)))
    const mentor = await api.patch(`${bjork}/relationships/mentor`, { body: { data: artists(3)[0] }, headers })
    expect(mentor.document?.data).toEqual(artists(3)[0])
  })

  test('in errors', async () => {
    const { api } = encodedMusic()
    const attributes = { name: 'Someone' }
    const create = (sent: string) => api.post('/artists', { body: { data: { type: 'artists', id: sent, attributes } } })
    const [taken] = expectErrors(await create(artist(1)), [{ status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }])
    expect(taken?.detail).toBe(`A resource with the id '${artist(1)}' already exists.`)
    const [conflict] = expectErrors(
      await api.patch(bjork, { body: { data: { type: 'artists', id: artist(2), attributes } } }),
      [{ status: 409, code: 'RESOURCE_ID_CONFLICT' }],
    )
    expect(conflict?.detail).toBe(`The document has the id '${artist(2)}', but the URL has the id '${artist(1)}'.`)
    const [missing] = expectErrors(
      await api.patch(`${bjork}/relationships/mentor`, { body: { data: artists(9)[0] } }),
      [{ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' }],
    )
    expect(missing?.detail).toContain(artist(9))
    for (const sent of ['artist_1', 'artist-', '1']) {
      expectErrors(await create(sent), [{ status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' }])
      expectErrors(await api.delete(`/artists/${sent}`), notFound)
    }
  })
})

describe('if a codec reads several texts as one key, only the one that it writes is the id', () => {
  const shouted = artist(1).toUpperCase()

  test('in routes', async () => {
    const { api, rows } = encodedMusic()
    const before = await rows()
    for (const path of ['', '/mentor', '/relationships/mentor']) {
      expectErrors(await api.get(`/artists/${shouted}${path}`), notFound)
    }
    const data = { type: 'artists', id: shouted, attributes: { name: 'BJÖRK' } }
    expectErrors(await api.patch(`/artists/${shouted}`, { body: { data } }), notFound)
    expectErrors(await api.delete(`/artists/${shouted}`), notFound)
    expectErrors(await api.patch(`/artists/${shouted}/relationships/mentor`, { body: { data: null } }), notFound)
    expect(await rows()).toEqual(before)
  })

  test('in filters', async () => {
    const { api } = encodedMusic()
    for (const key of ['id', 'only', 'mentor', 'idol']) {
      expect((await api.get(`/artists?filter[${key}]=${shouted}`)).resources).toEqual([])
    }
  })

  test('in linkage', async () => {
    const { api, rows } = encodedMusic()
    const before = await rows()
    const data = { type: 'artists', id: shouted }
    expectErrors(await api.patch(`${rosalia}/relationships/mentor`, { body: { data } }), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
    expectErrors(await api.post(`${rosalia}/relationships/likes`, { body: { data: [data] } }), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/0' },
    ])
    expect((await api.delete(`${rosalia}/relationships/likes`, { body: { data: [data] } })).status).toBe(204)
    expect(await rows()).toEqual(before)
  })

  test('on create: the others are invalid, so that the response never has another id than was sent', async () => {
    const { api } = encodedMusic()
    for (const sent of [shouted, artist(8).toUpperCase()]) {
      const data = { type: 'artists', id: sent, attributes: { name: 'BJÖRK' } }
      expectErrors(await api.post('/artists', { body: { data } }), [
        { status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' },
      ])
    }
  })
})
