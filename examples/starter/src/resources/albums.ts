import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface AlbumRow {
  id: number
  title: string
  releasedOn: string
  artistId: number
}

export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200).sortable(),
    releasedOn: a.date().required().sortable(),
  }),
  relations: { artist: belongsTo('artists').required() },
  filters: (f) => ({ title: f.contains(), releasedOn: f.range(), 'artist.name': f.through() }),
})
