import {
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  resourcesIn,
  type Model,
} from 'ashlar'
import { table as drizzleTable } from 'ashlar/drizzle'
import { table } from 'ashlar/sql'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { album, type AlbumRow } from './albums.js'

export const keys = defineResource('albums', {
  ...album,
  relations: (r) => ({
    // refuses: No column 'artist_id' in the model: name a column of this type's row.
    artist: r.belongsTo('artists').via('artist_id'),
    label: r.belongsTo('artists').via(['artistId', 'title']),
    // refuses: No column 'titel' in the model: name columns of this type's row.
    owner: r.belongsTo('artists').via(['artistId', 'titel']),
    // refuses: No column 'subjectId' in the model: name a column of this type's row.
    subject: r.morphTo(['artists', 'albums']).via('subjectId', 'title'),
    // refuses: No column 'kind' in the model: name a column of this type's row.
    other: r.morphTo(['artists', 'albums']).via('artistId', 'kind'),
    // refuses: Property 'titel' does not exist on type 'AlbumRow'. Did you mean 'title'?
    tracks: r.hasMany('tracks').cannotAdd((row) => row.titel === ''),
  }),
})

export const plain = defineResource('albums', {
  ...album,
  relations: {
    artist: belongsTo('artists').via('artistId').required(),
    // refuses: No column 'artist_id' in the model: name a column of this type's row.
    label: belongsTo('artists').via('artist_id').nullable().countable(),
    // refuses: No column 'titel' in the model: name a column of this type's row.
    owner: belongsTo('artists').via(['artistId', 'titel']),
    // refuses: No column 'kind' in the model: name a column of this type's row.
    subject: morphTo(['artists', 'albums']).via('artistId', 'kind'),
    tracks: hasMany('tracks').via('anything'),
  },
})

export const unnamed = defineResource('albums', {
  ...album,
  relations: {
    artist: belongsTo('artists').nullable().filterable(),
    // refuses: No column 'artitsId' in the model: correct the name of the relation, or name its column with via().
    artits: belongsTo('artists').nullable().filterable(),
    painter: belongsTo('artists').via('artistId').nullable(),
    painters: belongsTo('artists').nullable().via(['artistId', 'year']),
    second: belongsTo('artists').storedAs('artist').nullable(),
    guessed: belongsTo('artists').extractUsing(() => null),
    item: morphTo(['artists', 'tracks']),
    lyrics: hasOne('lyrics'),
    tracks: hasMany('tracks'),
    genres: belongsToMany('genres'),
  },
})

export const unnamedByKit = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  // refuses: No column 'artitsId' in the model: correct the name of the relation, or name its column with via().
  relations: (r) => ({ artits: r.belongsTo('artists').required() }),
})

export const namedByKit = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  relations: (r) => ({
    artist: r.belongsTo('artists').required(),
    painter: r.belongsTo('artists').via('artistId').required(),
    painters: r.belongsTo('artists').via(['artistId', 'year']),
    second: r.belongsTo('artists').required().storedAs('artist'),
    guessed: r.belongsTo('artists').extractUsing(() => null),
    item: r.morphTo(['artists', 'tracks']),
    lyrics: r.hasOne('lyrics'),
    tracks: r.hasMany('tracks'),
    genres: r.belongsToMany('genres'),
  }),
})

// The column may be found by a foreign key, or is not known to the compiler.
const foreignKeys = [{ columns: ['artistId'] as const, model: 'artists', references: ['id'] }]
const painted = sqliteTable('painted', { id: integer().primaryKey(), by: integer() })
const relations = { painter: belongsTo('artists') }
const annotated: Model<AlbumRow> = model<AlbumRow>('albums', { foreignKeys })
export const byForeignKey = [
  defineResource('albums', { model: model<AlbumRow>('albums', { foreignKeys }), id: id(), relations }),
  defineResource('albums', { model: table<AlbumRow>('albums', { foreignKeys }), id: id(), relations }),
  defineResource('albums', { model: annotated, id: id(), relations }),
  defineResource('painted', { model: drizzleTable(painted), id: id(), relations }),
  defineResource('albums', { model: model<Record<string, unknown>>('albums'), id: id(), relations }),
  defineResource('albums', { model: model('albums'), id: id(), relations }),
]

// The options of a model are checked as if it had one signature.
// refuses: Type '"titel"' is not assignable to type
export const misspelt = model<AlbumRow>('albums', { key: 'titel' })

const albums = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string().required().maxLength(200).sortable(), year: a.integer().min(1900) }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
})
const artists = defineResource('artists', { ...album, relations: { albums: hasMany('albums') } })
const notes = defineResource('notes', { ...album, relations: { subject: morphTo(['albums', 'tracks']) } })

export const server = createServer({
  resources: [
    artists,
    // refuses: 'tracks' of 'albums' points to 'tracks', which this server does not declare: add it to 'resources', or correct the name.
    albums,
    // refuses: 'subject' of 'notes' points to 'tracks', which this server does not declare: add it to 'resources', or correct the name.
    notes,
  ],
})

export const fromSnapshot = createServer({
  // refuses: 'tracks' of 'albums' points to 'tracks', which this server does not declare: add it to 'resources', or correct the name.
  resources: resourcesIn({ albumsModule: { albums }, artistsModule: { artists } }),
})
