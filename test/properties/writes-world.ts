import {
  actionResource,
  reply,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  fail,
  hasMany,
  hasOne,
  HttpError,
  id,
  isStoreConflict,
  model,
  rule,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'

/** A music shop in which everything that can be declared writable is writable. */

export interface ReleaseRow {
  id: string | number
  title: string
  code: string | null
  contact: string | null
  website: string | null
  barcode: string | null
  slug: string | null
  origin: string | null
  discs: number | null
  price: number | null
  explicit: boolean | null
  announcedAt: Date | null
  releasedOn: string | null
  doorsAt: string | null
  genres: readonly string[] | null
  chart: readonly number[] | null
  extras: object | null
  label: string | null
  labelCity: string | null
  dimensions: object | null
  medium: object | null
  secret: string | null
  revision: number
  artistId: number | null
}

/** Only the action can report which of its rows a store refuses. */
function refuseTakenCode(thrown: unknown): never {
  if (!isStoreConflict(thrown)) throw thrown
  fail('VALIDATION_FAILED', { message: 'This code is taken.' }, { source: { pointer: '/data/attributes/code' } })
}

/** Every kind of attribute. */
const releases = defineResource('releases', {
  model: model<ReleaseRow>('releases'),
  id: id().allowClientId(),
  attributes: (a) => ({
    title: a.string().required().maxLength(60),
    code: a.string().nullable().unique(),
    contact: a.email().nullable(),
    website: a.url().nullable(),
    barcode: a.uuid().nullable(),
    slug: a.slug().nullable(),
    origin: a.ip().nullable(),
    discs: a.integer().nullable(),
    price: a.decimal().nullable(),
    explicit: a.boolean().nullable(),
    announcedAt: a.dateTime().nullable(),
    releasedOn: a.date().nullable(),
    doorsAt: a.time().nullable(),
    genres: a.arrayList().nullable().each(rule.minLength(1)),
    chart: a.arrayList().of('integer').nullable(),
    extras: a.arrayHash().nullable(),
    imprint: a.map().fields({
      label: a.string().nullable(),
      place: a.map().fields({ city: a.string().storedAs('labelCity').nullable() }),
    }),
    dimensions: a
      .object()
      .fields({
        width: a.integer().required().min(1),
        sleeve: a.object().fields({ colour: a.string().required(), printedOn: a.date().nullable() }).nullable(),
        notes: a.arrayList().nullable(),
      })
      .nullable(),
    medium: a
      .oneOf()
      .discriminator('format')
      .variant('vinyl', { speed: a.integer().in([33, 45, 78]), cutAt: a.dateTime().nullable() })
      .variant('download', { bitrate: a.integer().min(96).required(), extra: a.arrayHash().nullable() })
      .nullable(),
    secret: a.string().writeOnly().nullable(),
    revision: a.integer().readOnly(),
  }),
  relations: {
    artist: belongsTo('artists'),
    shelves: belongsToMany('shelves').through('items').withData(),
  },
  hooks: {
    beforeSave(draft) {
      draft.revision = (draft.revision ?? 0) + 1
    },
  },
  actions: (a) => ({
    reissue: a.resource({
      input: 'document',
      async handle({ entity: { id: _id, code: _code, ...copied }, input, context }) {
        const copy = context.rows<ReleaseRow>('releases').create({ ...copied, ...input })
        return reply.resource(await copy.catch(refuseTakenCode))
      },
    }),
    announce: a.collection({
      input: 'document',
      inputType: 'portraits',
      responds: actionResource('releases', 'many'),
      handle: async ({ input, context }) => {
        await context.rows('portraits').create(input)
        return reply.resource(await context.rows<ReleaseRow>('releases').list())
      },
    }),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; country: string | null }>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().maxLength(40).unique(),
    country: a
      .string()
      .nullable()
      .pattern(/^[a-z]{2}$/),
  }),
  relations: { albums: hasMany('albums').withData(), portrait: hasOne('portraits').withData() },
})

const portraits = defineResource('portraits', {
  model: model<{ id: number; title: string; artistId: number | null }>('portraits'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: { artist: belongsTo('artists') },
})

interface AlbumRow {
  id: number
  title: string
  year: number | null
  artistId: number | null
  remasterOfId: number | null
}

/** The ids on the wire are not the keys, and some albums are remasters of others. */
const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id().encodeUsing<number>({
    encode: (key) => `al-${key.toString(36)}`,
    decode: (wireId) => (/^al-[0-9a-z]{1,6}$/.test(wireId) ? Number.parseInt(wireId.slice(3), 36) : null),
  }),
  attributes: (a) => ({
    title: a.string().required().maxLength(40),
    year: a.integer().nullable().min(1860).max(2100),
    artistName: a.string().on('artist').storedAs('name').maxLength(40),
  }),
  relations: {
    artist: belongsTo('artists').required(),
    tracks: hasMany('tracks').withData().cannotRemove(),
    remasterOf: belongsTo('albums'),
    remasters: hasMany('albums').via('remasterOfId').withData(),
  },
})

const tracks = defineResource('tracks', {
  model: model<{ id: string; title: string; albumId: number | null }>('tracks'),
  id: id().uuid().generated().allowClientId(),
  attributes: (a) => ({ title: a.string().required().maxLength(40) }),
  relations: {
    album: belongsTo('albums'),
    playlists: belongsToMany('playlists').withData().cannotReplace(),
  },
})

const playlists = defineResource('playlists', {
  model: model<{ id: string; title: string }>('playlists'),
  id: id()
    .pattern(/[a-z-]+/)
    .requireClientId(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({
        position: a.integer().required().min(1),
        note: a.string().nullable().maxLength(60),
        cue: a.object().fields({ at: a.time().required(), tags: a.arrayList().nullable() }).nullable(),
        addedBy: a.string().readOnly(),
      }))
      .withData()
      .maxItems(4),
    plainTracks: belongsToMany('tracks').storedAs('tracks').withData(),
  },
})

interface ShelfRow {
  id: number
  title: string
  bestId: number | null
  bestType: string | null
  keeperId: number | null
}

/** Takes whatever is put on it, unless it is locked; some titles are refused late. */
const shelves = defineResource('shelves', {
  model: model<ShelfRow>('shelves'),
  id: id().numeric(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: (r) => ({
    best: r.morphTo(['albums', 'artists']).cannotRemove(({ title }) => title === 'locked'),
    items: r
      .morphToMany(['tracks', 'albums', 'releases'])
      .through('items', { owner: 'shelfId', member: 'itemId', memberType: 'itemType' })
      .cannotAdd(({ title }) => title === 'locked')
      .withData(),
    keeper: r.belongsTo('artists').readOnly(),
  }),
  hooks: {
    async beforeSave({ title }, _creating, context) {
      await context.rows('portraits').create({ title: `Taken at the shelf ${title}` })
      if (title === 'refused') throw new HttpError(409, 'No shelf is called like that.')
    },
    async beforeRelationshipMutate({ title }, context) {
      await context.rows('portraits').create({ title: 'Taken at the shelf' })
      if (title === 'locked' && context.mode === 'remove') throw new HttpError(409, 'The shelf is locked.')
    },
  },
})

/** Nothing is paginated, so that a document shows all members. */
export function shopServer(data: DataSource, settings: object = {}): ReturnType<typeof createServer> {
  const resources = [releases, artists, portraits, albums, tracks, playlists, shelves]
  return createServer({ ...settings, resources, data, pagination: null })
}
