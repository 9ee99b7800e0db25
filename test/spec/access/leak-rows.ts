import * as fc from 'fast-check'

export const typeNames = [
  'editions',
  'labels',
  'artists',
  'biographies',
  'albums',
  'tracks',
  'playlists',
  'notes',
] as const
export type TypeName = (typeof typeNames)[number]

/** The columns that rules test, and the name, which callers who cannot see the row must not learn. */
export interface Row {
  readonly id: number
  readonly name: string
  readonly owner: number
  readonly open: boolean
  readonly level: number | null
  /** A time, which some types show as a date. */
  readonly since: Date | null
  /** The key of an edition. A label refers to both columns. */
  readonly shelf?: number
  readonly number?: number
  readonly editionShelf?: number | null
  readonly editionNumber?: number | null
  /** Raised by every write of a playlist. */
  readonly revision?: number
  readonly labelId?: number | null
  readonly artistId?: number | null
  readonly albumId?: number | null
  readonly code?: string | null
  /** Shown to callers who have the ability `reveal`, if the type is guarded. */
  readonly secret?: string | null
  readonly favouriteId?: number | null
  readonly deletedAt?: Date | null
  readonly subjectId?: number | null
  readonly subjectType?: string | null
}

/** A row of `entries`, which tracks and playlists show, or of `items` or `guests`, which only playlists show. */
export interface JoinRow {
  readonly id: number
  readonly playlistId: number
  readonly trackId?: number
  readonly artistId?: number
  readonly memberId?: number
  readonly memberType?: string
  readonly position?: number
  readonly remark?: string | null
}

export type Rows = Readonly<Record<TypeName, readonly Row[]> & Record<JoinName, readonly JoinRow[]>>

export const joinNames = ['entries', 'items', 'guests'] as const
export type JoinName = (typeof joinNames)[number]

export const models = [...typeNames, ...joinNames] as const

/** Stores number new rows from here, so that they can be distinguished from others. */
export const firstNewId = 90_000

/** Two times of one day. A rule permits rows until noon. */
const morning = new Date(Date.UTC(2026, 4, 1, 8))
export const noon: Date = new Date(Date.UTC(2026, 4, 1, 12))
const evening = new Date(Date.UTC(2026, 4, 1, 20))

/** The number of rows of each type. */
const count = 4

/** The other column of the key of an edition. */
const shelfOf = (number: number): number => (number % 2) + 1

/** The id of a resource in documents and URLs. */
export const wireId = (type: string, id: number): string => (type === 'editions' ? `${shelfOf(id)}-${id}` : String(id))

/** The number of a row by the id of its resource. */
export const rowNumber = (id: string): number => Number(id.split('-').at(-1))

/** A composite foreign key is null as a whole. */
const withShelf = (row: Row): Row =>
  row.editionNumber === undefined
    ? row
    : { ...row, editionShelf: row.editionNumber === null ? null : shelfOf(row.editionNumber) }

/** Foreign keys by type: the column, and the referenced type. */
const keys: Readonly<Partial<Record<TypeName, readonly [keyof Row, TypeName]>>> = {
  labels: ['editionNumber', 'editions'],
  artists: ['labelId', 'labels'],
  biographies: ['artistId', 'artists'],
  albums: ['artistId', 'artists'],
  tracks: ['albumId', 'albums'],
  playlists: ['favouriteId', 'albums'],
}

/** The types with an attribute `secret`. */
const secretTypes: ReadonlySet<TypeName> = new Set(['labels', 'albums', 'playlists'])

export const canary = (type: TypeName, id: number): string => `kanarie-${type}-${id}`

