import {
  belongsTo,
  belongsToMany,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  rule,
  type RequestContext,
} from 'ashlar'
import { planCache } from '../../src/serve/read/plan-cache.js'
import type { RequestServices } from '../../src/serve/read/read-context.js'
import { schemaValidator } from '../../src/serve/validation/schema-validator.js'
import type { FilterValue } from '../../src/serve/operation/query-parameters.js'
import { compileType } from '../../src/server/assembly/compile/compile-type.js'
import { scopeReaders } from '../../src/declare/resource/capabilities/own-functions.js'
import type { ServedRelation, ServedType } from '../../src/declare/resource/capabilities/served-type.js'
import type { CompiledRelation, CompiledType } from '../../src/declare/resource/compiled/compiled-type.js'
import { TypeListeners } from '../../src/declare/resource/events/type-listeners.js'
import { isRawDeclaration } from '../../src/declare/resource/define/raw-declaration.js'
import type { RelationStorage } from '../../src/declare/resource/compiled/relation-link.js'
import { tokens } from '../support/cursor-content.js'

/** A request; `header` is the value of `x-staff`. */
export function requestContext(staff = 'no'): RequestContext {
  const request = { header: (name: string) => (name === 'x-staff' ? staff : null) }
  return { server: 'default', type: 'albums', operation: 'FetchResource', caller: null, request: request as never }
}

export const isStaff = ({ request }: RequestContext): boolean => request?.header('x-staff') === 'yes'

export const services: RequestServices = {
  types: new Map(),
  find: () => null,
  findAnywhere: () => null,
  authenticates: () => false,
  typeNames: () => [],
  maxIncludePaths: 100,
  maxIncludeDepth: 0,
  profiles: new Set(),
  cursors: tokens,
  unknownMembers: 'ignore',
  strictPages: false,
  validateStored: false,
  respondsWithLinkage: false,
  strictFieldsets: true,
  maxErrors: 100,
  maxFilterValues: 1000,
  maxUriLength: 16_384,
  maxFilterLength: 1000,
  maxItems: 10_000,
  maxIdentifiers: 10_000,
  maxResources: 50_000,
  maxIncluded: 10_000,
  maxLinkage: 10_000,
  queryCost: null,
  schemas: schemaValidator({ isSound: true }),
  plans: planCache(),
  report: () => undefined,
}

/** `filter[…]` as the query of a request has it; plain objects represent maps. */
export function sent(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, FilterValue> {
  return new Map(Object.entries(values).map(([key, value]) => [key, filterValue(value)]))
}

function filterValue(value: unknown): FilterValue {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Map) return value as FilterValue
  return sent(value as Readonly<Record<string, unknown>>)
}

interface ArtistRow {
  id: number
  name: string
  country: string
  secret: string
  labelId: number
}

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id().encodeUsing<number>({
    encode: (key) => `a${key}`,
    decode: (wireId) => (/^a\d+$/.test(wireId) ? Number(wireId.slice(1)) : null),
  }),
  attributes: (a) => ({
    name: a.string().sortable(),
    country: a.string(),
    secret: a.string().hidden(),
  }),
  relations: { albums: hasMany('albums').via('artistId'), label: belongsTo('labels') },
})

const labels = defineResource('labels', {
  model: model<{ id: number; name: string; public: boolean; founderId: number }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string(), public: a.boolean() }),
  relations: { founder: belongsTo('artists').hidden() },
  filters: (f) => ({ name: f.where() }),
  scope: (context, f) => (isStaff(context) ? null : f.where('public').fixed(true)),
})

