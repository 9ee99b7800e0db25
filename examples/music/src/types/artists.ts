import { cursorPage, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { sql, type Kysely } from 'kysely'
import { signedIn } from '../access/caller.js'
import { withToken } from '../access/policies.js'
import { freeSlug, slugFamily, slugOf } from '../slug.js'
import { lockName } from '../storage/lock-name.js'
import type { ArtistRow, Tables } from '../tables.js'
import { removeReferences } from './remove-references.js'

const artistTable = table<ArtistRow>('artists', {
  columns: {
    trackCount: {
      type: 'integer',
      computed: ({ column }) => sql`(
        select count(*) from tracks join albums on albums.id = tracks.album_id where albums.artist_id = ${column('id')}
      )`,
    },
  },
})

export const artists = defineResource('artists', {
  description: 'People and bands that make music.',
  model: artistTable,
  id: id().numeric(),
  attributes: (a) => ({
    name: a.string().required().maxLength(120).sortable(),
    slug: a
      .slug()
      .unique({ message: 'Another artist has this slug.' })
      .sortable()
      .describedAs('The default is made from the name.'),
    website: a.url().nullable().allowedSchemes('https', 'http'),
    bio: a.string().nullable().maxLength(1000),
    trackCount: a.integer().readOnly(),
    createdAt: a.dateTime().readOnlyOnUpdate().sortable(),
  }),
  relations: { albums: hasMany('albums').paginate(cursorPage()).security({ read: 'browse' }) },
  filters: (f) => ({
    // One artist or none: `filter[slug]=bjork` returns a single resource.
    slug: f.where().singular(),
    q: f.contains('name').describedAs('A part of the name.').example('bjö'),
  }),
  // Everyone may read artists, but not their albums. Everything else needs a token.
  policy: () => ({ ...withToken(), viewAny: true, view: true, custom: { browse: signedIn } }),
  hooks: {
    async beforeCreate(draft, context) {
      if (draft.slug !== undefined) return
      const slug = slugOf(draft.name ?? '')
      await lockName(`slug of an artist: ${slugFamily(slug)}`, context)
      draft.slug = await freeSlug(slug, context.db as Kysely<Tables>)
    },
    beforeDelete: removeReferences('artists'),
  },
  countable: true,
  maxIncludeDepth: 2,
})
