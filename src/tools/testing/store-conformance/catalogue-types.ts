import { cursorPage, numberPage, offsetPage, pageMenu } from '../../../declare/pagination/paginator.js'
import type { AggregateDeclaration, AggregateKit } from '../../../declare/resource/define/aggregate-kit.js'
import { defineResource } from '../../../declare/resource/define/define-resource.js'
import { id } from '../../../declare/resource/fields/id-declaration.js'
import type { FilterDeclaration } from '../../../declare/resource/filters/filter-declaration.js'
import type { FilterKit } from '../../../declare/resource/filters/filter-kit.js'
import { model } from '../../../declare/resource/parts/model.js'
import {
  belongsTo,
  belongsToMany,
  hasMany,
  hasOne,
  morphTo,
  morphToMany,
} from '../../../declare/resource/relations/relation-kit.js'
import type { AnyRelations } from '../../../declare/resource/relations/relation-types.js'
import type { AnyResource } from '../../../declare/resource/define/resource-types.js'
import type { StoreCapabilities } from './store-capabilities.js'

interface Artist {
  id: number
  name: string
  country: string | null
}

interface Album {
  id: number
  title: string
  artistId: number | null
  price: number | null
  discs: number | null
  explicit: boolean | null
  releasedOn: string | null
  addedAt: Date | null
  genres: string[] | null
}

interface Track {
  albumId: number
  number: number
  title: string
}

interface Lyrics {
  id: number
  text: string
  albumId: number | null
  trackNumber: number | null
}

interface Portrait {
  id: number
  file: string
  artistId: number | null
}

interface Comment {
  id: number
  text: string
  subjectId: number | null
  subjectType: string | null
}

interface Playlist {
  code: string
  title: string
}

/** The headers of a request in which albums without a price are out of scope. */
export const onlyPricedHeaders: Readonly<Record<string, string>> = Object.freeze({ 'X-Only': 'priced' })

type Capabilities = Pick<
  StoreCapabilities,
  'writes' | 'relations' | 'joins' | 'unique' | 'compositeKeys' | 'aggregates' | 'searches'
>

/** Returns the resource types of the suite, with relations as far as the store supports them. */
export function catalogueTypes(capabilities: Capabilities): readonly AnyResource[] {
  const { relations, compositeKeys } = capabilities
  const [artists, albums] = [artistType(capabilities), albumType(capabilities)]
  const tracks = compositeKeys ? [trackType(capabilities)] : []
  if (!relations) return [artists, albums, ...tracks, playlistType(capabilities)]
  const lyrics = compositeKeys ? [lyricsType(capabilities)] : []
  const others = [portraitType(capabilities), commentType(capabilities), playlistType(capabilities)]
  return [artists, albums, ...tracks, ...lyrics, ...others]
}

function when(condition: boolean, relations: AnyRelations): AnyRelations {
  return condition ? relations : {}
}

function artistType({ writes, relations, unique }: Capabilities): AnyResource {
  return defineResource('artists', {
    model: model<Artist>('artists', { columns: ['id', 'name', 'country'] }),
    id: id(),
    attributes: (a) => ({
      name: unique ? a.string().required().sortable().unique() : a.string().required().sortable(),
      country: a.string().nullable().sortable(),
    }),
    relations: when(relations, {
      albums: hasMany('albums').countable().withoutPagination(),
      // The same members with pagination: each parent has its own page if they are included.
      pagedAlbums: hasMany('albums')
        .via('artistId')
        .readOnly()
        .countable()
        .paginate(pageMenu([cursorPage({ size: 2 }), offsetPage({ size: 2 })])),
      portrait: hasOne('portraits'),
      comments: hasMany('comments').withoutPagination(),
    }),
    filters: (f): Readonly<Record<string, FilterDeclaration>> => ({
      name: f.where(),
      country: f.where(),
      ...(relations
        ? {
            hasAlbums: f.has('albums'),
            hasNoAlbums: f.doesntHave('albums'),
            'albums.title': f.through(),
            'portrait.file': f.through(),
          }
        : {}),
    }),
    pagination: pageMenu([numberPage({ size: 2 }), cursorPage({ size: 2 })]),
    countable: true,
    readOnly: !writes,
  })
}

