// A library of an application: it exports one value of each kind. With `declaration: true` the compiler writes the types of all
// of them, and can only name types that the package exports.
import { DatabaseSync } from '@photostructure/sqlite'
import {
  accepted,
  actionResource,
  type ActionKit,
  apiKeys,
  type ApiOf,
  atomic,
  type AttributeKit,
  authenticate,
  belongsTo,
  belongsToMany,
  createApiKey,
  created,
  createServer,
  cursorPage,
  defaultProfiles,
  defineResource,
  defineType,
  enumeration,
  type FilterKit,
  fixedPage,
  hasMany,
  hasOne,
  HttpError,
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
  problem,
  rateLimit,
  type RelationKit,
  reply,
  resourcesIn,
  rowRules,
  rule,
  seeOther,
  type Server,
  type ServerSettings,
  type SortKit,
  type WorkContext,
} from 'ashlar'
import { createClient, raw } from '@ashlar/client'
import { discover } from 'ashlar/discover'
import { table as drizzleTable } from 'ashlar/drizzle'
import { fastifyAdapter } from 'ashlar/fastify'
import { honoAdapter } from 'ashlar/hono'
import { jwtBearer } from 'ashlar/jwt'
import { memoryData } from 'ashlar/memory'
import { nestAdapter } from 'ashlar/nest'
import { gracefulShutdown, listen } from 'ashlar/node'
import { openTelemetry } from 'ashlar/opentelemetry'
import { sqlData, sqlFilter, sqlSort, table } from 'ashlar/sql'
import { rowSet, storeConflict } from 'ashlar/store'
import { createQueries } from '@ashlar/client/tanstack-query'
import {
  conformanceModels,
  documentProblems,
  expectErrors,
  expectStatements,
  explainAccess,
  statementCounter,
  storeConformance,
  testClient,
} from 'ashlar/testing'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createServer as createHttpServer } from 'node:http'

interface SongRow {
  id: number
  title: string
  seconds: number | null
  isLive: boolean
  releasedAt: Date | null
  deletedAt: Date | null
  version: number
  artistId: number | null
  ownerId: number | null
  ownerType: string | null
}

// Parts of declarations
export const songTable = table<SongRow>('songs')
export const songModel = model<SongRow>('songs')
export const singerTable = drizzleTable(sqliteTable('singers', { id: integer().primaryKey(), name: text().notNull() }))
export const songId = id().numeric().sortable()
export const slotId = id(['songId', 'position'])
export const requiredId = id('id').ulid().requireClientId()
export const genre = enumeration('genre', ['jazz', 'rock'])
export const shortText = rule.sequentially(rule.minLength(1), rule.maxLength(80))

