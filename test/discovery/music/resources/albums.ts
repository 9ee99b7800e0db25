import { belongsTo, defineResource, id, model } from 'ashlar'

export const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: { artist: belongsTo('artists') },
})

/** Not a declaration. */
export const titleLength = 200
