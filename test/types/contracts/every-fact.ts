import {
  bytes,
  accepted,
  actionResource,
  reply,
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  created,
  cursorPage,
  defaultProfiles,
  defineResource,
  defineType,
  enumeration,
  filterTreeProfile,
  fixedPage,
  hasMany,
  hasOne,
  id,
  metaResult,
  model,
  morphTo,
  morphToMany,
  noContent,
  numberPage,
  offsetPage,
  ok,
  pageMenu,
  rule,
  seeOther,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'

interface AlbumRow {
  id: number
  title: string
  year: number
  plays: bigint
  price: number | null
  live: boolean
  status: string
  mood: number
  secret: string
  note: string
  comment: string
  audited: string
  lyrics: string
  tags: string[]
  scores: number[]
  extra: object
  medium: object
  size: object
  label: string
  shelf: number
  releasedAt: Date
  deletedAt: Date | null
  artistId: number
  subjectId: number | null
  subjectType: string | null
}

const Status = enumeration('Status', { draft: 'Not */ out.', out: 'Out.' })

/** Every kind of attribute, and every modifier that a contract depends on. */
const albums = defineResource('albums', {
  description: 'Records.\nWith two lines.',
  model: model<AlbumRow>('albums'),
  uriType: 'records',
  id: id().allowClientId().sortable().withoutQueries(),
  upsertBy: ['id', 'title'],
  attributes: (a) => ({
    title: a.string().required().unique().sortable().describedAs('The "title" of the album.'),
    released: a.dateTime().storedAs('releasedAt').nullable().readOnly(),
    year: a.integer().requiredOnCreate().sortableIf('audit'),
    plays: a.bigint().readOnly(),
    price: a.decimal().nullable().readOnlyOnUpdate(),
    live: a.boolean().readOnlyOnCreate(),
    status: a.string().enum(Status),
    mood: a.integer().in([1, 2, 3]),
    secret: a.string().writeOnly(),
    hash: a.string().storedAs('secret').hidden(),
    maybe: a
      .string()
      .storedAs('note')
      .hidden(() => false),
    guarded: a
      .string()
      .storedAs('comment')
      .writeOnly(() => false),
    visible: a.string().storedAs('audited').visibleIf('audit'),
    onDemand: a.string().storedAs('lyrics').sparseByDefault(),
    tags: a.arrayList(),
    scores: a.arrayList().of('integer'),
    extra: a.arrayHash(),
    medium: a
      .oneOf()
      .discriminator('kind')
      .variant('disc', { sides: a.integer().required(), colour: a.string().nullable() })
      .variant('file', {}),
    size: a.object().fields({ width: a.integer().required(), inner: a.object().fields({ depth: a.integer() }) }),
    info: a.map().fields({ label: a.string(), shelf: a.integer().readOnly() }).nullable(),
    shown: a
      .map()
      .fields({ name: a.string().storedAs('label').readOnly() })
      .nullable()
      .serializeUsing((row) => (row.label === '' ? null : { name: row.label }))
      .readOnly(),
    artistName: a.string().on('artist').storedAs('name').readOnly(),
    display: a.string().computed((row) => `${row.title} (${row.year})`),
    'with-dash': a.string().storedAs('title').readOnly(),
    filled: a
      .string()
      .computed()
      .extractUsing((row) => row.title)
      .fillUsing(() => ({})),
  }),
  relations: (r) => ({
    artist: r.belongsTo('artists').required().filterable().describedAs('Who made it.'),
    tracks: r
      .hasMany('tracks')
      .via('albumId')
      .countable()
      .withData()
      .paginate(cursorPage({ keys: { size: 'count', after: 'page-after' } }))
      .withFilters((f) => ({
        title: f.where(),
        seconds: f.where('seconds', '>='),
        long: f.where('seconds').fixed(600),
      }))
      .withSorts((s) => ({ length: s.field('seconds') }))
      .cannotReplace()
      .withUriFieldName('songs'),
    single: r.hasOne('tracks').via('albumId').withoutData().cannotBeIncluded().readOnly(),
    bonus: r
      .hasMany('tracks')
      .via('albumId')
      .withoutPagination()
      .cannotAdd()
      .cannotRemove(() => true)
      .readOnlyOnCreate()
      .withoutRelatedEndpoint(),
    lists: r
      .belongsToMany('lists')
      .through('list_albums', { owner: 'albumId', member: ['listOwnerId', 'listNumber'] })
      .fields((a) => ({ position: a.integer().required(), note: a.string().nullable(), at: a.dateTime().readOnly() }))
      .withFilters((f) => ({ position: f.where('pivot.position'), note: f.contains('pivot.note') }))
      .cannotRemove()
      .withoutRelationshipEndpoint(),
    subject: r
      .morphTo(['artists', 'tracks'])
      .via('subjectId', 'subjectType')
      .hidden(() => false),
    fans: r
      .morphToMany(['artists', 'tracks'])
      .through('fans', { owner: 'albumId', member: 'fanId', memberType: 'fanType' })
      .sparseByDefault(),
    similar: r.hasMany('albums').extractUsing(() => []),
    hidden: r.belongsTo('artists').via('artistId').readOnly().hidden(),
    writable: r.belongsTo('artists').via('artistId').readOnlyOnUpdate().writeOnly(),
  }),
  filters: (f) => ({
    title: f.where(),
    name: f.contains('title'),
    like: f.where('title', 'like'),
    starts: f.where('title').operator('starts'),
    year: f.range(),
    released: f.dateRange('releasedAt'),
    status: f.in(),
    mood: f.where(),
    since: f.greaterThanOrEqual('year'),
    live: f.boolean(),
    untyped: f.where('live').asBoolean(),
    column: f.where('deletedAt'),
    tag: f.where('tags'),
    size: f.where(),
    'artist.name': f.through().singular(),
    slug: f.where('title').singular().describedAs('The only one.'),
    known: f.has('artist'),
    none: f.isNull('price'),
    fixed: f.where('year').fixed(2000),
    parsed: f.where('year').deserializeUsing(Number),
    parsedSet: f.in('year').deserializeUsing(Number).integer(),
    numbers: f.in('title').integer(),
    decade: f.custom({ where: (value, g) => g.where('year').fixed(value) }).integer(),
    custom: f.custom({ matches: () => true }),
    present: f.any({ known: f.has('artist'), none: f.isNull('price') }),
    search: f.any({ title: f.contains('title'), year: f.where('year') }),
    ids: f.idNotIn(),
    trashed: f.withTrashed(),
  }),
  sorts: (s) => ({ newest: s.field('releasedAt'), title: s.field(), 'artist.name': s.through() }),
  aggregates: (g) => ({
    'by-year': g.fields({
      released: g.year(),
      month: g.month('released'),
      status: g.by(),
      maybe: g.by(),
      live: g.by('live'),
      albums: g.count(),
      priced: g.count('price'),
      price: g.sum(),
      average: g.avg('price'),
      plays: g.sum(),
      mostPlays: g.max('plays'),
      mood: g.min(),
      moods: g.sum('mood'),
      visible: g.by(),
      first: g.min('released'),
    }),
    groups: g.fields({ artist: g.by(), about: g.by('subject'), albums: g.count().describedAs('How many.') }),
  }),
  actions: (a) => ({
    play: a.resource({ ability: false, handle: ({ entity }) => reply.resource(entity) }),
    rename: a.resource({
      ability: false,
      input: 'document',
      methods: ['PUT', 'PATCH'],
      handle: ({ entity }) => reply.resource(entity),
    }),
    credit: a.resource({
      ability: false,
      input: 'document',
      inputType: 'artists',
      responds: [actionResource('artists'), accepted('jobs'), noContent()],
      handle: () => reply.noContent(),
    }),
    next: a.resource({
      ability: false,
      responds: [actionResource(null, 'oneOrNull'), noContent()],
      handle: () => reply.noContent(),
    }),
    similar: a.resource({
      ability: false,
      responds: actionResource('tracks', 'many'),
      handle: () => reply.resource([]),
    }),
    'all-time': a.collection({
      ability: false,
      input: 'raw',
      responds: metaResult(),
      methods: ['DELETE', 'POST'],
      handle: () => reply.meta({}),
    }),
    cover: a.resource({
      ability: false,
      methods: ['PUT', 'POST'],
      input: bytes('image/png', 'image/*'),
      responds: [bytes('image/webp'), noContent()],
      handle: ({ body }) => reply.bytes(body),
    }),
    move: a.collection({ ability: false, responds: seeOther(), handle: () => reply.seeOther('/albums') }),
  }),
  create: [created(), accepted('jobs')],
  update: noContent(),
  delete: metaResult(),
  softDeletes: { forceDelete: false, restorePath: 'undelete' },
  policy: () => ({ viewAny: true, view: true, custom: { audit: true } }),
  pagination: pageMenu(
    [numberPage().estimable(), cursorPage().named('seek'), offsetPage({ keys: { limit: 'take' } })],
    {
      default: 'seek',
    },
  ),
  countable: true,
  deprecation: true,
  export: { formats: ['csv', 'ndjson'], maxRows: 10 },
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id().requireClientId(),
  attributes: (a) => ({ name: a.string().constrain(rule.minLength(1)) }),
  relations: { albums: hasMany('albums').via('artistId'), first: hasOne('albums').via('artistId') },
  readOnly: true,
  upsertBy: 'id',
  linkage: 'always',
  pagination: null,
  export: true,
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; seconds: number; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), seconds: a.integer() }),
  relations: { album: belongsTo('albums') },
  operations: ['FetchOne', 'Update', 'Delete'],
  pagination: fixedPage(),
})

