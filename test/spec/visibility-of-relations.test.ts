import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestRequestOptions } from 'ashlar/testing'
import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const staff = { headers: { 'X-Staff': 'yes' } }
const isStranger = ({ request }: RequestContext): boolean => request?.header('x-staff') !== 'yes'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number; producerId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    artist: belongsTo('artists'),
    ghostwriter: belongsTo('artists').via('producerId').hidden(),
    heir: belongsTo('artists').via('producerId').writeOnly(),
    // By the request.
    producer: belongsTo('artists').hidden((_row, context) => isStranger(context)),
    auditor: belongsTo('artists')
      .via('producerId')
      .writeOnly((context) => isStranger(context)),
    // By the row.
    sampled: belongsTo('artists')
      .via('producerId')
      .hidden((row) => row['id'] === 2),
    tracks: hasMany('tracks')
      .countable()
      .withData()
      .hidden((_row, context) => isStranger(context)),
    demos: hasMany('tracks').via('albumId').countable().withData().hidden(),
    singles: hasMany('tracks')
      .via('albumId')
      .cannotBeIncluded((context) => isStranger(context)),
  },
  filters: (f) => ({
    ghostwriter: f.has(),
    noHeir: f.doesntHave('heir'),
    producer: f.has(),
    sampled: f.has(),
    loudTracks: f.hasMatching('tracks', { matches: () => true, apply: sqlFilter(() => sql`1 = 1`) }),
    ghostName: f.through('ghostwriter.name'),
    producerName: f.through('producer.name'),
    auditorName: f.through('auditor.name'),
    trackTitle: f.through('tracks.title'),
    producerId: f.where(),
    // The column is that of a relation which everybody sees.
    artistId: f.where(),
  }),
  sorts: (s) => ({
    ghost: s.through('ghostwriter.name'),
    heir: s.through('heir.name'),
    producer: s.through('producer.name'),
    auditor: s.through('auditor.name'),
    sampled: s.through('sampled.name'),
    artist: s.through('artist.name'),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})

const api = client(
  createServer({
    resources: [albums, artists, tracks],
    data: storedData({
      albums: [
        { id: 1, title: 'Kid A', artistId: 1, producerId: 2 },
        { id: 2, title: 'Untrue', artistId: 3, producerId: 3 },
      ],
      artists: [
        { id: 1, name: 'Radiohead' },
        { id: 2, name: 'Nigel' },
        { id: 3, name: 'Burial' },
      ],
      tracks: [{ id: 1, title: 'Idioteque', albumId: 1 }],
    }),
  }),
)

const relations = async (target: string, options: TestRequestOptions = {}): Promise<readonly string[]> =>
  Object.keys((await api.get(target, options)).resource.relationships ?? {})

const included = async (target: string, options: TestRequestOptions = {}): Promise<readonly string[] | undefined> =>
  (await api.get(target, options)).document?.included?.map(({ type, id: key }) => `${type} ${key}`)

/** The results for staff. */
const found = async (query: string): Promise<readonly string[]> =>
  (await api.get(`/albums?${query}`, staff)).resources.map((each) => each.id)

