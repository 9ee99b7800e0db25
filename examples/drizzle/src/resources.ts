import { belongsTo, belongsToMany, defineResource, enumeration, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import * as schema from './schema.js'

/** Names, keys, foreign keys and the types of rows come from the Drizzle tables. They are not repeated here. */

const artists = defineResource('artists', {
  model: table(schema.artists),
  id: id().numeric(),
  attributes: (a) => ({ name: a.string().required().sortable(), createdAt: a.dateTime().readOnly() }),
  relations: { albums: hasMany('albums') },
})

const albums = defineResource('albums', {
  model: table(schema.albums),
  id: id().numeric(),
  attributes: (a) => ({
    title: a.string().required().sortable(),
    format: a.string().enum(enumeration('AlbumFormat', schema.albumFormat.enumValues)),
    releasedAt: a.dateTime().nullable().sortable(),
  }),
  relations: { artist: belongsTo('artists').required(), playlists: belongsToMany('playlists') },
  filters: (f) => ({ title: f.contains(), format: f.where() }),
})

const playlists = defineResource('playlists', {
  model: table(schema.playlists),
  id: id().uuid(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: {
    albums: belongsToMany('albums')
      .through(table(schema.playlistAlbums))
      .fields((a) => ({ addedAt: a.dateTime().readOnly() })),
  },
})

export const resources = [artists, albums, playlists] as const
