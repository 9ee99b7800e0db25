import { defineResource, id, model } from 'ashlar'

export interface GenreRow {
  id: string
  name: string
}

/** Clients choose the ids, which are words: `/genres/art-rock`. Any other path is no route. */
export const genres = defineResource('genres', {
  model: model<GenreRow>('genres'),
  id: id()
    .pattern(/[a-z0-9]+(?:-[a-z0-9]+)*/)
    .requireClientId(),
  attributes: (a) => ({ name: a.string().required() }),
})