export const songAttributes = (a: AttributeKit<SongRow>) => ({
  title: a.string().required().maxLength(80).sortable(),
  mail: a
    .email()
    .strict()
    .computed(() => 'a@b.example'),
  site: a.url().computed(() => 'https://music.example'),
  code: a.uuid().computed(() => ''),
  slug: a.slug().computed((row) => row.title),
  address: a
    .ip()
    .v4()
    .computed(() => '127.0.0.1'),
  seconds: a.integer().min(0).nullable(),
  plays: a.bigint().computed(() => 1n),
  rating: a.decimal().computed(() => 4.5),
  isLive: a.boolean(),
  releasedAt: a.dateTime().nullable(),
  day: a.date().computed(() => new Date()),
  hour: a.time().computed(() => '10:00:00'),
  tags: a
    .arrayList()
    .of('integer')
    .uniqueItems()
    .computed(() => [1]),
  facts: a.arrayHash().computed(() => ({})),
  place: a.map().fields({ title: a.string(), isLive: a.boolean() }),
  label: a
    .object()
    .fields({ name: a.string().required() })
    .computed(() => ({ name: 'XL' })),
  medium: a
    .oneOf()
    .variant('cd', { discs: a.integer() })
    .variant('tape', { side: a.string() })
    .computed(() => ({ type: 'cd', discs: 1 })),
  kind: a
    .string()
    .enum(genre)
    .computed(() => 'jazz'),
})
export const songRelations = (r: RelationKit<SongRow>) => ({
  artist: r.belongsTo('artists').nullable(),
  video: r.hasOne('videos').readOnly(),
  notes: r.hasMany('notes').countable(),
  lists: r.belongsToMany('lists').fields((a) => ({ position: a.integer() })),
  owner: r.morphTo(['artists', 'labels']).via('ownerId', 'ownerType'),
  marks: r.morphToMany(['artists', 'labels']).withData(),
})
export const standaloneRelations = {
  artist: belongsTo('artists').via('artistId'),
  video: hasOne('videos').readOnly(),
  notes: hasMany('notes').countable(),
  lists: belongsToMany('lists').cannotReplace(),
  owner: morphTo(['artists', 'labels']).via('ownerId', 'ownerType'),
  marks: morphToMany(['artists', 'labels']),
}
export const songFilters = (f: FilterKit<keyof SongRow>) => ({
  title: f.contains(),
  length: f.range('seconds'),
  live: f.boolean('isLive').singular(),
  ids: f.idIn(),
  text: f.any({ title: f.contains('title'), exact: f.where('title') }),
  near: f.custom({ matches: () => true }),
  bySql: f.custom({ apply: songsOver }),
  trashed: f.withTrashed(),
})
export const songsOver = sqlFilter<SongRow>(({ column }) => column('isLive'))
export const songSorts = (s: SortKit<keyof SongRow>) => ({
  seconds: s.field(),
  age: s.field('releasedAt'),
  artist: s.through('artist.name'),
  bySql: s.custom({ apply: byLength }),
})
export const byLength = sqlSort<SongRow>(({ column }) => column('seconds'))
export const songActions = (a: ActionKit<SongRow>) => ({
  play: a.resource({ responds: noContent(), handle: () => reply.noContent() }),
  count: a.collection({ methods: ['GET'], responds: metaResult(), handle: () => reply.meta({ count: 1 }) }),
  copy: a.resource({
    input: 'document',
    responds: actionResource('songs'),
    handle: ({ entity }) => reply.resource(entity),
  }),
  import: a.collection({ input: 'raw', responds: accepted('jobs'), handle: () => reply.accepted({ poll: '/jobs/1' }) }),
})
export const paginators = [
  numberPage(),
  offsetPage({ maxSize: 50 }),
  fixedPage().named('all'),
  cursorPage().withCount(),
]
export const menu = pageMenu([numberPage({ keys: { size: 'per' } }).named('pages'), cursorPage()], { default: 'pages' })
export const responses = [ok(), created(), noContent(), accepted('jobs'), seeOther(), metaResult()]
export const rules = rowRules<SongRow>()
export const live = rules.any(rules.eq('isLive', true), rules.signedIn() && rules.isNull('deletedAt'))
export const checked = rules.check(({ row }) => row?.isLive === true)
export const replies = {
  accepted: () => reply.accepted({ poll: '/jobs/1' }),
  meta: () => reply.meta({}),
  nothing: () => reply.noContent(),
  other: () => reply.seeOther({ type: 'songs', id: '1' }),
  song: (row: SongRow) => reply.resource(row),
}
export const songsIn = (context: WorkContext) => context.rows(songs)

// Types
export const songs = defineResource('songs', {
  model: songModel,
  id: songId,
  attributes: (a) => ({ title: a.string().sortable(), seconds: a.integer().nullable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ title: f.contains(), live: f.boolean('isLive') }),
  sorts: (s) => ({ age: s.field('releasedAt') }),
  actions: songActions,
  create: [created(), accepted('jobs')],
  pagination: menu,
  softDeletes: true,
  version: 'version',
})
export const renamedSongs = songs.with({ type: 'tunes', operations: ['FetchOne'] })
export const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: (r) => ({ songs: r.hasMany('songs').countable() }),
  fetchOne: [ok(), seeOther()],
})
export const charts = defineType('charts', {
  model: model<{ id: string; title: string }>('charts'),
  fields: (a) => ({ id: id(), title: a.string() }),
})
export const all = resourcesIn({ songs, artists, charts })
export const found = () => discover(import.meta.url)

