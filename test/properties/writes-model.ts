import { uuid } from './writes-rows.js'

/** The shop as plain data, with links as in a database without foreign keys: a delete leaves them dangling. */

export interface Reference {
  readonly type: string
  readonly id: string
  readonly pivot?: Readonly<Record<string, unknown>>
}

interface Row {
  /** Attributes that are sent and shown as they are. */
  readonly values: Record<string, unknown>
  /** References that the row holds itself, by the relation. */
  readonly own: Record<string, Reference | null>
}

interface Join {
  readonly owner: string
  readonly member: Reference
}

/** All of it is mutable. */
export interface Shop {
  readonly rows: Readonly<Record<string, Map<string, Row>>>
  /** Which tracks are in which playlists. */
  entries: readonly Join[]
  /** The items of the shelves. */
  items: readonly Join[]
}

const artist = (key: string | null) => ({ artist: key === null ? null : { type: 'artists', id: key } })
const album = (key: string) => ({ type: 'albums', id: key })
const entry = (track: number, pivot: object): Join => ({
  owner: 'monday',
  member: { type: 'tracks', id: uuid(track), pivot: { ...pivot } },
})

/** The rows that the server begins with. */
export function newShop(): Shop {
  return {
    rows: {
      artists: rowsOf(
        ['1', { name: 'Radiohead', country: 'gb' }],
        ['2', { name: 'Björk', country: 'is' }],
        ['3', { name: 'Portishead', country: null }],
      ),
      portraits: rowsOf(['1', { title: 'By the window' }, artist('1')], ['2', { title: 'On stage' }, artist(null)]),
      albums: rowsOf(
        ['al-1', { title: 'OK Computer', year: 1997 }, { ...artist('1'), remasterOf: null }],
        ['al-2', { title: 'OKNOTOK', year: 2017 }, { ...artist('1'), remasterOf: album('al-1') }],
        ['al-14', { title: 'Homogenic', year: null }, { ...artist('2'), remasterOf: null }],
      ),
      tracks: rowsOf(
        [uuid(1), { title: 'Track 1' }, { album: album('al-1') }],
        [uuid(2), { title: 'Track 2' }, { album: album('al-1') }],
        [uuid(3), { title: 'Track 3' }, { album: album('al-14') }],
        [uuid(4), { title: 'Track 4' }, { album: null }],
      ),
      playlists: rowsOf(['monday', { title: 'Monday' }], ['tuesday', { title: 'Tuesday' }]),
      shelves: rowsOf(
        ['1', { title: 'top' }, { best: { type: 'artists', id: '2' }, keeper: { type: 'artists', id: '1' } }],
        ['2', { title: 'locked' }, { best: { type: 'albums', id: 'al-1' }, keeper: null }],
      ),
      releases: rowsOf(
        ['first', { title: 'The first', code: 'A-1', revision: 1 }, artist('1')],
        ['second', { title: 'The second', code: null, revision: 1 }, artist('1')],
      ),
    },
    entries: [entry(1, { position: 1, note: 'opener' }), entry(2, { position: 2, note: null })],
    items: [
      { owner: '1', member: { type: 'albums', id: 'al-14' } },
      { owner: '1', member: { type: 'tracks', id: uuid(2) } },
      { owner: '2', member: { type: 'releases', id: 'first' } },
    ],
  }
}

function rowsOf(...rows: readonly (readonly [string, Row['values'], Row['own']?])[]): Map<string, Row> {
  return new Map(rows.map(([id, values, own = {}]) => [id, { values, own }]))
}

export function idsOf({ rows }: Shop, type: string): readonly string[] {
  return [...(rows[type]?.keys() ?? [])]
}

export function rowOf({ rows }: Shop, type: string, id: string): Row | undefined {
  return rows[type]?.get(id)
}

export function isThere(shop: Shop, { type, id }: Reference): boolean {
  return rowOf(shop, type, id) !== undefined
}

export function isSame(one: Reference, other: Reference): boolean {
  return one.type === other.type && one.id === other.id
}

/** A relation, as the model reads and writes it. */
export interface Link {
  readonly toMany: boolean
  readonly types: readonly string[]
  /** All members in the shown order; for a to-one that related rows hold, all that match, the shown one first. */
  read(shop: Shop, id: string): readonly Reference[]
  /** Members that come, and members that go. */
  write(
    shop: Shop,
    id: string,
    change: { readonly wanted: readonly Reference[]; readonly gone: readonly Reference[] },
  ): void
}