/** Its key has two columns, and it is on both servers. */
const lists = defineResource('lists', {
  model: model<{ ownerId: number; number: number; title: string; deletedAt: Date | null }>('lists', {
    key: ['ownerId', 'number'],
  }),
  server: ['default', 'admin'],
  id: id(['ownerId', 'number']),
  attributes: (a) => ({ ownerId: a.integer(), number: a.integer(), title: a.string() }),
  softDeletes: true,
  export: { formats: ['csv'] },
})

const jobs = defineResource('jobs', {
  model: model<{ id: number; status: string }>('jobs'),
  id: id(),
  attributes: (a) => ({ status: a.string() }),
  operations: ['FetchOne'],
  fetchOne: [ok(), seeOther()],
  completionLocation: () => null,
})

/** A type of another server, and a type made of capabilities. */
const users = defineResource('users', {
  server: 'admin',
  model: model<{ id: number; name: string }>('users'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  export: { maxRows: 10 },
  relations: { lists: belongsToMany('lists').through('user_lists', { owner: 'userId', member: ['a', 'b'] }) },
})
const hidden = users.with({ type: 'people', readOnly: true, uriType: 'staff', export: false })
const countries = defineType('countries', {
  fields: (a) => ({ code: id().sortable(), name: a.string().required() }),
  serializer: {
    members: ['name'],
    serialize: (row) => ({ id: String(row['code']), attributes: { name: row['name'] } }),
  },
  provider: { fetchOne: () => null, fetchCollection: () => [] },
  sorts: (s) => ({ name: s.custom({ compare: () => 0 }) }),
  filters: (f) => ({ name: f.custom({ matches: () => true }) }),
  operations: ['FetchOne', 'FetchCollection'],
})
const charts = defineType('charts', {
  fields: (a) => ({
    month: id(),
    plays: a.integer(),
    secret: a.string().hidden(),
    audited: a.string().visibleIf('audit'),
    never: a.string(),
  }),
  serializer: {
    members: {
      plays: { type: ['integer', 'null'] },
      secret: { type: 'string' },
      audited: { type: 'boolean' },
      kind: { enum: ['month', 'year', 3, null] },
      fixed: { const: 'x' },
      either: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: { type: 'number' } },
        ],
      },
      one: { oneOf: [{ type: 'boolean' }, { const: null }] },
      open: { type: 'object' },
      anything: {},
      list: { type: 'array' },
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            place: { type: 'integer' },
            'track-id': { type: 'string' },
            note: { type: ['string', 'null'] },
          },
          required: ['place', 'track-id'],
        },
      },
    },
    serialize: (row) => ({ id: String(row['month']), attributes: row }),
  },
  policy: () => ({ viewAny: true, view: true, custom: { audit: true } }),
  provider: { fetchOne: () => null, fetchCollection: () => [] },
  operations: ['FetchOne', 'FetchCollection'],
})
const named = defineType('named', {
  fields: (a) => ({ id: id(), title: a.string(), note: a.string(), secret: a.string().writeOnly() }),
  serializer: { members: ['title', 'secret', 'other'], serialize: () => ({ id: '1' }) },
})
const codes = defineType('codes', {
  fields: () => ({ id: id() }),
  relations: { subject: morphTo(['tracks']).readOnly() },
})
const fans = defineType('fans', {
  fields: () => ({ id: id() }),
  relations: {
    all: morphToMany(['tracks'])
      .through('fan_tracks', { owner: 'fanId', member: 'trackId', memberType: 'kind' })
      .readOnly(),
  },
})

export const server = createServer({
  resources: [albums, artists, tracks, lists, jobs, users, hidden, countries, charts, named, codes, fans],
  data: memoryData(),
  policy: 'public',
  pagination: offsetPage(),
  idempotency: false,
  dryRun: true,
  extensions: [atomic({ path: '/batch' })],
  profiles: [...defaultProfiles, filterTreeProfile],
  servers: { admin: { prefix: '/admin', pagination: null, linkage: 'always', profiles: [] } },
})
