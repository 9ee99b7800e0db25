import {
  reply,
  atomic,
  authenticate,
  belongsTo,
  belongsToMany,
  createServer,
  defaultProfiles,
  cursorPage,
  defineResource,
  filterTreeProfile,
  hasMany,
  hasOne,
  HttpError,
  id,
  model,
  morphTo,
  morphToMany,
  noContent,
  numberPage,
  pageMenu,
  type ResponseValue,
} from 'ashlar'
import { inject } from 'vitest'
import type { DispatchInput } from '../../../src/server/journey/dispatch.js'
import type { HttpHandle } from '../../../src/core/http/response.js'
import type { ResultsValue } from '../../../src/serve/operation/response-value.js'
import type { CompiledType, DataSource, Provider } from 'ashlar/store'
import type { Row, TypeName } from './leak-rows.js'
import type { Rules } from './leak-rules.js'
import { policyOf } from './leak-policies.js'

/** A music catalogue with a relation of each kind, in which every type has a policy. */

/** Not on MariaDB: there, texts are looked up by a part of them instead. */
const hasSearch = inject('store') !== 'mariadb'

const byNumber = authenticate({
  challenge: 'Number',
  caller(request) {
    const sent = request.header('authorization')
    if (sent === undefined) return null
    if (!/^[0-9]+$/.test(sent)) throw new HttpError(401)
    return { id: Number(sent) }
  },
})

type Own<Columns extends keyof Row = never> = Pick<Row, 'id' | 'name' | 'owner' | 'open' | 'level' | 'since'> &
  Required<Pick<Row, Columns>>

/** An attribute or a relation that may need abilities. Its effect on the type of the declaration does not matter here. */
interface Guardable {
  visibleIf(ability: string): unknown
}
/** A filter, a sort or a relation that only some callers may name. */
interface Usable {
  usableIf(ability: string): unknown
}
interface Includable {
  includableIf(ability: string): unknown
}
interface Securable {
  security(options: { readonly read?: string; readonly mutate?: string }): unknown
}

const pages = pageMenu([numberPage({ size: 3 }).withCount(), cursorPage({ size: 2 })], { default: 'page' })

export interface LeakServer {
  readonly handle: HttpHandle
  dispatch(operation: DispatchInput): Promise<ResponseValue | ResultsValue>
}

/** A provider of the application over the rows of a store. It does not see a write before the commit. */
function readElsewhere(data: DataSource): Provider {
  const stored = (type: CompiledType): Required<Provider> => data.provider(type) as Required<Provider>
  return {
    fetchOne: (type, key, criteria) => stored(type).fetchOne(type, key, { ...criteria, forChange: false }),
    fetchCollection: (type, criteria) => stored(type).fetchCollection(type, criteria),
  }
}