function ownLink(type: string, name: string, types: readonly string[]): Link {
  return {
    toMany: false,
    types,
    read: (shop, id) => [rowOf(shop, type, id)?.own[name] ?? []].flat(),
    write(shop, id, { wanted: [wanted] }) {
      const row = rowOf(shop, type, id)
      if (row !== undefined) row.own[name] = wanted ?? null
    },
  }
}

/** Stored in the related rows, in an inverse relation. */
function relatedLink(owner: string, type: string, back: string, toMany: boolean): Link {
  return {
    toMany,
    types: [type],
    read(shop, id) {
      const members = idsOf(shop, type).filter((key) => rowOf(shop, type, key)?.own[back]?.id === id)
      const references = members.map((key): Reference => ({ type, id: key }))
      return toMany ? references : references.toSorted((one, other) => Number(one.id) - Number(other.id))
    },
    write(shop, id, { wanted, gone }) {
      for (const { id: key } of gone) point(shop, key, null)
      for (const { id: key } of wanted) point(shop, key, { type: owner, id })
    },
  }
  function point(shop: Shop, key: string, to: Reference | null): void {
    const row = rowOf(shop, type, key)
    if (row !== undefined) row.own[back] = to
  }
}

/** Stored in join rows, from the side of their owner. */
function joinLink(joins: 'entries' | 'items', types: readonly string[]): Link {
  return {
    toMany: true,
    types,
    read: (shop, id) =>
      shop[joins].filter(({ owner, member }) => owner === id && isThere(shop, member)).map(({ member }) => member),
    write(shop, id, { wanted, gone }) {
      shop[joins] = shop[joins].filter(
        ({ owner, member }) => owner !== id || !gone.some((each) => isSame(each, member)),
      )
      for (const member of wanted) join(shop, joins, { owner: id, member })
    },
  }
}

/** The same from the side of a member. */
function backLink(joins: 'entries' | 'items', owners: string, type: string): Link {
  return {
    toMany: true,
    types: [owners],
    read(shop, id) {
      const there = shop[joins].filter(({ member }) => isSame(member, { type, id }))
      return there.map(({ owner }): Reference => ({ type: owners, id: owner })).filter((owner) => isThere(shop, owner))
    },
    write(shop, id, { wanted, gone }) {
      const isGone = ({ owner, member }: Join): boolean =>
        isSame(member, { type, id }) && gone.some((each) => each.id === owner)
      shop[joins] = shop[joins].filter((each) => !isGone(each))
      for (const { id: owner } of wanted) join(shop, joins, { owner, member: { type, id } })
    },
  }
}

/** There is one join row for a member, and its new fields are merged into it. */
function join(shop: Shop, joins: 'entries' | 'items', { owner, member }: Join): void {
  const known = shop[joins].find((each) => each.owner === owner && isSame(each.member, member))
  const pivot = { ...known?.member.pivot, ...member.pivot }
  const fresh = { owner, member: { ...member, ...(joins === 'entries' ? { pivot } : {}) } }
  shop[joins] =
    known === undefined ? [...shop[joins], fresh] : shop[joins].map((each) => (each === known ? fresh : each))
}

export const links: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  releases: { artist: ownLink('releases', 'artist', ['artists']), shelves: backLink('items', 'shelves', 'releases') },
  artists: {
    albums: relatedLink('artists', 'albums', 'artist', true),
    portrait: relatedLink('artists', 'portraits', 'artist', false),
  },
  portraits: { artist: ownLink('portraits', 'artist', ['artists']) },
  albums: {
    artist: ownLink('albums', 'artist', ['artists']),
    tracks: relatedLink('albums', 'tracks', 'album', true),
    remasterOf: ownLink('albums', 'remasterOf', ['albums']),
    remasters: relatedLink('albums', 'albums', 'remasterOf', true),
  },
  tracks: { album: ownLink('tracks', 'album', ['albums']), playlists: backLink('entries', 'playlists', 'tracks') },
  playlists: { tracks: joinLink('entries', ['tracks']), plainTracks: joinLink('entries', ['tracks']) },
  shelves: {
    best: ownLink('shelves', 'best', ['albums', 'artists']),
    items: joinLink('items', ['tracks', 'albums', 'releases']),
    keeper: ownLink('shelves', 'keeper', ['artists']),
  },
}