function rowOf(type: TypeName, id: number): fc.Arbitrary<Row> {
  const key = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: count }) },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  const [column] = keys[type] ?? []
  const common = {
    id: fc.constant(id),
    name: fc.constant(canary(type, id)),
    owner: fc.integer({ min: 1, max: 2 }),
    open: fc.boolean(),
    // As a text, 10 is less than 2.
    level: fc.constantFrom(1, 2, 3, 4, 10, null),
    since: fc.constantFrom(morning, evening, null),
    ...(secretTypes.has(type) ? { secret: fc.constant(`secret-${type}-${id}`) } : {}),
  }
  if (type === 'notes') {
    return fc.record({ ...common, subjectId: key, subjectType: fc.constantFrom('artists', 'albums', 'playlists') })
  }
  if (type === 'editions') return fc.record({ ...common, shelf: fc.constant(shelfOf(id)), number: fc.constant(id) })
  if (type === 'playlists') return fc.record({ ...common, favouriteId: key, revision: fc.integer({ min: 1, max: 5 }) })
  if (type === 'biographies') return fc.record({ ...common, artistId: fc.constant(id) })
  if (type === 'albums') {
    const trash = fc.constantFrom(null, null, null, new Date(Date.UTC(2026, 0, id)))
    return fc.record({ ...common, artistId: key, code: fc.constant(`code-${id}`), deletedAt: trash })
  }
  return fc.record(column === undefined ? common : { ...common, [column]: key }).map(withShelf)
}

const rowsOf = (type: TypeName): fc.Arbitrary<readonly Row[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => rowOf(type, index + 1)))

const joins = (make: (numbers: readonly number[], index: number) => JoinRow): fc.Arbitrary<readonly JoinRow[]> =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: count * count - 1 }), { maxLength: 8 })
    .map((pairs) => pairs.map((pair, index) => make([Math.floor(pair / count) + 1, (pair % count) + 1], index)))

export const anyRows: fc.Arbitrary<Rows> = fc.record({
  editions: rowsOf('editions'),
  labels: rowsOf('labels'),
  artists: rowsOf('artists'),
  biographies: rowsOf('biographies'),
  albums: rowsOf('albums'),
  tracks: rowsOf('tracks'),
  playlists: rowsOf('playlists'),
  notes: rowsOf('notes'),
  entries: joins(([playlistId = 0, trackId = 0], index) => {
    return { id: index + 1, playlistId, trackId, position: (index * 3) % 7, remark: `remark-${index}` }
  }),
  items: joins(([playlistId = 0, memberId = 0], index) => {
    return { id: index + 1, playlistId, memberId, memberType: index % 2 === 0 ? 'albums' : 'tracks' }
  }),
  guests: joins(([playlistId = 0, artistId = 0], index) => ({ id: index + 1, playlistId, artistId })),
})

/** Rows from which a test database infers the types of its columns. */
export const exampleRows: Rows = {
  ...(Object.fromEntries(
    typeNames.map((type) => {
      const [column] = keys[type] ?? []
      const common = {
        id: 1,
        name: 'a',
        owner: 1,
        open: true,
        level: 1,
        since: new Date(0),
        ...(column === undefined ? {} : { [column]: 1 }),
      }
      const own = secretTypes.has(type) ? { ...common, secret: 'a' } : common
      const more =
        type === 'albums'
          ? { code: 'a', deletedAt: new Date(0) }
          : type === 'notes'
            ? { subjectId: 1, subjectType: 'a' }
            : type === 'editions'
              ? { shelf: 1, number: 1 }
              : type === 'labels'
                ? { editionShelf: 1 }
                : type === 'playlists'
                  ? { revision: 1 }
                  : {}
      return [type, [{ ...own, ...more }]]
    }),
  ) as unknown as Record<TypeName, readonly Row[]>),
  entries: [{ id: 1, playlistId: 1, trackId: 1, position: 1, remark: 'a' }],
  items: [{ id: 1, playlistId: 1, memberId: 1, memberType: 'albums' }],
  guests: [{ id: 1, playlistId: 1, artistId: 1 }],
}

interface LinkedRow {
  readonly type: TypeName
  readonly row: Row
}