/** @param rules the rules of each type */
export function leakServer(rules: Rules, data: DataSource): LeakServer {
  const policy = (type: TypeName) => policyOf(rules[type]) as never
  const abilities = (type: TypeName) => rules[type].overrides
  // A type that is not guarded shows and links everything, and has statements that write it.
  const revealed = <Secret extends Guardable>(type: TypeName, secret: Secret): Secret =>
    rules[type].isGuarded ? (secret.visibleIf('reveal') as Secret) : secret
  // The ability `gather` decides who may use filters, sorts and include paths of a guarded type.
  const used = <Key extends Usable>(type: TypeName, key: Key): Key =>
    rules[type].isGuarded ? (key.usableIf('gather') as Key) : key
  const included = <Relation extends Includable>(type: TypeName, relation: Relation): Relation =>
    rules[type].isGuarded ? (relation.includableIf('gather') as Relation) : relation
  const secured = <Relation extends Securable>(relation: Relation, read?: 'peruse', type: TypeName = 'playlists') =>
    rules[type].isGuarded
      ? (relation.security({ mutate: 'alter', ...(read === undefined ? {} : { read }) }) as Relation)
      : relation
  // A replacement by the same members succeeds, and must not reveal them.
  const fixed = <Relation extends { cannotReplace(): unknown }>(relation: Relation): Relation =>
    rules.playlists.isChecked ? (relation.cannotReplace() as Relation) : relation
  const action = (type: TypeName) => {
    const ability = rules[type].isPublic ? (false as const) : 'act'
    return { ability, asLink: rules[type].isGuarded } as const
  }
  const editions = defineResource('editions', {
    model: model<Own<'shelf' | 'number'>>('editions', { key: ['shelf', 'number'] }),
    id: id(),
    attributes: (a) => ({
      name: a.string().sortable(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable(),
    }),
    relations: { labels: hasMany('labels').via(['editionShelf', 'editionNumber']).countable() },
    filters: (f) => ({ labelled: f.has('labels') }),
    operations: ['FetchCollection', 'FetchOne', 'Update', 'Delete'],
    export: true,
    policy: policy('editions'),
    abilities: abilities('editions'),
  })
  const labels = defineResource('labels', {
    model: model<Own<'secret' | 'editionShelf' | 'editionNumber'>>('labels'),
    id: id(),
    attributes: (a) => ({
      name: a.string().sortable(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable().sortable().max(9),
      secret: revealed('labels', a.string().nullable().sortable()),
      day: a.date().storedAs('since').nullable().readOnly(),
      time: a.dateTime().storedAs('since').nullable().readOnly(),
    }),
    relations: {
      edition: belongsTo('editions').via(['editionShelf', 'editionNumber']).nullable(),
      artists: hasMany('artists').countable(),
    },
    filters: (f) => ({
      number: f.where('editionNumber'),
      shelf: f.where('editionShelf'),
      loose: f.isNull('editionNumber'),
      name: f.where(),
      secret: f.where(),
      signed: used('labels', f.has('artists')),
      unsigned: f.doesntHave('artists'),
      artist: used('labels', f.through('artists.name')),
      biography: f.through('artists.biography.name'),
      matching: f.hasMatching('artists', { where: (value, q) => q.where('name').fixed(value) }),
      words: hasSearch ? f.search({ name: 2, secret: 1 }) : f.contains('name'),
      wordsOfArtists: f.hasMatching('artists', {
        where: (_, q) => (hasSearch ? q.search('name') : q.contains('name')),
      }),
    }),
    aggregates: (g) => ({
      edition: g.fields({ edition: g.by(), rows: g.count(), last: g.max('name'), secret: g.max() }),
      secret: g.fields({ secret: g.by(), rows: g.count(), level: g.sum() }),
      month: g.fields({ month: g.month('day'), rows: g.count(), level: g.avg() }),
    }),
    sorts: (s) => ({
      relevance: hasSearch ? s.relevance('words') : s.field('name'),
      number: s.field('editionNumber'),
      shelf: s.field('editionShelf'),
      edition: s.through('edition.name'),
    }),
    pagination: pages,
    countable: true,
    export: true,
    policy: policy('labels'),
    abilities: abilities('labels'),
  })
  const artists = defineResource('artists', {
    model: model<Own<'labelId'>>('artists'),
    id: id(),
    attributes: (a) => ({
      name: a.string().sortable(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable(),
      labelName: a.string().on('label').storedAs('name').nullable().sortable(),
      labelLevel: a.integer().on('label').storedAs('level').nullable(),
    }),
    relations: {
      label: belongsTo('labels').nullable().filterable(),
      biography: included('artists', hasOne('biographies').nullable().withData()),
      albums: hasMany('albums').countable().withData(),
      notes: hasMany('notes').countable(),
    },
    filters: (f) => ({
      labelName: used('artists', f.where('labelName')),
      q: f.any({ own: f.where('name'), label: f.through('label.name'), album: f.through('albums.name') }),
      labelled: f.has('label'),
      unlabelled: f.doesntHave('label'),
      described: f.has('biography'),
      words: used('artists', hasSearch ? f.search('name') : f.contains('name')),
    }),
    sorts: (s) => ({
      relevance: hasSearch ? s.relevance('words') : s.field('name'),
      label: used('artists', s.through('label.name')),
      biography: s.through('biography.name'),
    }),
    pagination: pages,
    export: true,
    policy: policy('artists'),
    abilities: abilities('artists'),
  })
  const biographies = defineResource('biographies', {
    model: model<Own<'artistId'>>('biographies'),
    id: id(),
    attributes: (a) => ({
      name: a.string(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable(),
      since: a.date().nullable().readOnly(),
    }),
    relations: { artist: belongsTo('artists').nullable() },
    linkage: 'always',
    export: true,
    policy: policy('biographies'),
    abilities: abilities('biographies'),
  })
  const albums = defineResource('albums', {
    model: model<Own<'artistId' | 'code' | 'deletedAt' | 'secret'>>('albums'),
    id: id(),
    attributes: (a) => ({
      name: a.string().sortable(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable(),
      code: a.string().nullable().unique(),
      secret: revealed('albums', a.string().nullable()),
      labelName: a.string().on('artist.label').storedAs('name').nullable().readOnly().sortable(),
    }),
    relations: {
      artist: included('albums', belongsTo('artists').nullable().withData().filterable()),
      tracks: secured(
        hasMany('tracks')
          .countable()
          .paginate(cursorPage({ size: 2 })),
        undefined,
        'albums',
      ),
      notes: hasMany('notes'),
    },
    filters: (f) => ({
      artistName: f.through('artist.name'),
      label: f.through('artist.label.name'),
      track: f.through('tracks.name'),
      played: f.through('tracks.playlists.name'),
      trash: f.onlyTrashed(),
      all: used('albums', f.withTrashed()),
    }),
    aggregates: (g) => ({
      artist: g.fields({ artist: g.by(), rows: g.count(), last: g.max('name'), secret: g.count() }),
      level: g.fields({ level: g.by(), rows: g.count(), secret: g.max() }).minGroupSize(2),
      all: g.fields({ rows: g.count(), last: g.max('name') }),
    }),
    sorts: (s) => ({ artist: s.through('artist.name'), label: s.through('artist.label.name') }),
    defaultIncludes: ['artist'],
    softDeletes: true,
    actions: (a) => ({
      show: a.resource({
        ability: false,
        asLink: true,
        methods: ['GET'],
        handle: ({ entity }) => reply.resource(entity),
      }),
      again: a.resource({ ability: false, handle: ({ entity }) => reply.resource(entity) }),
      act: a.resource({ ...action('albums'), handle: ({ entity }) => reply.resource(entity) }),
      gather: a.collection({
        ability: rules.albums.isPublic ? false : 'gather',
        responds: noContent(),
        handle: () => reply.noContent(),
      }),
    }),
    cacheHeaders: { max_age: 60 },
    pagination: pages,
    countable: true,
    export: true,
    policy: policy('albums'),
    abilities: abilities('albums'),
  })
  const tracks = defineResource('tracks', {
    model: model<Omit<Own<'albumId'>, 'level'> & { readonly level: string | null }>('tracks'),
    id: id(),
    attributes: (a) => ({
      name: a.string().sortable(),
      owner: a.integer(),
      open: a.boolean(),
      // Rules compare numbers, whatever the attribute shows.
      level: a.string().nullable().readOnly(),
      artistName: a.string().on('album.artist').storedAs('name').nullable(),
    }),
    relations: {
      album: belongsTo('albums').nullable(),
      playlists: belongsToMany('playlists')
        .through('entries', { owner: 'trackId', member: 'playlistId' })
        .fields((a) => ({ position: a.integer(), remark: a.string().nullable() }))
        .countable(),
    },
    filters: (f) => ({
      playlist: f.through('playlists.name'),
      listed: f.has('playlists'),
      unlisted: f.doesntHave('playlists'),
      album: f.through('album.name'),
    }),
    sorts: (s) => ({ album: s.through('album.name') }),
    pagination: pages,
    export: true,
    policy: policy('tracks'),
    abilities: abilities('tracks'),
  })
  const playlists = defineResource('playlists', {
    model: model<Own<'secret' | 'favouriteId' | 'revision'>>('playlists'),
    id: id().allowClientId(),
    upsertBy: 'id',
    attributes: (a) => ({
      name: a.string(),
      owner: a.integer(),
      open: a.boolean(),
      level: a.integer().nullable(),
      secret: revealed('playlists', a.string().nullable().sortable()),
    }),
    relations: {
      tracks: secured(
        belongsToMany('tracks')
          .through('entries', { owner: 'playlistId', member: 'trackId' })
          .fields((a) => ({ position: a.integer(), remark: a.string().nullable() }))
          .withFilters((f) => ({
            position: f.where('pivot.position'),
            remark: used('playlists', f.where('pivot.remark')),
          }))
          .defaultSort('position')
          .countable(),
      ),
      items: morphToMany(['albums', 'tracks'])
        .through('items', { owner: 'playlistId', member: 'memberId', memberType: 'memberType' })
        .countable(),
      guests: secured(
        fixed(belongsToMany('artists').through('guests', { owner: 'playlistId', member: 'artistId' }).countable()),
        'peruse',
      ),
      favourite: secured(belongsTo('albums').nullable().withData().filterable(), 'peruse'),
      notes: hasMany('notes'),
    },
    filters: (f) => ({
      secret: f.where(),
      track: f.through('tracks.name'),
      filled: f.has('tracks'),
      full: f.has('items'),
      bare: f.doesntHave('items'),
      guest: f.through('guests.name'),
      visited: f.has('guests'),
      lonely: f.doesntHave('guests'),
      favourites: f.through('favourite.name'),
    }),
    aggregates: (g) => ({
      favourite: g.fields({ favourite: g.by(), rows: g.count(), last: g.max('name'), secret: g.min() }),
    }),
    sorts: (s) => ({ favourite: s.through('favourite.name') }),
    actions: (a) => ({
      act: a.resource({ ...action('playlists'), methods: ['GET'], handle: ({ entity }) => reply.resource(entity) }),
    }),
    version: 'revision',
    countable: true,
    export: true,
    policy: policy('playlists'),
    abilities: abilities('playlists'),
  })
  const { isReadElsewhere } = rules.notes
  const notes = defineResource('notes', {
    model: model<Own<'subjectId' | 'subjectType'>>('notes'),
    id: id().allowClientId(),
    upsertBy: 'id',
    attributes: (a) => ({ name: a.string(), owner: a.integer(), open: a.boolean(), level: a.integer().nullable() }),
    relations: { subject: morphTo(['artists', 'albums', 'playlists']).nullable().withData() },
    ...(isReadElsewhere ? { provider: readElsewhere(data) } : {}),
    // Only the store can follow the relation.
    filters: (f) =>
      isReadElsewhere
        ? ({} as never)
        : {
            attached: f.has('subject'),
            loose: f.doesntHave('subject'),
            key: f.where('subjectId'),
            about: f.where('subjectType'),
          },
    sorts: (s) => (isReadElsewhere ? ({} as never) : { key: s.field('subjectId'), about: s.field('subjectType') }),
    pagination: pages,
    export: true,
    policy: policy('notes'),
    abilities: abilities('notes'),
  })
  return createServer({
    resources: [editions, labels, artists, biographies, albums, tracks, playlists, notes],
    data,
    middleware: [byNumber],
    extensions: [atomic()],
    profiles: [...defaultProfiles, filterTreeProfile],
  })
}
