import { defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface ArtistRow {
  id: number
  name: string
  country: string | null
}

export const artists = defineResource('artists', {
  model: table<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().maxLength(120).sortable(),
    country: a.string().nullable(),
  }),
  relations: { albums: hasMany('albums') },
  filters: (f) => ({ name: f.contains() }),
})