function byId(rows: Rows, type: TypeName, id: number | null | undefined): readonly LinkedRow[] {
  return rows[type].filter((row) => row.id === id).map((row) => ({ type, row }))
}

/** The rows of a relation that rules follow. */
export function linkedRows(rows: Rows, type: TypeName, row: Row, relation: string): readonly LinkedRow[] {
  if (relation === 'tracks' && type === 'playlists') {
    const entries = rows.entries.filter(({ playlistId }) => playlistId === row.id)
    return entries.flatMap(({ trackId }) => byId(rows, 'tracks', trackId))
  }
  if (relation === 'playlists') {
    const entries = rows.entries.filter(({ trackId }) => trackId === row.id)
    return entries.flatMap(({ playlistId }) => byId(rows, 'playlists', playlistId))
  }
  if (relation === 'artists' || relation === 'tracks') {
    const [column] = keys[relation] ?? []
    const held = column === undefined ? [] : rows[relation].filter((each) => each[column] === row.id)
    return held.map((each) => ({ type: relation, row: each }))
  }
  if (relation === 'subject') {
    return isTypeName(row.subjectType) ? byId(rows, row.subjectType, row.subjectId) : []
  }
  const [column, target] = keys[type] ?? []
  return column === undefined || target === undefined ? [] : byId(rows, target, row[column] as number | null)
}

export function isTypeName(name: unknown): name is TypeName {
  return (typeNames as readonly unknown[]).includes(name)
}

/** Whether a caller sees a row, or its guarded fields. */
type Sees = (type: TypeName, row: Row, part: 'row' | 'reveal' | 'peruse') => boolean

/** The rows without invisible ones, without references to them, and without guarded fields. Keys of deleted rows stay. */
export function withoutUnseen(rows: Rows, sees: Sees): Rows {
  const left = Object.fromEntries(
    typeNames.map((type) => [type, rows[type].filter((row) => sees(type, row, 'row'))]),
  ) as unknown as Record<TypeName, readonly Row[]>
  const isUnseen = (type: unknown, id: number | null | undefined): boolean =>
    isTypeName(type) && rows[type].some((row) => row.id === id) && !left[type].some((row) => row.id === id)
  const cleared = (type: TypeName, full: Row): Row => {
    const [column, target] = keys[type] ?? []
    const row = secretTypes.has(type) && !sees(type, full, 'reveal') ? { ...full, secret: null } : full
    const isHidden = type === 'playlists' && !sees(type, row, 'peruse')
    if (column !== undefined && (isHidden || isUnseen(target, row[column] as number | null))) {
      return withShelf({ ...row, [column]: null })
    }
    if (type !== 'notes' || !isUnseen(row.subjectType, row.subjectId)) return row
    return { ...row, subjectId: null, subjectType: null }
  }
  const isPerused = (id: number): boolean => {
    const row = rows.playlists.find((each) => each.id === id)
    return row === undefined || (sees('playlists', row, 'row') && sees('playlists', row, 'peruse'))
  }
  return {
    ...(Object.fromEntries(
      typeNames.map((type) => [type, left[type].map((row) => cleared(type, row))]),
    ) as unknown as Record<TypeName, readonly Row[]>),
    entries: rows.entries.filter(
      ({ playlistId, trackId }) => !isUnseen('playlists', playlistId) && !isUnseen('tracks', trackId),
    ),
    items: rows.items.filter(
      ({ playlistId, memberId, memberType }) => !isUnseen('playlists', playlistId) && !isUnseen(memberType, memberId),
    ),
    guests: rows.guests.filter(({ playlistId, artistId }) => isPerused(playlistId) && !isUnseen('artists', artistId)),
  }
}

/** The end of a join row that is not the playlist: its type and its key. */
export function joinedMember(name: JoinName, row: JoinRow): readonly [unknown, number | undefined] {
  if (name === 'entries') return ['tracks', row.trackId]
  return name === 'guests' ? ['artists', row.artistId] : [row.memberType, row.memberId]
}
