import {
  type ActionKit,
  reply,
  type AttributeKit,
  belongsTo,
  type FilterKit,
  hasMany,
  noContent,
  type RequestContext,
  type SortKit,
} from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { sqlFilter, sqlSort } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { recordShop } from '../support/record-shop.js'
import { type Declared, expectEvaluatedAgain, isStaff, isStranger, stores } from './caching-shop.js'

/** User-defined functions that get the request are called in every request, even if all of them return the same. */

type Attributes = AttributeKit<{ readonly [column: string]: unknown }>
type Filters = FilterKit<string>
type Sorts = SortKit<string>
interface Titled {
  readonly id: number
  readonly title: string
}

const profiles = [countableProfile.uri, relationshipQueriesProfile.uri]
const both = { accept: `application/vnd.api+json; profile="${profiles.join(' ')}"` }
const counting = { accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }

/** Leaves strangers the rows with a key up to a number. */
const upTo = (last: number) => (context: RequestContext, f: Filters) =>
  isStaff(context) ? null : f.where('id', '<=').fixed(last)

const titles = {
  attributes: (a: Attributes) => ({ title: a.string().sortable().writeOnly(isStranger) }),
  filters: (f: Filters) => ({ title: f.contains() }),
}
const rowsOfTitles = {
  attributes: (a: Attributes) => ({
    title: a.string().hidden((row, context) => row['id'] !== 2 && isStranger(context)),
  }),
}
const names = { attributes: (a: Attributes) => ({ name: a.string().sortable().writeOnly(isStranger) }) }
const throughArtist = {
  filters: (f: Filters) => ({ artist: f.through('artist.name'), signed: f.has('artist') }),
  sorts: (s: Sorts) => ({ artist: s.through('artist.name') }),
}
const ofArtist = (artist: object) => ({ relations: { artist, tracks: hasMany('tracks') } })
const ofLabel = (label: object) => ({ relations: { label, albums: hasMany('albums') } })

const who = {
  matches: (row: Readonly<Record<string, unknown>>, _value: unknown, context: RequestContext) =>
    isStaff(context) || row['id'] === 1,
  apply: sqlFilter<Titled>(({ column, context }) => (isStaff(context) ? sql`1 = 1` : sql`${column('id')} = 1`)),
}
const mood = {
  compare: (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, context: RequestContext) =>
    (isStaff(context) ? -1 : 1) * (Number(a['id']) - Number(b['id'])),
  apply: sqlSort<Titled>(({ column, context }) => (isStaff(context) ? sql`-${column('id')}` : column('id'))),
}

