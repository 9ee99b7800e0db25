import { beforeAll, describe, expect, test } from 'vitest'
import { type EditorView, openInEditor } from '../support/language-service.js'

const text = `
import { type ApiOf, atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { createClient } from '@ashlar/client'

interface Row { id: number; title: string; year: number; artistId: number | null }
const album = { model: model<Row>('albums'), id: id() }

export const keys = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string(), /*attribute*/ }),
})

export const names = defineResource('albums', {
  ...album,
  attributes: (a) => ({ name: a.string().storedAs('/*storedAs*/') }),
})

export const queries = defineResource('albums', {
  ...album,
  attributes: (a) => ({ name: a.string().storedAs('title').sortable() }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
  filters: (f) => ({
    long: f.contains('/*target*/'),
    by: f.through('/*through*/'),
    with: f.has('/*has*/'),
    /*filter*/
  }),
  sorts: (s) => ({ newest: s.field('/*sort*/'), artist: s.through('/*sortThrough*/') }),
})

export const sorted = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string().sortable() }),
  defaultSort: ['/*defaultSort*/'],
})

export const related = defineResource('albums', {
  ...album,
  relations: (r) => ({ artist: r.belongsTo('artists').via('/*via*/') }),
})

export const columnError = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    titel: a.string().sortable().maxLength(20), // attribute
  }),
})

export const filterError = defineResource('albums', {
  ...album,
  filters: (f) => ({
    name: f.contains('titel'), // filter
  }),
})

export const relationError = defineResource('albums', {
  ...album,
  relations: (r) => ({
    artist: r.belongsTo('artists').via('artistID'), // relation
  }),
})

export const sortError = defineResource('albums', {
  ...album,
  attributes: (a) => ({ title: a.string().sortable() }),
  defaultSort: ['-titel'], // sort
})

const server = createServer({
  resources: [
    defineResource('albums', {
      ...album,
      attributes: (a) => ({
        title: a.string().required().sortable(),
        year: a.integer(),
      }),
      relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
      filters: (f) => ({ title: f.contains(), year: f.range() }),
    }),
    defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
    defineResource('tracks', {
      model: model<{ id: number; title: string; albumId: number }>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: { album: belongsTo('albums'), covers: hasMany('tracks') },
    }),
  ],
  extensions: [atomic()],
})
interface Api extends ApiOf<typeof server> {}
const { types, atomic: sendBatch } = createClient<Api>({ url: 'https://music.example' })
await types.albums.list({ include: ['/*include*/'] })
await types.albums.list({ include: ['tracks./*includeDeep*/'] })
await types.albums.list({ sort: ['/*sortKey*/'] })
await types.albums.list({ filter: { /*filterKey*/ } })
await types.albums.list({ fields: { albums: ['/*fieldName*/'] } })
await types.albums.create({ attributes: { /*newAttribute*/ } })
await types.albums.related('1', '/*relation*/')
await sendBatch((batch) => [batch.create('/*batchType*/', {})])
types./*typeName*/albums
const found = await types.albums.get('1', { include: ['artist', 'tracks.album'] })
found.data./*member*/title
export const /*whole*/whole = found.data
export const /*selected*/selected = (await types.albums.list({ fields: { albums: ['year', 'artist'] } })).data
export const /*created*/created = await types.albums.create({ attributes: { title: 'Kid A' } })
export const title = found.data./*title*/title
export const artist = found.data.artist?./*artistName*/name
export const deep = found.data.tracks[0]?.album?./*albumYear*/year
`

describe('in an editor', () => {
  let editor: EditorView
  beforeAll(() => {
    editor = openInEditor(text)
    // The first question reads all sources.
    editor.suggestionsAt('target')
  }, 120_000)

  test.each([
    ['attribute', ['artistId', 'id', 'year']],
    ['storedAs', ['artistId', 'id', 'title', 'year']],
    ['target', ['artistId', 'id', 'name', 'title', 'year']],
    ['through', ['artist.id', 'tracks.id']],
    ['has', ['artist', 'tracks']],
    ['filter', ['artistId', 'id', 'name', 'title', 'year']],
    ['sort', ['artistId', 'id', 'name', 'title', 'year']],
    ['sortThrough', ['artist.id', 'tracks.id']],
    ['via', ['artistId', 'id', 'title', 'year']],
    ['include', ['artist', 'tracks']],
    ['includeDeep', ['tracks.album', 'tracks.covers']],
    ['sortKey', ['-id', '-title', 'id', 'title']],
    ['filterKey', ['id', 'title', 'year']],
    ['fieldName', ['artist', 'title', 'tracks', 'year']],
    ['newAttribute', ['title', 'year']],
    ['relation', ['artist', 'tracks']],
    ['batchType', ['albums', 'artists', 'tracks']],
    ['typeName', ['albums', 'artists', 'tracks']],
    ['member', ['artist', 'id', 'title', 'tracks', 'type', 'year']],
  ])('the names at %s are suggested', (mark, names) => {
    const suggested = editor.suggestionsAt(mark).filter((name) => !name.startsWith('/*'))
    expect(suggested.toSorted()).toEqual(names)
  })

  test.each([
    ['title', 'title: a.string().required().sortable(),'],
    ['artistName', 'attributes: (a) => ({ name: a.string() }),'],
    ['albumYear', 'year: a.integer(),'],
  ])('the name at %s resolves to its declaration', (mark, line) => {
    expect(editor.definitionsAt(mark)).toEqual([line])
  })

  test.each([
    ['whole', ['title: string;', 'year: number;', 'artist:', 'name: string;', 'tracks: readonly', 'album:']],
    ['selected', ['year: number;', 'artist: Identifier<"artists"> | null;']],
    ['created', ['Found<', 'title: string;', 'artist: Identifier<"artists"> | null;']],
  ])('the type of %s is shown with its fields', (mark, fields) => {
    const hover = editor.hoverAt(mark)
    for (const field of fields) expect(hover).toContain(field)
    expect(hover).not.toMatch(/RelationValue|Attributes|Pick|ResourceOf|Member/)
  })

  test('fields that a fieldset leaves out are not shown', () => {
    expect(editor.hoverAt('selected')).not.toMatch(/title|tracks/)
  })

  test('the keys of defaultSort are suggested, in both directions', () => {
    expect(editor.suggestionsAt('defaultSort')).toEqual(expect.arrayContaining(['title', '-title', 'id', '-id']))
  })

  test.each([
    ['attribute', "No column 'titel' in the model"],
    ['filter', '"titel"'],
    ['relation', "No column '"],
    ['sort', '"-titel"'],
  ])('the message at the wrong %s begins with the error', (mark, words) => {
    const [message, ...others] = editor.messagesAt(mark)
    expect(others).toEqual([])
    expect(message?.slice(0, 200)).toContain(words)
  })
})
