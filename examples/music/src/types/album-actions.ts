import { type ActionKit, reply, HttpError, metaResult, noContent } from 'ashlar'
import type { AlbumRow, TrackRow } from '../tables.js'
import { tablesOf } from '../storage/tables-of.js'

/** What a new album does not take over from the old one. */
const ofItsOwn = { averageRating: null, artwork: null, availableFrom: null, availableUntil: null }

const pictures = /^image\/(?:png|jpeg|webp|gif)$/

/** What clients may do with albums besides the operations. */
export const albumActions = (a: ActionKit<AlbumRow>) => ({
  reissue: a.resource({
    description: 'Makes a new album of this one, with the same tracks.',
    ability: 'create',
    input: 'document',
    asLink: true,
    async handle({ entity: { id: from, version: _version, ...old }, input, context }) {
      const tracks = context.rows<TrackRow>('tracks')
      const album = await context.rows<AlbumRow>('albums').create({ ...old, ...ofItsOwn, ...input })
      for (const { id: _id, ...track } of await tracks.list({ albumId: from })) {
        await tracks.create({ ...track, albumId: album.id })
      }
      return reply.resource(album)
    },
  }),
  artwork: a.resource({
    description: 'Takes the bytes of a picture.',
    ability: 'update',
    input: 'raw',
    responds: noContent(),
    async handle({ entity, body, context }) {
      const mediaType = context.request?.header('content-type') ?? ''
      if (!pictures.test(mediaType)) throw new HttpError(415)
      if (body.length === 0) throw new HttpError(400)
      const picture = { mediaType, content: Buffer.from(body) }
      await tablesOf(context)
        .insertInto('artworks')
        .values({ albumId: entity.id, ...picture })
        .onConflict((conflict) => conflict.column('albumId').doUpdateSet(picture))
        .execute()
      await context.rows<AlbumRow>('albums').update(entity.id, { artwork: `/artwork/${entity.id}` })
      return reply.noContent()
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