function albumType({
  writes,
  relations,
  joins,
  unique,
  compositeKeys,
  aggregates,
  searches,
}: Capabilities): AnyResource {
  const set = { with: [relations ? 'artist' : 'artistId'] }
  return defineResource('albums', {
    model: model<Album>('albums', {
      columns: ['id', 'title', 'artistId', 'price', 'discs', 'explicit', 'releasedOn', 'addedAt', 'genres'],
    }),
    id: id().sortable(),
    attributes: (a) => ({
      title: unique ? a.string().required().sortable().unique(set) : a.string().required().sortable(),
      price: a.decimal().nullable().sortable(),
      discs: a.integer().nullable().sortable(),
      explicit: a.boolean().nullable().sortable(),
      releasedOn: a.date().nullable().sortable(),
      addedAt: a.dateTime().nullable().sortable(),
      genres: a.arrayList().nullable(),
    }),
    relations: {
      ...when(relations, {
        artist: belongsTo('artists'),
        comments: hasMany('comments').withoutPagination(),
      }),
      ...when(relations && compositeKeys, { tracks: hasMany('tracks').readOnly().withoutPagination() }),
      ...when(joins, { playlists: belongsToMany('playlists').through('playlist_albums').withoutPagination() }),
    },
    filters: (f) => ({
      ...albumFilters(f),
      ...(relations
        ? { hasArtist: f.has('artist'), hasNoArtist: f.doesntHave('artist'), 'artist.name': f.through() }
        : {}),
      ...(joins ? { 'playlists.title': f.through(), onNoPlaylist: f.doesntHave('playlists') } : {}),
      ...(searches ? { q: f.search('title') } : {}),
    }),
    sorts: (s) => ({
      ...(relations ? { 'artist.name': s.through() } : {}),
      ...(searches ? { relevance: s.relevance('q') } : {}),
    }),
    ...(aggregates ? { aggregates: albumAggregates } : {}),
    scope: (context, f) => (context.request?.header('x-only') === 'priced' ? f.isNotNull('price') : null),
    pagination: pageMenu([offsetPage({ size: 100 }).withCount(), cursorPage({ size: 3 })]),
    readOnly: !writes,
  })
}

type AlbumFields = 'title' | 'price' | 'discs' | 'explicit' | 'releasedOn' | 'addedAt'

function albumAggregates(g: AggregateKit<AlbumFields, string>): Readonly<Record<string, AggregateDeclaration>> {
  return {
    'by-discs': g.fields({
      discs: g.by(),
      albums: g.count(),
      priced: g.count('price'),
      price: g.sum(),
      average: g.avg('price'),
      lowest: g.min('price'),
      last: g.max('title'),
      first: g.min('releasedOn'),
    }),
    'by-title': g.fields({ title: g.by(), albums: g.count() }),
    'by-month': g.fields({ month: g.month('addedAt'), albums: g.count(), price: g.sum() }),
    'by-quarter': g.fields({ quarter: g.quarter('releasedOn'), albums: g.count() }),
    'by-week': g.fields({ week: g.week('releasedOn'), albums: g.count() }),
    'by-day': g.fields({ year: g.year('addedAt'), day: g.day('addedAt'), albums: g.count() }),
    'by-format': g.fields({ explicit: g.by(), discs: g.by(), albums: g.count() }),
    large: g.fields({ explicit: g.by(), albums: g.count() }).minGroupSize(3),
    totals: g.fields({ albums: g.count(), discs: g.sum(), price: g.avg(), latest: g.max('addedAt') }),
  }
}

