import { createHash } from 'node:crypto'
import { type ActionKit, bytes, reply, HttpError, metaResult, noContent } from 'ashlar'
import type { AlbumRow, TrackRow } from '../tables.js'
import { tablesOf } from '../storage/tables-of.js'

/** Columns that a reissue does not copy. */
const notCopied = { averageRating: null, artwork: null, availableFrom: null, availableUntil: null }

const pictures = bytes('image/png', 'image/jpeg', 'image/webp', 'image/gif')

/** The actions of albums: endpoints besides the standard operations. */
export const albumActions = (a: ActionKit<AlbumRow>) => ({
  reissue: a.resource({
    description: 'Creates a copy of this album, with the same tracks.',
    ability: 'create',
    input: 'document',
    asLink: true,
    async handle({ entity: { id: from, version: _version, ...old }, input, context }) {
      const tracks = context.rows<TrackRow>('tracks')
      const album = await context.rows<AlbumRow>('albums').create({ ...old, ...notCopied, ...input })
      for (const { id: _id, ...track } of await tracks.list({ albumId: from })) {
        await tracks.create({ ...track, albumId: album.id })
      }
      return reply.resource(album)
    },
  }),
  artwork: a.resource({
    description: 'Stores the picture of this album, and replaces an older one. The body is the file itself.',
    ability: 'update',
    input: pictures,
    responds: noContent(),
    async handle({ entity, body, mediaType, context }) {
      if (body.length === 0) throw new HttpError(400)
      const picture = { mediaType, content: Buffer.from(body) }
      await tablesOf(context)
        .insertInto('artworks')
        .values({ albumId: entity.id, ...picture })
        .onConflict((conflict) => conflict.column('albumId').doUpdateSet(picture))
        .execute()
      await context.rows<AlbumRow>('albums').update(entity.id, { artwork: `/albums/${entity.id}/-actions/picture` })
      return reply.noContent()
    },
  }),
  picture: a.resource({
    description: 'The picture of this album.',
    ability: 'view',
    methods: ['GET'],
    responds: pictures,
    async handle({ entity, context }) {
      const picture = await tablesOf(context)
        .selectFrom('artworks')
        .select(['mediaType', 'content'])
        .where('albumId', '=', entity.id)
        .executeTakeFirst()
      if (picture === undefined) throw new HttpError(404)
      const { mediaType, content } = picture
      return reply.bytes(content, { mediaType, etag: createHash('sha256').update(content).digest('base64url') })
    },
  }),
  summary: a.collection({
    description: 'Counts the albums of each status.',
    ability: 'viewAny',
    responds: metaResult(),
    async handle({ context }) {
      const counts = await tablesOf(context)
        .selectFrom('albums')
        .select(({ fn }) => ['status', fn.countAll().as('albums')])
        .groupBy('status')
        .orderBy('status')
        .execute()
      return reply.meta({
        albums: counts.reduce((sum, { albums }) => sum + Number(albums), 0),
        byStatus: Object.fromEntries(counts.map(({ status, albums }) => [status, Number(albums)])),
      })
    },
  }),
})
