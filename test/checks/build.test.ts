import { readFileSync } from 'node:fs'
import {
  accepted,
  atomic,
  belongsTo,
  belongsToMany,
  BuildError,
  created,
  createServer,
  cursorPage,
  defaultProfiles,
  defineResource,
  defineType,
  enumeration,
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
  rule,
  seeOther,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { buildRules } from '../../src/server/assembly/checks/build-rules.js'
import { faultsOf, resource } from './refusals.js'

test('a build reports all faults together, each with its type, member and remedy', () => {
  const albums = resource('albums', {
    attributes: (a: { string(): { minLength(n: number): { maxLength(n: number): unknown } } }) => ({
      title: a.string().minLength(9).maxLength(3),
    }),
    relations: { artist: belongsTo('artists') },
    defaultSort: ['year'],
    operations: ['Fetch'],
  })
  const build = () => createServer({ resources: [albums], baseUri: 'example.com', limits: { jsonDepth: 0 } } as never)
  expect(build).toThrow(BuildError)
  expect(build).toThrow(
    [
      'The server cannot be built: 6 faults.',
      "  - baseUri: is 'example.com'. Remedy: give an absolute URL, baseUri: 'https://example.com', or leave it out.",
      '  - limits.jsonDepth: is 0. Remedy: give a whole number above 0.',
      "  - albums.operations: 'Fetch' is not an operation. Remedy: use one of 'FetchCollection', 'FetchOne', 'Create', 'Update', 'Delete'.",
      '  - albums.title: minLength(9) and maxLength(3) leave no value between them. Remedy: raise the upper bound, or lower the other.',
      "  - albums.artist: points to the unknown type 'artists'. Remedy: declare it, or name 'albums'.",
      "  - albums.defaultSort: names 'year', which is not a sort of the type. Remedy: make the attribute sortable(), or name 'id'.",
    ].join('\n'),
  )
})

test('one fault is reported in the singular', () => {
  expect(() => createServer({ resources: [resource('albums')], data: memoryData(), trustProxy: 1 } as never)).toThrow(
    'The server cannot be built: one fault.\n  - trustProxy: is 1. Remedy: give true or false.',
  )
})

test('an empty server is built', () => {
  expect(faultsOf({ resources: [] })).toEqual([])
})

test('every rule is in the list once', () => {
  expect(new Set(buildRules).size).toBe(buildRules.length)
})

test('every rule has a row in the docs', () => {
  const list = readFileSync(new URL('../../src/server/assembly/checks/build-rules.ts', import.meta.url), 'utf8')
  const docs = readFileSync(new URL('../../docs/reference/build-faults.md', import.meta.url), 'utf8')
  const rules = [...list.matchAll(/^import \{ \w+ \} from '\.\/([\w-]+)\.js'$/gm)].map(([, file]) => file)
  expect(rules).toHaveLength(buildRules.length)
  expect(rules.filter((file) => !docs.includes(`\`${file}\``))).toEqual([])
})

interface AlbumRow {
  id: number
  title: string
  status: string
  releasedAt: Date
  availableFrom: string | null
  availableUntil: string | null
  label: string | null
  secretHash: string | null
  catalogueNumber: string | null
  tags: string[]
  payment: object
  artistId: number | null
  makerId: number | null
  makerType: string | null
}

interface PersonRow {
  id: number
  name: string
}

const Status = enumeration('AlbumStatus', { upcoming: 'Announced.', released: 'Out.' })

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums', {
    columns: [
      'id',
      'title',
      'status',
      'releasedAt',
      'availableFrom',
      'availableUntil',
      'label',
      'secretHash',
      'catalogueNumber',
      'tags',
      'payment',
      'artistId',
      'makerId',
      'makerType',
    ],
  }),
  id: id().numeric().sortable().describedAs('Given by the store.'),
  server: ['default', 'admin'],
  uriType: 'records',
  attributes: (a) => ({
    title: a
      .string()
      .required()
      .minLength(1)
      .maxLength(200)
      .pattern(/\S/)
      .sortable()
      .unique({ with: ['artist'] }),
    status: a.string().enum(Status).sortable(),
    releasedAt: a
      .dateTime()
      .before(() => new Date())
      .readOnlyOnUpdate(),
    availableFrom: a.date().nullable().after('1900-01-01'),
    availableUntil: a.date().nullable().compareWith('availableFrom', '>'),
    releaseInfo: a.map().nullable().fields({ label: a.string().nullable(), catalogueNumber: a.string().nullable() }),
    tags: a.arrayList().minItems(1).uniqueItems().each(rule.minLength(1), rule.maxLength(40)),
    payment: a.oneOf().variant('card', { number: a.string() }).variant('bank', { account: a.string().required() }),
    shout: a
      .string()
      .computed((row) => row.title.toUpperCase())
      .sparseByDefault(),
    secret: a.string().storedAs('secretHash').writeOnly().nullable(),
  }),
  relations: {
    artist: belongsTo('people').via('artistId').nullable().inverseType('albums'),
    guests: belongsToMany('people')
      .through('album_guests', { owner: 'albumId', member: 'personId' })
      .fields((a) => ({ position: a.integer().min(1).required(), weight: a.integer().compareWith('position', '>=') }))
      .withFilters((f) => ({ position: f.where('pivot.position'), called: f.where('name') }))
      .withSorts((s) => ({ called: s.field('name') }))
      .minItems(0)
      .maxItems(10)
      .defaultSort('position', '-called')
      .countable()
      .paginate(cursorPage()),
    cover: hasOne('covers').via('albumId').withoutRelatedEndpoint().readOnly(),
    likedBy: morphToMany(['people', 'bands'])
      .through('likes', { owner: 'albumId', member: 'likerId', memberType: 'likerType' })
      .withUriFieldName('liked-by')
      .withoutPagination(),
    maker: morphTo(['people', 'bands']).cannotReplace(),
  },
  filters: (f) => ({
    title: f.contains(),
    'artist.name': f.through(),
    artist: f.has(),
    releasedAt: f.dateRange(),
    q: f.any({ title: f.contains(), label: f.startsWith('label') }),
    odd: f.custom({ matches: () => true }),
    ids: f.idIn(),
    status: f.in().singular().default(['released']),
  }),
  sorts: (s) => ({ artist: s.through('artist.name'), random: s.custom({ compare: () => 0 }) }),
  defaultSort: ['-status', 'title', 'id', 'artist'],
  defaultIncludes: ['artist'],
  allowedIncludePaths: ['artist.albums', 'maker.albums'],
  maxIncludeDepth: 2,
  pagination: pageMenu([numberPage(), offsetPage(), numberPage({ size: 50 }).named('large'), fixedPage()], {
    default: 'large',
  }),
  countable: true,
  create: [created(), accepted('jobs')],
  update: [ok(), noContent()],
  delete: metaResult(),
  cacheHeaders: { max_age: 60, vary: ['Accept-Language'], operations: { read: { private: true } } },
  deprecation: true,
  sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
  sunsetLink: 'https://example.com/sunset',
  tags: ['Catalog'],
  description: 'Records.',
  meta: () => ({}),
  links: () => ({}),
})

