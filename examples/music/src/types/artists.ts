import { cursorPage, defineResource, hasMany, id, model } from 'ashlar'

export interface ArtistRow {
  id: number
  name: string
  slug: string
  website: string | null
  bio: string | null
  createdAt: Date
}

export const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id().numeric(),
  attributes: (a) => ({
    name: a.string().required().maxLength(120).sortable(),
    slug: a.slug().unique().sortable().describedAs('Made from the name when left out.'),
    website: a.url().nullable().allowedSchemes('https', 'http'),
    bio: a.string().nullable().maxLength(1000),
    createdAt: a.dateTime().readOnlyOnUpdate().sortable(),
  }),
  relations: { albums: hasMany('albums').paginate(cursorPage()) },
  filters: (f) => ({
    // One artist or none: `filter[slug]=bjork` answers a single resource.
    slug: f.where().singular(),
    name: f.where(),
    q: f.contains('name'),
  }),
  countable: true,
  maxIncludeDepth: 2,
})
