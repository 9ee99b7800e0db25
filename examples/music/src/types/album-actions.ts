import { type ActionKit, reply, HttpError, metaResult, noContent } from 'ashlar'
import type { AlbumRow, TrackRow } from '../tables.js'
import { tablesOf } from '../storage/tables-of.js'

/** Columns that a reissue does not copy. */
const notCopied = { averageRating: null, artwork: null, availableFrom: null, availableUntil: null }

const pictures = /^image\/(?:png|jpeg|webp|gif)$/

/** The first bytes of the formats, as hexadecimal digits. */
const starts: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ['image/png', /^89504e47/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/gif', /^47494638/],
]

/** Returns the media type of a picture: the one that was sent, or that of its first bytes. */
function mediaTypeOf(sent: string, body: Uint8Array): string | null {
  if (pictures.test(sent)) return sent
  const start = Buffer.from(body.subarray(0, 12)).toString('hex')
  const found = sent === 'application/octet-stream' ? starts.find(([, format]) => format.test(start)) : undefined
  return found?.[0] ?? null
}

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
    description:
      'Stores the picture of this album, and replaces an older one. The body is the file itself, as PNG, JPEG, WebP or GIF. The header Content-Type is application/octet-stream, or the media type of the format.',
    ability: 'update',
    input: 'raw',
    responds: noContent(),
    async handle({ entity, body, context }) {
      const mediaType = mediaTypeOf(context.request?.header('content-type') ?? '', body)
      if (mediaType === null) throw new HttpError(415)
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