const people = defineResource('people', {
  model: model<PersonRow>('people'),
  id: id().encodeUsing({ encode: (key: number) => `p${key}`, decode: (wire) => Number(wire.slice(1)) }),
  attributes: (a) => ({ name: a.string().sortable() }),
  relations: { albums: hasMany('albums').via('artistId') },
  objectType: () => 'people',
  pagination: (serverDefault) => serverDefault,
})

const bands = defineResource('bands', {
  model: model<PersonRow>('people'),
  id: id().uuid().generated(),
  objectType: () => null,
  readOnly: true,
  pagination: null,
})

const jobs = defineResource('jobs', {
  model: model<PersonRow>('jobs'),
  id: id().ulid().generated(),
  server: ['default', 'admin'],
  operations: ['FetchOne'],
  fetchOne: [ok(), seeOther()],
  completionLocation: () => null,
})

const covers = defineType('covers', { fields: () => ({ id: id() }) })

const charts = defineType('charts', {
  fields: (a) => ({
    code: id()
      .pattern('[a-z]+')
      .generateUsing(() => 'a'),
    name: a.string(),
  }),
  serializer: 'charts.serializer',
  hydrator: { hydrate: () => ({}) },
  provider: { fetchOne: () => null, fetchCollection: () => ({ rows: [], total: 0 }) },
  persister: { create: () => ({}), update: () => null, delete: () => false },
  operations: ['FetchCollection', 'FetchOne', 'Create', 'Update', 'Delete'],
})

test('a valid server with every feature is built', () => {
  expect(
    faultsOf({
      resources: [albums, people, bands, jobs, covers, charts],
      data: [memoryData(), memoryData({}, { types: ['jobs'] })],
      baseUri: 'https://example.com/api/',
      version: '1.1',
      jsonapiMeta: { by: 'us' },
      servers: { default: {}, admin: { prefix: '/admin/', middleware: [] }, staff: { host: 'staff.example.com:8080' } },
      services: { 'charts.serializer': { members: ['name'], serialize: () => ({ id: 'a' }) } },
      pagination: numberPage({ keys: { size: 'limit' } }).withCount(),
      maxPageSize: 50,
      maxIncludeDepth: 3,
      unknownMembers: 'reject',
      strictQueryParameters: true,
      strictPages: true,
      queryFamilies: ['myFamily', 'v2'],
      profiles: [...defaultProfiles, { uri: 'urn:example:labelled', families: ['labelLanguage', 'v2'] }],
      limits: { bodyBytes: 1000, jsonDepth: 10, uriLength: 1000, includePaths: 5, sortKeys: 5, filterValues: 5 },
      trustProxy: true,
      handler: (builtIn: unknown) => builtIn,
      serving: () => undefined,
      extensions: [atomic({ path: '/operations', enabled: true, maxOperations: 100 })],
      debug: false,
      logger: console,
      messages: { jsonapi_errors: {} },
      mappers: [{ priority: 5, map: () => null }],
      exceptionMap: [[HttpError, 500]],
    }),
  ).toEqual([])
})