async function isNoRelationship(path: string, options: TestRequestOptions = {}): Promise<void> {
  expectErrors(await api.get(path, options), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
}

describe('a relation that the caller may not see', () => {
  test('is in no document, even when a fieldset names it', async () => {
    expect(await relations('/albums/1')).toEqual(['artist', 'sampled', 'singles'])
    expect(await relations('/albums/2')).toEqual(['artist', 'singles'])
    expect(await relations('/albums/1', staff)).toEqual([
      'artist',
      'producer',
      'auditor',
      'sampled',
      'tracks',
      'singles',
    ])
    const all = 'fields[albums]=ghostwriter,heir,producer,auditor,sampled,tracks,demos'
    expect(await relations(`/albums/1?${all}`)).toEqual(['sampled'])
    expect(await relations(`/albums/2?${all}`)).toEqual([])
  })

  test.each(['ghostwriter', 'heir', 'producer', 'auditor', 'tracks', 'demos'])(
    'has no related and no relationship endpoint: %s',
    async (name) => {
      await isNoRelationship(`/albums/1/${name}`)
      await isNoRelationship(`/albums/1/relationships/${name}`)
    },
  )

  test('by its row, or by the request, has them for the others', async () => {
    await isNoRelationship('/albums/2/sampled')
    await isNoRelationship('/albums/2/relationships/sampled')
    expect((await api.get('/albums/1/sampled')).resource.id).toBe('2')
    for (const name of ['producer', 'auditor', 'tracks']) {
      expect((await api.get(`/albums/1/${name}`, staff)).status).toBe(200)
      expect((await api.get(`/albums/1/relationships/${name}`, staff)).status).toBe(200)
    }
    for (const name of ['ghostwriter', 'heir', 'demos']) await isNoRelationship(`/albums/1/${name}`, staff)
  })

  test.each(['ghostwriter', 'heir', 'auditor', 'demos', 'artist.albums.ghostwriter'])(
    'cannot be included: %s is INCLUSION_UNRECOGNIZED',
    async (path) => {
      expectErrors(await api.get(`/albums/1?include=${path}`), [
        { status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' },
      ])
    },
  )

  test('by its row includes nothing of the rows that hide it', async () => {
    expect(await included('/albums?include=sampled')).toEqual(['artists 2'])
    expect(await included('/albums/2?include=sampled')).toEqual([])
  })

  test('by the request is unknown to requests from which it is hidden', async () => {
    const [error] = expectErrors(await api.get('/albums/1?include=producer,tracks'), [
      { status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' },
    ])
    expect(error?.detail).toMatch(
      /^These include paths name no relationship: producer, tracks\. Offered: (?!.*producer)/,
    )
    expect(await included('/albums/1?include=producer,tracks', staff)).toEqual(['artists 2', 'tracks 1'])
  })

  test.each([
    'ghostwriter',
    'noHeir',
    'producer',
    'sampled',
    'loudTracks',
    'ghostName',
    'producerName',
    'auditorName',
    'trackTitle',
  ])('cannot be filtered by or through: %s', async (key) => {
    expectErrors(await api.get(`/albums?filter[${key}]=x`), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: `filter[${key}]` },
    ])
  })

  test('nor by its key, unless another field shows it', async () => {
    expect((await api.get('/albums?filter[artistId]=3')).resources.map((each) => each.id)).toEqual(['2'])
    expectErrors(await api.get('/albums?filter[producerId]=3'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[producerId]' },
    ])
  })

  test.each(['ghost', 'heir', 'producer', 'auditor', 'sampled'])('cannot be sorted through: %s', async (key) => {
    expectErrors(await api.get(`/albums?sort=${key}`), [
      { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
    ])
    expect((await api.get('/albums?sort=artist')).status).toBe(200)
  })

  test('can be filtered and sorted through by callers who see it', async () => {
    expect(await found('filter[producerName]=Nigel')).toEqual(['1'])
    expect(await found('filter[auditorName]=Burial')).toEqual(['2'])
    expect(await found('filter[loudTracks]')).toEqual(['1'])
    expect(await found('filter[producerId]=3')).toEqual(['2'])
    expect(await found('sort=producer')).toEqual(['2', '1'])
    expect(await found('sort=-auditor')).toEqual(['1', '2'])
  })

  test('cannot be counted or queried', async () => {
    const headers = {
      Accept: `application/vnd.api+json; profile="${countableProfile.uri} ${relationshipQueriesProfile.uri}"`,
    }
    expectErrors(await api.get('/albums?withCount=demos', { headers }), [
      { status: 400, code: 'RELATIONSHIP_COUNT_NOT_ALLOWED', parameter: 'withCount' },
    ])
    for (const name of ['demos', 'ghostwriter', 'auditor']) {
      expectErrors(await api.get(`/albums?rQ[${name}][filter][x]=1`, { headers }), [
        { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: `rQ[${name}]` },
      ])
    }
    const { text } = await api.get('/albums/1?withCount=tracks', { headers })
    expect(text).not.toContain('total')
    expect((await api.get('/albums/1?withCount=tracks', { headers: { ...headers, ...staff.headers } })).text).toContain(
      '"total":1',
    )
  })
})

describe('cannotBeIncluded(fn)', () => {
  test('is called with the request: INCLUSION_NOT_ALLOWED, while linkage and links stay', async () => {
    expectErrors(await api.get('/albums/1?include=singles'), [
      { status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' },
    ])
    expect((await api.get('/albums/1?include=singles', staff)).document?.included).toHaveLength(1)
    expect((await api.get('/albums/1/singles')).resources).toHaveLength(1)
  })
})
