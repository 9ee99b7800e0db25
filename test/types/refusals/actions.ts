import {
  bytes,
  accepted,
  actionResource,
  reply,
  created,
  defineResource,
  id,
  metaResult,
  model,
  noContent,
  seeOther,
} from 'ashlar'
import { album } from './albums.js'

const done = () => reply.noContent()

export const links = defineResource('albums', {
  ...album,
  actions: (a) => ({
    summary: a.collection({
      // refuses: Only resources have links: an action on the collection cannot have one.
      asLink: true,
      responds: noContent(),
      handle: done,
    }),
  }),
})

export const rows = defineResource('albums', {
  ...album,
  actions: (a) => ({
    summary: a.collection({
      responds: metaResult(),
      // refuses: Property 'entity' does not exist
      handle: ({ entity }) => reply.meta({ entity }),
    }),
    play: a.resource({
      // refuses: Property 'titel' does not exist
      allowed: (row) => row.titel !== '',
      handle: ({ entity }) => reply.resource(entity),
    }),
    sell: a.resource({
      responds: metaResult(),
      // refuses: Property 'prize' does not exist
      handle: ({ entity }) => reply.meta({ price: entity.prize }),
    }),
  }),
})

export const input = defineResource('albums', {
  ...album,
  actions: (a) => ({
    play: a.resource({
      responds: metaResult(),
      // refuses: Property 'body' does not exist
      handle: ({ body }) => reply.meta({ body }),
    }),
    rename: a.resource({
      input: 'document',
      responds: metaResult(),
      // refuses: Property 'titel' does not exist
      handle: ({ input: sent }) => reply.meta({ title: sent.titel }),
    }),
    artwork: a.resource({
      input: 'raw',
      responds: metaResult(),
      // refuses: Property 'input' does not exist
      handle: ({ input: sent }) => reply.meta({ sent }),
    }),
  }),
})

export const options = defineResource('albums', {
  ...album,
  actions: (a) => ({
    play: a.resource({
      // refuses: The methods of actions are GET, POST, PATCH, PUT and DELETE.
      methods: ['POST', 'BREW'],
      responds: noContent(),
      handle: done,
    }),
    sell: a.resource({
      // refuses: Actions respond with actionResource(), metaResult(), noContent(), accepted(), seeOther() or bytes().
      responds: created(),
      handle: done,
    }),
    // refuses: is not assignable to type 'Awaitable<
    lend: a.resource({ handle: ({ entity }) => entity }),
  }),
})

export const replies = defineResource('albums', {
  ...album,
  actions: (a) => ({
    // refuses: reply.meta() needs metaResult() in 'responds'.
    count: a.resource({ responds: noContent(), handle: () => reply.meta({}) }),
    // refuses: reply.noContent() needs noContent() in 'responds'.
    play: a.resource({ handle: async () => reply.noContent() }),
    // refuses: reply.bytes() needs bytes() in 'responds'.
    cover: a.resource({ responds: noContent(), handle: () => reply.bytes(new Uint8Array()) }),
    // refuses: bytes() only declares the response: return reply.bytes().
    poster: a.resource({ responds: bytes('image/png'), handle: () => bytes('image/png') }),
    // refuses: noContent() only declares the response: return reply.noContent().
    stop: a.resource({ responds: noContent(), handle: () => noContent() }),
    press: a.collection({
      responds: [accepted('jobs'), seeOther()],
      // refuses: reply.resource() needs actionResource() in 'responds'.
      handle: async ({ context }) => reply.resource(await context.rows('albums').find(1)),
    }),
    list: a.collection({
      // refuses: reply.resource() with a list needs actionResource(type, 'many') in 'responds'.
      handle: async ({ context }) => reply.resource(await context.rows('albums').list()),
    }),
    // refuses: reply.resource(null) needs actionResource(type, 'oneOrNull') in 'responds'.
    none: a.resource({ handle: () => reply.resource(null) }),
    // refuses: reply.resource() needs a list of rows: 'responds' declares 'many'.
    one: a.resource({ responds: actionResource('albums', 'many'), handle: ({ entity }) => reply.resource(entity) }),
    found: a.resource({
      responds: [actionResource(null, 'oneOrNull'), noContent()],
      handle: async ({ context }) => reply.resource(await context.rows('albums').find(1)),
    }),
    lost: a.resource({ responds: actionResource(null, 'oneOrNull'), handle: () => reply.resource(null) }),
    others: a.resource({
      responds: actionResource('albums', 'many'),
      handle: async ({ context }) => reply.resource(await context.rows('albums').list()),
    }),
    print: a.collection({
      responds: [accepted('jobs'), seeOther()],
      // refuses: accepted() only declares the response: return reply.accepted().
      handle: async () => accepted('jobs'),
    }),
    move: a.collection({
      responds: [accepted('jobs'), seeOther()],
      handle: ({ query }) => (query.include === null ? reply.seeOther('/albums') : reply.accepted({ poll: '/jobs' })),
    }),
  }),
})

export const unmarked = defineResource('albums', {
  ...album,
  // refuses: The rows have no nullable column 'deletedAt' that holds a Date: name another column with 'column'.
  softDeletes: true,
})

export const marked = defineResource('albums', { ...album, softDeletes: { column: 'releasedAt', restore: false } })

export const misnamed = defineResource('albums', {
  ...album,
  // refuses: Name a nullable column that holds a Date or a string.
  softDeletes: { column: 'releasedOn' },
})

export const unfit = defineResource('albums', {
  ...album,
  // refuses: Name a nullable column that holds a Date or a string.
  softDeletes: { column: 'year' },
})

export const texts = defineResource('albums', {
  ...album,
  // refuses: The column holds strings: set as: 'text'.
  softDeletes: { column: 'subtitle' },
})

export const dates = defineResource('albums', {
  ...album,
  // refuses: The column holds strings: set as: 'text'.
  softDeletes: { column: 'subtitle', as: 'date' },
})

export const usualTexts = defineResource('notes', {
  model: model<{ id: number; deletedAt: string | null }>('notes'),
  id: id(),
  // refuses: The column 'deletedAt' holds strings: set softDeletes: { as: 'text' }.
  softDeletes: true,
})

export const marks = [
  defineResource('albums', { ...album, softDeletes: { column: 'subtitle', as: 'text' } }),
  defineResource('notes', {
    model: model<{ id: number; deletedAt: string | null }>('notes'),
    id: id(),
    softDeletes: { as: 'text', restore: false },
  }),
]