// Servers
export const memory = memoryData({ songs: [] })
export const database = sqlData(new DatabaseSync(':memory:'))
export const batches = atomic()
export const profiles = [...defaultProfiles]
export const guards = [
  authenticate({ challenge: 'Bearer', caller: () => null }),
  apiKeys({ find: () => null }),
  rateLimit({ limiter: { points: 1, duration: 1, consume: () => Promise.reject(new Error('no')) } }),
  jwtBearer({
    issuer: 'a',
    audience: 'b',
    keys: { url: 'https://a.example' },
    algorithms: ['RS256'],
    caller: () => null,
  }),
]
export const telemetry = openTelemetry()
export const server = createServer({
  resources: [songs, artists],
  data: memory,
  extensions: [batches],
  servers: { staff: { prefix: '/staff', maxPageSize: 10 } },
  pagination: cursorPage(),
  idempotency: true,
})
export const { fetch, handle, node } = server
export const health = server.health()
export const openapi = server.openapi()
export const routes = server.routes()
export const stats = () => server.stats()
export const inspect = () => server.inspect()
export const whether = () => server.explain({ as: null, type: 'songs', ability: 'view' })
export const cost = () => server.explain({ url: '/songs' })
export const dispatched = () => server.dispatch({ kind: 'FetchResource', type: 'songs', id: '1' })
export const listening = () => listen(server)
export const close = gracefulShutdown(createHttpServer())
export const stop = async () => (await listening()).close()
export const adapters = fastifyAdapter(server)
export const hono = honoAdapter(server)
export const nest = nestAdapter(server)
export const mounted = (given: Server) => honoAdapter(given)
export const app = mounted(server)
export const cors: ServerSettings['cors'] = { origins: '*' }
export const options: Parameters<typeof listen>[1] = { port: 0 }
export const key = createApiKey('music')
export const problems = [problem('RESOURCE_NOT_FOUND')]
export const refusal = new HttpError(429)
export const rows = rowSet(['id'], [[1]])
export const conflict = storeConflict({ kind: 'inUse', type: 'songs' })

// Clients
export interface Api extends ApiOf<typeof server> {}
export const client = createClient<Api>({ url: 'http://127.0.0.1:3000' })
export const { types, atomic: send } = client
export const { songs: songClient } = types
export const page = () => songClient.list({ include: ['artist'] })
export const song = () => songClient.get('1')
export const some = () => songClient.get('1', { fields: { songs: ['title'] } })
export const eachSong = () => songClient.each()
export const madeSong = () => songClient.create({ attributes: { title: 'Idioteque' } })
export const changedSong = () => songClient.update('1', { attributes: { title: 'Idioteque' } })
export const removed = () => songClient.delete('1')
export const linked = () => songClient.linkage('1', 'artist')
export const replaced = () => songClient.replace('1', 'artist', null)
export const played = () => songClient.act('1', 'play')
export const copied = () => songClient.act('1', 'copy', { attributes: { title: 'Again' } })
export const artistSongs = () => types.artists.related('1', 'songs', { include: ['artist'] })
export const eachArtistSong = () => types.artists.eachRelated('1', 'songs')
export const songPages = () => types.artists.relatedPages('1', 'songs')
export const added = () => types.artists.add('1', 'songs', [{ type: 'songs', id: '1' }])
export const sent = () =>
  client.atomic?.((batch) => [batch.create('songs', { attributes: {} }), batch.delete('songs', '1')])
export const shown = raw({})
export const queries = createQueries(client)
export const { types: queryTypes, atomic: batchMutation } = queries
export const songQueries = {
  list: queryTypes.songs.list(),
  infinite: queryTypes.songs.infinite(),
  get: queryTypes.songs.get('1'),
  related: queryTypes.artists.related('1', 'songs'),
  linkage: queryTypes.artists.linkage('1', 'songs'),
}
export const songMutations = {
  create: queryTypes.songs.create(),
  update: queryTypes.songs.update(),
  delete: queryTypes.songs.delete(),
  play: queryTypes.songs.act('play'),
  add: queryTypes.artists.add('songs'),
  replace: queryTypes.songs.replace('artist'),
}

// Tests
export const tester = testClient(server)
export const tested = () => tester.get('/songs')
export const testedResource = async () => (await tested()).resource
export const testedErrors = async () => expectErrors(await tested(), [])
export const documentFindings = documentProblems({})
export const explained = () => explainAccess(server, 'songs:view:1', { as: null })
export const counter = statementCounter()
export const counted = expectStatements(counter.statements, 0)
export const cases = storeConformance({ open: () => memoryData() })
export const suiteTables = conformanceModels.map(({ name }) => name)
export const suiteModels = [...conformanceModels]