interface AlbumRow {
  id: number
  title: string
  year: number
  rating: number | null
  explicit: boolean
  releasedAt: Date | null
  recordedOn: string | null
  startsAt: string | null
  genres: string[]
  scores: number[]
  extras: object | null
  label_name: string | null
  notes: string | null
  internal: string | null
  plays: number
  importedAt: Date | null
  artistId: number | null
  labelId: number | null
  ownerId: number | null
  ownerType: string | null
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id().sortable(),
  attributes: (a) => ({
    title: a.string().sortable(),
    year: a.integer().sortable(),
    rating: a.decimal().nullable().sortable(),
    explicit: a.boolean(),
    releasedAt: a.dateTime().nullable().sortable(),
    parisTime: a.dateTime().storedAs('releasedAt').nullable().readOnly().useTimezone('Europe/Paris'),
    recordedOn: a.date().nullable(),
    startsAt: a.time().nullable(),
    genres: a.arrayList(),
    scores: a.arrayList().of('integer'),
    extras: a.arrayHash().nullable(),
    labelInfo: a.map().fields({ labelName: a.string().storedAs('label_name').nullable() }),
    notes: a.string().nullable().sortable().hidden(),
    internal: a
      .string()
      .nullable()
      .sortable()
      .hidden((_row, context) => !isStaff(context)),
  }),
  relations: {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks').via('albumId'),
    cover: hasOne('covers').via('albumId'),
    label: belongsTo('labels'),
    owner: morphTo(['artists', 'labels']).via('ownerId', 'ownerType'),
    critics: hasMany('artists').extractUsing(() => []),
    secretArtist: belongsTo('artists').via('artistId').hidden(),
  },
  filters: (f) => ({
    title: f.contains(),
    exactTitle: f.where('title'),
    year: f.where(),
    notYear: f.where('year', '!='),
    minYear: f.greaterThanOrEqual('year'),
    rating: f.where(),
    explicit: f.where(),
    active: f.boolean('explicit'),
    loose: f.where('explicit').asBoolean(),
    released: f.dateRange('releasedAt'),
    releasedAt: f.where(),
    recorded: f.dateRange('recordedOn'),
    recordedOn: f.where(),
    starts: f.dateRange('startsAt'),
    paris: f.dateRange('parisTime'),
    imported: f.dateRange('importedAt'),
    years: f.in('year'),
    notYears: f.notIn('year'),
    titles: f.in('title').delimiter('|'),
    genre: f.where('genres'),
    score: f.in('scores'),
    extras: f.where(),
    ids: f.idIn(),
    notIds: f.idNotIn(),
    id: f.where(),
    length: f.range('year'),
    unrated: f.isNull('rating'),
    rated: f.isNotNull('rating'),
    plays: f.where(),
    artistName: f.through('artist.name'),
    artistId: f.through('artist.id'),
    trackTitle: f.through('tracks.title').operator('like'),
    labelName: f.through('label.name'),
    founder: f.through('label.founder.name'),
    artistSecret: f.through('artist.secret'),
    hasTracks: f.has('tracks'),
    noTracks: f.doesntHave('tracks'),
    hasLabel: f.has('label'),
    hasOwner: f.has('owner'),
    noOwner: f.doesntHave('owner'),
    hasCritics: f.has('critics'),
    hasSecretArtist: f.has('secretArtist'),
    longTracks: f.hasMatching('tracks', { matches: (row) => Number(row['seconds']) > 300 }),
    search: f.any({ title: f.contains(), year: f.where(), between: f.range('year') }),
    both: f.all({ title: f.contains(), year: f.where('year', '!=') }),
    none: f.any({}),
    every: f.all({}),
    short: f.all({ title: f.where() }).constrain(rule.maxLength(3)),
    published: f.where('title').fixed('Kid A'),
    decade: f.where('year').deserializeUsing((text) => Number.parseInt(String(text), 10) * 10),
    broken: f.where('year').deserializeUsing(() => {
      throw new TypeError('no')
    }),
    checked: f.where('year').integer().constrain(rule.min(1900), rule.max(2100)),
    listed: f.in('year').constrain(rule.in([1997, 2000])),
    bounded: f.range('year').constrain(rule.min(10)),
    slug: f
      .where('title')
      .pattern(/^[a-z]+$/)
      .singular(),
    custom: f.custom({ matches: () => true }),
    column: f.where('label_name'),
    notes: f.where(),
    internal: f.where(),
    secretGroup: f.any({ title: f.contains(), notes: f.contains() }),
    key: f.where('artistId'),
  }),
  sorts: (s) => ({
    artist: s.through('artist.name'),
    label: s.through('label.name'),
    founder: s.through('label.founder.name'),
    plays: s.field(),
    byMood: s.custom({ compare: () => 0 }),
  }),
  defaultSort: ['-releasedAt', 'byMood', 'internal', 'title'],
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; seconds: number; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), seconds: a.integer() }),
  filters: (f) => ({ title: f.contains(), seconds: f.where() }),
  sorts: (s) => ({ position: s.field('seconds') }),
  defaultSort: ['title'],
})

