import { createServer, defineResource, enumeration, type FilterKit, id, model } from 'ashlar'
import type { FilterDeclaration } from '../../src/declare/resource/filters/filter-declaration.js'
import { expectErrors, type TestClient, type TestError } from 'ashlar/testing'
import { client } from './client.js'
import { storedData } from './stored-data.js'

/** Albums with a field of every kind that a filter may aim at, each of them null, or empty, somewhere. */

interface FilterableRow {
  id: number
  title: string
  subtitle: string | null
  year: number | null
  rating: number | null
  explicit: boolean | null
  releasedAt: Date | null
  recordedOn: string | null
  startsAt: string | null
  status: string | null
  code: string | null
  genres: readonly string[] | null
  scores: readonly number[]
  /** Without an attribute. */
  plays: number | null
}

const rows: readonly FilterableRow[] = [
  {
    id: 1,
    title: 'OK Computer',
    subtitle: null,
    year: 1997,
    rating: 4.8,
    explicit: false,
    releasedAt: new Date('1997-05-21T10:00:00Z'),
    recordedOn: '1996-07-01',
    startsAt: '20:00:00',
    status: 'released',
    code: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    genres: ['rock', 'art rock'],
    scores: [9, 10],
    plays: 100,
  },
  {
    id: 2,
    title: 'Kid A',
    subtitle: '100% new_music',
    year: 2000,
    rating: 4.6,
    explicit: true,
    releasedAt: new Date('2000-10-02T00:00:00Z'),
    recordedOn: '1999-12-31',
    startsAt: '09:30:00',
    status: 'withdrawn',
    code: null,
    genres: ['electronic'],
    scores: [8],
    plays: 20,
  },
  {
    id: 3,
    title: 'Homogenic',
    subtitle: 'JÓGA, a state of emergency',
    year: 1997,
    rating: null,
    explicit: null,
    releasedAt: new Date('1997-09-22T23:59:59.500Z'),
    recordedOn: null,
    startsAt: null,
    status: null,
    code: null,
    genres: [],
    scores: [],
    plays: null,
  },
  {
    id: 4,
    title: 'Kind of Blue',
    subtitle: '',
    year: null,
    rating: 0,
    explicit: false,
    releasedAt: null,
    recordedOn: '1959-03-02',
    startsAt: '00:00:00',
    status: 'released',
    code: null,
    genres: null,
    scores: [-1],
    plays: 3,
  },
]

const AlbumStatus = enumeration('AlbumStatus', {
  upcoming: 'Announced, not out yet.',
  released: 'Out.',
  withdrawn: 'No longer sold.',
})

type Target = keyof FilterableRow | 'kind' | 'parisTime'
type AlbumFilters = (f: FilterKit<Target>) => Readonly<Record<string, FilterDeclaration>>

interface FilteredAlbums {
  readonly api: TestClient
  /** The ids of the resources that a query finds, in their order. */
  readonly ids: (query: string) => Promise<readonly string[]>
  /** Expects only errors 400 of this code at this parameter: one, or the expected number. */
  readonly refuses: (query: string, code: string, parameter: string, times?: number) => Promise<readonly TestError[]>
}

/** The four albums, with the filters of a test; whole, where they are not to be cut into pages. */
export function filteredAlbums(filters: AlbumFilters, pages: 'paged' | 'whole' = 'paged'): FilteredAlbums {
  const albums = defineResource('albums', {
    model: model<FilterableRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().sortable(),
      subtitle: a.string().nullable(),
      year: a.integer().nullable(),
      rating: a.decimal().nullable(),
      explicit: a.boolean().nullable(),
      releasedAt: a.dateTime().nullable(),
      parisTime: a.dateTime().storedAs('releasedAt').nullable().readOnly().useTimezone('Europe/Paris'),
      recordedOn: a.date().nullable(),
      startsAt: a.time().nullable(),
      status: a.string().nullable().enum(AlbumStatus),
      code: a.uuid().nullable(),
      genres: a.arrayList().nullable(),
      scores: a.arrayList().of('integer'),
      kind: a.string().nullable().storedAs('status').readOnly(),
    }),
    filters,
    ...(pages === 'whole' ? { pagination: null } : {}),
  })
  const api = client(createServer({ resources: [albums], data: storedData({ albums: rows }) }))
  return {
    api,
    ids: async (query) => (await api.get(`/albums?${query}`)).resources.map((resource) => resource.id),
    refuses: async (query, code, parameter, times = 1) => {
      const expected = Array.from({ length: times }, () => ({ status: 400, code, parameter }))
      return expectErrors(await api.get(`/albums?${query}`), expected)
    },
  }
}
