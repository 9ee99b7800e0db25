import { belongsTo, createServer, defineResource, hasMany, morphTo, resourcesIn } from 'ashlar'
import { album } from './albums.js'

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