interface Case {
  readonly name: string
  readonly declared: Declared
  readonly paths: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

const fields: readonly Case[] = [
  {
    name: 'hidden(row, context) of the primary type',
    declared: { albums: rowsOfTitles },
    paths: ['/albums', '/albums/1', '/albums?fields[albums]=title', '/albums/1?fields[albums]=title&include=tracks'],
  },
  {
    name: 'writeOnly(context) of the primary type, shown, filtered and sorted by',
    declared: { albums: titles },
    paths: ['/albums', '/albums/1', '/albums?sort=-title', '/albums?filter[title]=a', '/artists/1/albums?sort=title'],
  },
  {
    name: 'hidden(row, context) of an included type',
    declared: { albums: rowsOfTitles },
    paths: ['/tracks?include=album', '/artists/1?include=albums', '/labels?include=artists.albums.tracks'],
  },
  {
    name: 'writeOnly(context) of a type that is included, filtered and sorted through',
    declared: { albums: throughArtist, artists: names },
    paths: [
      '/albums?include=artist',
      '/albums/1?include=artist&fields[artists]=name',
      '/albums?filter[artist]=Burial',
      '/albums?sort=-artist',
      '/tracks?include=album.artist',
    ],
  },
  {
    name: 'a relation that only some callers see',
    declared: { albums: ofArtist(belongsTo('artists').writeOnly(isStranger)) },
    paths: ['/albums', '/albums/1', '/albums?include=artist', '/tracks?include=album.artist', '/albums/1/artist'],
  },
  {
    name: 'a relation that rows hide from some',
    declared: {
      albums: ofArtist(belongsTo('artists').hidden((row, context) => row['id'] === 1 && isStranger(context))),
    },
    paths: ['/albums', '/albums/1', '/albums?include=artist', '/tracks/1?include=album.artist'],
  },
  {
    name: 'cannotBeIncluded(context)',
    declared: {
      albums: ofArtist(belongsTo('artists').cannotBeIncluded(isStranger)),
      artists: ofLabel(belongsTo('labels').cannotBeIncluded(isStranger)),
    },
    paths: [
      '/albums?include=artist',
      '/albums/1?include=artist',
      '/tracks?include=album.artist',
      '/artists?include=label',
      '/albums/1/artist?include=label',
    ],
  },
]

const uses: readonly Case[] = [
  {
    name: 'filters and sorts of a type',
    declared: {
      albums: {
        attributes: (a: Attributes) => ({ title: a.string().sortableIf(isStaff) }),
        filters: (f: Filters) => ({ title: f.contains().usableIf(isStaff), id: f.idIn().usableIf(isStaff) }),
        sorts: (s: Sorts) => ({ artist: s.through('artist.name').usableIf(isStaff) }),
      },
    },
    paths: [
      '/albums?sort=-title',
      '/albums?sort=artist',
      '/albums?filter[title]=a',
      '/albums?filter[id]=1',
      '/albums?filter[nothing]=1',
      '/artists/1/albums?sort=title&filter[title]=a',
      '/artists/1/relationships/albums?filter[title]=a',
      '/artists?include=albums&relatedQuery[albums][sort]=-title',
      '/artists/1?relatedQuery[albums][filter][title]=a',
    ],
    headers: both,
  },
  {
    name: 'include paths, requested and by default',
    declared: {
      tracks: { allowedIncludePaths: ['album', { path: 'album.artist', usableIf: isStaff }] },
      albums: { ...ofArtist(belongsTo('artists').includableIf(isStaff)), defaultIncludes: ['artist', 'tracks'] },
      artists: {
        ...ofLabel(belongsTo('labels').cannotBeIncluded(isStranger)),
        defaultIncludes: (row: { readonly id: number }) => (row.id === 1 ? ['label'] : []),
      },
    },
    paths: [
      '/albums?include=artist',
      '/albums/1?include=artist.label',
      '/tracks?include=album.artist',
      '/tracks?include=album.nothing',
      '/albums',
      '/albums/1',
      '/artists',
      '/artists/1/albums',
      '/tracks/1/album',
      '/labels?include=artists.label',
    ],
  },
]

const scopes: readonly Case[] = [
  {
    name: 'of the primary type',
    declared: { albums: { scope: upTo(2) } },
    paths: ['/albums', '/albums/3', '/albums?include=artist', '/artists/2/albums', '/artists/2/relationships/albums'],
  },
  {
    name: 'of an included type',
    declared: { albums: { scope: upTo(1) } },
    paths: [
      '/artists?include=albums',
      '/artists/1?include=albums',
      '/tracks?include=album',
      '/labels/1?include=artists.albums.tracks',
      '/tracks/3?include=album',
    ],
  },
  {
    name: 'of a type behind an included one',
    declared: { artists: { scope: upTo(1) } },
    paths: ['/tracks?include=album.artist', '/tracks/4?include=album.artist', '/albums/3?include=artist.label'],
  },
  {
    name: 'of a type that is filtered or sorted through',
    declared: { albums: throughArtist, artists: { scope: upTo(1) } },
    paths: ['/albums?filter[signed]=1', '/albums?filter[artist]=Burial', '/albums?sort=-artist&fields[albums]=title'],
  },
  {
    name: 'of the type at the end of a relation, and of one that is filtered through there',
    declared: { albums: { ...throughArtist, scope: upTo(1) }, artists: { scope: upTo(1) } },
    paths: [
      '/artists/1/albums?fields[albums]=title',
      '/artists/1/albums?include=artist',
      '/tracks/4/album',
      '/tracks/4/album?filter[artist]=Björk',
      '/artists/1/albums?sort=-artist',
      '/artists/1/relationships/albums?sort=-artist',
      '/tracks/4/relationships/album',
      '/tracks/4/relationships/album?filter[artist]=Björk',
      '/labels/2/artists?include=albums.tracks',
    ],
  },
  {
    name: 'of a type that is counted',
    declared: {
      artists: { relations: { label: belongsTo('labels'), albums: hasMany('albums').countable() } },
      albums: { scope: upTo(1), countable: true },
    },
    paths: ['/artists?withCount=albums', '/artists/1?withCount=albums', '/albums?withCount=_self_'],
    headers: counting,
  },
]

const code: readonly Case[] = [
  {
    name: 'a custom filter',
    declared: { albums: { filters: (f: Filters) => ({ who: f.custom(who) }) } },
    paths: ['/albums?filter[who]=x', '/artists/1/albums?filter[who]=x'],
  },
  {
    name: 'a custom filter in a group, and behind a relation',
    declared: {
      albums: {
        filters: (f: Filters) => ({ some: f.any({ who: f.custom(who) }), played: f.hasMatching('tracks', who) }),
      },
    },
    paths: ['/albums?filter[some]=x', '/albums?filter[played]=1'],
  },
  {
    name: 'a custom filter of a relation',
    declared: {
      artists: {
        relations: {
          label: belongsTo('labels'),
          albums: hasMany('albums').withFilters((f) => ({ who: f.custom(who) })),
        },
      },
    },
    paths: [
      '/artists/1/albums?filter[who]=x',
      '/artists/1/relationships/albums?filter[who]=x',
      '/artists/1?include=albums&relatedQuery[albums][filter][who]=y',
    ],
    headers: both,
  },
  {
    name: 'a custom sort, sent or by default',
    declared: { albums: { sorts: (s: Sorts) => ({ mood: s.custom(mood) }), defaultSort: ['mood'] } },
    paths: ['/albums', '/albums?sort=mood', '/albums?sort=-mood&include=tracks', '/artists/1/albums?sort=mood'],
  },
  {
    name: 'hooks after a read',
    declared: {
      albums: {
        hooks: {
          afterFetchOne: (row: Titled, context: RequestContext) =>
            isStaff(context) ? reply.resource({ ...row, title: row.title.toUpperCase() }) : null,
          afterFetchCollection: (rows: readonly Titled[], context: RequestContext) =>
            isStaff(context) ? reply.resource(rows.slice(1)) : null,
        },
      },
    },
    paths: ['/albums', '/albums/1', '/albums?fields[albums]=title&include=artist', '/albums/1?include=tracks'],
  },
  {
    name: 'links to actions',
    declared: {
      albums: {
        actions: (a: ActionKit<Titled>) => ({
          sell: a.resource({
            responds: noContent(),
            handle: () => reply.noContent(),
            asLink: true,
            allowed: (_row, context) => isStaff(context),
          }),
        }),
      },
    },
    paths: ['/albums', '/albums/1', '/artists?include=albums', '/albums?fields[albums]=title'],
  },
  {
    name: 'meta and links of a type',
    declared: {
      albums: {
        meta: (row: Titled, context: RequestContext) => ({ [isStaff(context) ? 'staff' : 'all']: row.id }),
        links: (_row: Titled, context: RequestContext) =>
          isStaff(context) ? { shelf: 'https://shelf.example/' } : { shop: 'https://shop.example/' },
      },
    },
    paths: ['/albums', '/albums/1', '/artists?include=albums', '/albums?fields[albums]=title'],
  },
  {
    name: 'a value function, and a serializer of a value',
    declared: {
      albums: {
        attributes: (a: Attributes) => ({
          title: a.string().computed((row, context) => `${String(row['title'])}${isStaff(context) ? '' : '…'}`),
        }),
      },
    },
    paths: ['/albums', '/albums/1', '/artists?include=albums', '/albums?fields[albums]=title'],
  },
  {
    name: 'meta of identifiers',
    declared: {
      artists: {
        relations: {
          label: belongsTo('labels'),
          albums: hasMany('albums').identifierMeta((_artist, album, context) => ({
            seen: isStaff(context) ? album['title'] : null,
          })),
        },
      },
    },
    paths: ['/artists?include=albums', '/artists/1/relationships/albums', '/labels?include=artists.albums'],
  },
  {
    name: 'a serializer',
    declared: {
      albums: {
        serializer: {
          members: ['title'],
          serialize: (row: Titled, context: RequestContext) => ({
            id: String(row.id),
            attributes: { title: isStaff(context) ? row.title : '?' },
          }),
        },
        hydrator: { hydrate: () => ({}) },
      },
    },
    paths: ['/albums', '/albums/1', '/artists?include=albums', '/albums?fields[albums]=title'],
  },
]

describe.each(stores)('on %s', (_store, open) => {
  const anew = async ({ declared, paths, headers }: Case): Promise<void> => {
    const build = () => recordShop(declared, { data: open() })
    await expectEvaluatedAgain(build, paths, headers)
  }

  describe('visibility is evaluated for every caller:', () => {
    test.each(fields)('$name', anew)
  })

  describe('conditions of filters, sorts and includes are evaluated for every caller:', () => {
    test.each(uses)('$name', anew)
  })

  describe('the scope is evaluated for every caller:', () => {
    test.each(scopes)('$name', anew)
  })

  describe('user-defined code runs for every caller:', () => {
    test.each(code)('$name', anew)
  })
})
