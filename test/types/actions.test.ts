import {
  bytes,
  actionResource,
  reply,
  defineResource,
  defineType,
  id,
  metaResult,
  model,
  noContent,
  type WorkContext,
} from 'ashlar'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { describe, expectTypeOf, it } from 'vitest'

interface AlbumRow {
  id: number
  title: string
  year: number
}

describe('an action', () => {
  it('gets the row, and its declared input', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      actions: (a) => ({
        play: a.resource({
          allowed: (row, { operation }) => {
            expectTypeOf(row).toEqualTypeOf<AlbumRow>()
            return operation === 'CustomAction'
          },
          handle: ({ entity, context }) => {
            expectTypeOf(entity).toEqualTypeOf<AlbumRow>()
            expectTypeOf(context).toEqualTypeOf<WorkContext>()
            return reply.resource(entity)
          },
        }),
        rename: a.resource({
          handle: ({ entity, input }) => {
            expectTypeOf(input).toEqualTypeOf<Readonly<Partial<AlbumRow>>>()
            return reply.resource({ ...entity, ...input })
          },
          input: 'document',
        }),
        credit: a.resource({
          input: 'document',
          inputType: 'artists',
          responds: actionResource('artists', 'oneOrNull'),
          handle: ({ input }) => {
            expectTypeOf(input).toEqualTypeOf<Readonly<Partial<RowObject>>>()
            return reply.resource(null)
          },
        }),
        artwork: a.resource({
          input: 'raw',
          responds: noContent(),
          handle: async ({ body }) => {
            expectTypeOf(body).toEqualTypeOf<Uint8Array>()
            return reply.noContent()
          },
        }),
        poster: a.resource({
          input: bytes('image/png', 'image/webp'),
          responds: [bytes('image/png', 'text/plain'), noContent()],
          handle: async ({ body, mediaType, accepts }) => {
            expectTypeOf(body).toEqualTypeOf<Uint8Array>()
            expectTypeOf(mediaType).toEqualTypeOf<'image/png' | 'image/webp'>()
            expectTypeOf(accepts[0]).toEqualTypeOf<'image/png' | 'text/plain'>()
            return body.length === 0 ? reply.noContent() : reply.bytes(body, { mediaType: 'image/png' })
          },
        }),
        picture: a.resource({
          input: bytes('image/*'),
          responds: bytes('image/png'),
          handle: ({ body, mediaType }) => {
            expectTypeOf(mediaType).toEqualTypeOf<string>()
            return reply.bytes(body)
          },
        }),
        summary: a.collection({
          input: 'raw',
          responds: metaResult(),
          allowed: ({ request }) => request !== null,
          handle: ({ body }) => reply.meta({ bytes: body.length }),
        }),
      }),
    })
  })

  it('gets rows with any column names for a type made of capabilities', () => {
    defineType('countries', {
      fields: () => ({ code: id() }),
      actions: (a) => ({
        visit: a.resource({
          responds: metaResult(),
          handle: ({ entity }) => {
            expectTypeOf(entity).toEqualTypeOf<RowObject>()
            return reply.meta({ code: entity['code'] })
          },
        }),
      }),
    })
  })
})

describe('the rows behind a type', () => {
  it('are typed by its declaration, or by a type argument', () => {
    const tracks = defineResource('tracks', { model: model<{ id: number; title: string }>('tracks'), id: id() })
    const find = async (context: WorkContext) => {
      expectTypeOf(await context.rows(tracks).find(1)).toEqualTypeOf<{ id: number; title: string } | null>()
      expectTypeOf(await context.rows<AlbumRow>('albums').find(1)).toEqualTypeOf<AlbumRow | null>()
      expectTypeOf(await context.rows('albums').find(1)).toEqualTypeOf<RowObject | null>()
      // @ts-expect-error -- no such column
      await context.rows(tracks).update(1, { titel: 'x' })
    }
    expectTypeOf(find).toBeFunction()
  })
})
