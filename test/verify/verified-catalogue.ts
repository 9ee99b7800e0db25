import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model, type ServerHandle } from 'ashlar'
import { memoryData } from 'ashlar/memory'

interface ArtistRow {
  id: number
  name: string
  founded: number | null
}

interface AlbumRow {
  id: number
  title: string
  year: number
  released: string
  artistId: number | null
}

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().sortable(),
    founded: a.integer().nullable().sortable(),
  }),
  relations: { albums: hasMany('albums') },
})

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(60).sortable(),
    year: a.integer().sortable(),
    released: a.date().sortable(),
  }),
  relations: {
    artist: belongsTo('artists').nullable(),
    genres: belongsToMany('genres').through('albumGenres', { owner: 'albumId', member: 'genreId' }),
  },
  filters: (f) => ({ year: f.in(), words: f.search('title') }),
  export: true,
  aggregates: (g) => ({ 'by-year': g.fields({ year: g.by(), artist: g.by(), albums: g.count() }) }),
})

const genres = defineResource('genres', {
  model: model<{ id: string; name: string }>('genres'),
  id: id()
    .pattern(/[a-z]+/)
    .requireClientId(),
  upsertBy: 'id',
  attributes: (a) => ({ name: a.string().required() }),
})

/** Creates a small catalogue that follows every statement, with its own rows. `albums` is its maximum number of albums. */
export function verifiedCatalogue({ isDescribed = true, albums: most = 4 } = {}): { readonly handle: ServerHandle } {
  return createServer({
    resources: [artists, albums, genres],
    data: memoryData({
      artists: [
        { id: 1, name: 'Radiohead', founded: 1985 },
        { id: 2, name: 'Portishead', founded: 1991 },
        { id: 3, name: 'Björk', founded: null },
      ],
      albums: [
        { id: 1, title: 'OK Computer', year: 1997, released: '1997-05-21', artistId: 1 },
        { id: 2, title: 'Kid A', year: 2000, released: '2000-10-02', artistId: 1 },
        { id: 3, title: 'Dummy', year: 1994, released: '1994-08-22', artistId: 2 },
        { id: 4, title: 'Third', year: 1997, released: '1997-01-01', artistId: null },
      ].slice(0, most),
      genres: [
        { id: 'rock', name: 'Rock' },
        { id: 'triphop', name: 'Trip hop' },
      ],
      albumGenres: [
        { albumId: 1, genreId: 'rock' },
        { albumId: 3, genreId: 'triphop' },
      ],
    }),
    openapi: { title: 'Catalogue', enabled: isDescribed },
    strictPages: true,
  })
}