function albumFilters(f: FilterKit<keyof Album>): Readonly<Record<string, FilterDeclaration>> {
  return {
    id: f.idIn(),
    idNot: f.idNotIn(),
    artistId: f.where(),
    title: f.where(),
    titleNot: f.where('title', '!='),
    titleFrom: f.where('title', '>='),
    titles: f.in('title'),
    titlesNot: f.notIn('title'),
    contains: f.contains('title'),
    starts: f.startsWith('title'),
    ends: f.endsWith('title'),
    price: f.numeric(),
    priceNot: f.numeric('price', '!='),
    above: f.greaterThan('price'),
    atLeast: f.greaterThanOrEqual('price'),
    below: f.lessThan('price'),
    atMost: f.lessThanOrEqual('price'),
    prices: f.range('price'),
    pricesIn: f.in('price'),
    pricesNot: f.notIn('price'),
    discs: f.numeric(),
    explicit: f.boolean(),
    releasedOn: f.where(),
    released: f.dateRange('releasedOn'),
    addedAt: f.where(),
    added: f.dateRange('addedAt'),
    genre: f.where('genres'),
    genreNot: f.where('genres', '!='),
    genres: f.in(),
    genresNot: f.notIn('genres'),
    unpriced: f.isNull('price'),
    priced: f.isNotNull('price'),
    withoutGenres: f.isNull('genres'),
    either: f.any({ starts: f.startsWith('title'), ends: f.endsWith('title') }),
    both: f.all({ starts: f.startsWith('title'), ends: f.endsWith('title') }),
  }
}

function trackType({ writes, relations }: Capabilities): AnyResource {
  return defineResource('tracks', {
    model: model<Track>('tracks', { columns: ['albumId', 'number', 'title'] }),
    id: id(['albumId', 'number']).requireClientId(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: when(relations, {
      album: belongsTo('albums'),
      lyrics: hasMany('lyrics').via(['albumId', 'trackNumber']).withoutPagination(),
    }),
    filters: (f) => ({ id: f.idIn(), idNot: f.idNotIn() }),
    pagination: cursorPage({ size: 100 }),
    readOnly: !writes,
  })
}

function lyricsType({ writes }: Capabilities): AnyResource {
  return defineResource('lyrics', {
    model: model<Lyrics>('lyrics', { columns: ['id', 'text', 'albumId', 'trackNumber'] }),
    id: id(),
    attributes: (a) => ({ text: a.string().required() }),
    relations: { track: belongsTo('tracks').via(['albumId', 'trackNumber']) },
    readOnly: !writes,
  })
}

function portraitType({ writes }: Capabilities): AnyResource {
  return defineResource('portraits', {
    model: model<Portrait>('portraits', { columns: ['id', 'file', 'artistId'] }),
    id: id(),
    attributes: (a) => ({ file: a.string().required() }),
    relations: { artist: belongsTo('artists') },
    readOnly: !writes,
  })
}

function commentType({ writes }: Capabilities): AnyResource {
  return defineResource('comments', {
    model: model<Comment>('comments', { columns: ['id', 'text', 'subjectId', 'subjectType'] }),
    id: id(),
    attributes: (a) => ({ text: a.string().required() }),
    relations: { subject: morphTo(['albums', 'artists']) },
    sorts: (s) => ({ subject: s.field('subjectId') }),
    readOnly: !writes,
  })
}

function playlistType({ writes, joins }: Capabilities): AnyResource {
  return defineResource('playlists', {
    model: model<Playlist>('playlists', { key: 'code', columns: ['code', 'title'] }),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string().required().sortable() }),
    relations: when(joins, {
      albums: belongsToMany('albums')
        .through('playlist_albums', { owner: 'playlistCode', member: 'albumId' })
        .fields((a) => ({ position: a.integer().nullable(), note: a.string().nullable() }))
        .withFilters((f) => ({ note: f.where('pivot.note') }))
        .defaultSort('position')
        .countable()
        .paginate(offsetPage({ size: 100 })),
      items: morphToMany(['artists', 'albums'])
        .through('playlist_items', { owner: 'playlistCode', member: 'itemId', memberType: 'itemType' })
        .countable()
        .withoutPagination(),
    }),
    readOnly: !writes,
  })
}
