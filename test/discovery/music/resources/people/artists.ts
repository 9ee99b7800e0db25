import { defineResource, hasMany, id, model } from 'ashlar'

export const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { albums: hasMany('albums') },
})