const covers = defineResource('covers', {
  model: model<{ id: number; albumId: number | null }>('covers'),
  id: id(),
})

const playlists = defineResource('playlists', {
  model: model<{ id: number; title: string }>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({
        position: a.integer(),
        weight: a.integer(),
        addedAt: a.dateTime().storedAs('added_at'),
        reason: a.string().hidden(),
      }))
      .withFilters((f) => ({
        seconds: f.greaterThan(),
        position: f.where('pivot.position'),
        added: f.dateRange('pivot.added_at'),
        reason: f.where('pivot.reason'),
      }))
      .withSorts((s) => ({ weight: s.field('seconds') })),
    queue: belongsToMany('tracks')
      .through('queue_tracks', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({ place: a.integer() }))
      .withSorts((s) => ({ title: s.field('seconds') }))
      .defaultSort('-place', 'title'),
    favorites: belongsToMany('tracks')
      .through('favorite_tracks', { owner: 'playlistId', member: 'trackId' })
      .withSorts((s) => ({ title: s.field('seconds') })),
  },
})

/** The catalogue as one server serves it. */
export function catalogue(): Readonly<Record<string, ServedType>> {
  return served([artists, labels, albums, tracks, covers, playlists])
}

/** Declarations as one server serves them. */
export function served(declarations: readonly object[]): Readonly<Record<string, ServedType>> {
  const types = new Map<string, ServedType & { readonly relations: Map<string, ServedRelation> }>()
  for (const declaration of declarations) {
    if (!isRawDeclaration(declaration)) throw new TypeError('This is no declaration.')
    const type = compileType(declaration)
    types.set(type.type, {
      type,
      serializer: null,
      hydrator: null,
      provider: null,
      persister: null,
      scopeReaders: scopeReaders(null),
      shortcuts: {},
      transactions: null,
      readsInTransaction: false,
      isReadByStore: false,
      handle: null,
      relations: new Map(),
      listeners: new TypeListeners(null),
      siblings: [],
      guardedKeys: [],
      paginator: null,
      source: null,
    })
  }
  for (const { type, relations } of types.values()) {
    for (const relation of type.relations) relations.set(relation.name, servedRelation(relation, type, types))
  }
  return Object.fromEntries(types)
}

function servedRelation(
  { name, uriName, spec }: CompiledRelation,
  owner: CompiledType,
  types: ReadonlyMap<string, ServedType>,
): ServedRelation {
  const related = new Map(spec.targets.flatMap((target) => [[target, types.get(target)] as const]))
  for (const [target, type] of related) if (type === undefined) throw new TypeError(`There is no type '${target}'.`)
  const found = related as ReadonlyMap<string, ServedType>
  return {
    name,
    uriName,
    spec,
    owner,
    targets: [...found.values()].map(({ type }) => type),
    storage: storageOf(name, spec),
    related: found,
    readBy: spec.extract === null ? 'owner' : 'function',
    writeBy: 'none',
    complete: true,
    hasRelatedEndpoint: true,
    hasRelationshipEndpoint: true,
    linkage: spec.linkage === 'always' ? 'always' : 'whenLoaded',
    paginator: null,
  }
}

function storageOf(name: string, { key, join, traits, extract }: CompiledRelation['spec']): RelationStorage {
  if (extract !== null) return { kind: 'function' }
  if (join !== null) {
    return {
      kind: 'join',
      model: join.model,
      owner: { id: join.owner ?? '', type: null },
      member: join.member ?? { id: '', type: null },
    }
  }
  return { kind: traits.ownerSide ? 'ownKey' : 'relatedKey', key: key ?? { id: `${name}Id`, type: null } }
}

/** A relation of the catalogue. */
export function relationOf(types: Readonly<Record<string, ServedType>>, type: string, name: string): ServedRelation {
  const relation = types[type]?.relations.get(name)
  if (relation === undefined) throw new TypeError(`'${type}' has no relation '${name}'.`)
  return relation
}

export function typeOf(types: Readonly<Record<string, ServedType>>, type: string): ServedType {
  const found = types[type]
  if (found === undefined) throw new TypeError(`There is no type '${type}'.`)
  return found
}
