import { belongsTo, createServer, cursorPage, defineResource, hasMany, id, model, morphTo } from 'ashlar'
import type { TestResponse } from 'ashlar/testing'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, idsIn, sender } from './access-client.js'

/**
 * A sort or a filter on a column of a polymorphic key, of a composite key, or of a key to rows that may be deleted softly, sees
 * no more than the linkage of the relation: two databases that differ in hidden keys only give equal documents.
 */

interface Owned {
  readonly id: number
  readonly owner: number
}

const labels = defineResource('labels', {
  model: model<Owned>('labels'),
  id: id(),
  policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

const genres = defineResource('genres', {
  model: model<{ readonly id: number; readonly deletedAt: Date | null }>('genres'),
  id: id(),
  softDeletes: true,
  policy: 'public',
})

const tracks = defineResource('tracks', {
  model: model<{ readonly disc: number; readonly place: number; readonly owner: number }>('tracks'),
  id: id(['disc', 'place']),
  policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

interface Note {
  readonly id: number
  readonly subjectId: number | null
  readonly subjectType: string | null
  readonly trackDisc: number | null
  readonly trackPlace: number | null
  readonly genreId: number | null
  readonly bookId: number
}

const notes = defineResource('notes', {
  model: model<Note>('notes', {
    columns: ['id', 'subjectId', 'subjectType', 'trackDisc', 'trackPlace', 'genreId', 'bookId'],
  }),
  id: id(),
  relations: {
    subject: morphTo(['labels', 'genres']).nullable(),
    track: belongsTo('tracks').via(['trackDisc', 'trackPlace']).nullable(),
    genre: belongsTo('genres').nullable(),
    book: belongsTo('books'),
  },
  filters: (f) => ({
    subject: f.where('subjectId'),
    type: f.where('subjectType'),
    types: f.in('subjectType'),
    noSubject: f.isNull('subjectId'),
    someType: f.isNotNull('subjectType'),
    disc: f.where('trackDisc'),
    place: f.range('trackPlace'),
    noPlace: f.isNull('trackPlace'),
    genre: f.where('genreId'),
    noGenre: f.isNull('genreId'),
  }),
  sorts: (s) => ({
    subject: s.field('subjectId'),
    type: s.field('subjectType'),
    disc: s.field('trackDisc'),
    place: s.field('trackPlace'),
    genre: s.field('genreId'),
  }),
  pagination: cursorPage({ size: 3 }),
  policy: 'public',
})

/** Each book has one note, so that notes can be reached by a path. */
const books = defineResource('books', {
  model: model<{ readonly id: number; readonly noteId: number }>('books'),
  id: id(),
  relations: {
    note: belongsTo('notes'),
    notes: hasMany('notes')
      .via('bookId')
      .defaultSort('-subject')
      .paginate(cursorPage({ size: 2 })),
  },
  filters: (f) => ({ subject: f.through('note.subjectId'), disc: f.through('note.trackDisc') }),
  sorts: (s) => ({ subject: s.through('note.subjectId'), place: s.through('note.trackPlace') }),
  pagination: cursorPage({ size: 3 }),
  policy: 'public',
})

const gone = new Date('2026-01-01T00:00:00Z')

const note = (number: number, to: number): Note => ({
  id: number,
  subjectId: to,
  subjectType: 'labels',
  trackDisc: to,
  trackPlace: to,
  genreId: to,
  bookId: 1,
})

/** The note with the number 1 refers to visible rows, all others to hidden rows. */
const rows = (hidden: readonly number[]) => {
  const keys = [1, ...hidden]
  return {
    labels: keys.map((key) => ({ id: key, owner: key === 1 ? 1 : 2 })),
    genres: keys.map((key) => ({ id: key, deletedAt: key === 1 ? null : gone })),
    tracks: keys.map((key) => ({ disc: key, place: key, owner: key === 1 ? 1 : 2 })),
    notes: keys.map((key, index) => note(index + 1, key)),
    books: keys.map((_, index) => ({ id: index + 1, noteId: index + 1 })),
  }
}

type Send = ReturnType<typeof sender>

const serve = (hidden: readonly number[]): Send => {
  const resources = [labels, genres, tracks, notes, books] as const
  return sender(createServer({ resources, data: storedData(rows(hidden)), middleware: [byNumber] }))
}

let one: Send
let other: Send

beforeEach(() => {
  one = serve([5, 3, 4])
  other = serve([2, 6, 9])
})

const sorts = ['subject', 'type', 'disc', 'place', 'genre'].flatMap((key) => [key, `-${key}`])
const filters = [
  '[subject]=5',
  '[subject]=2',
  '[type]=labels',
  '[types]=labels,genres',
  '[noSubject]=1',
  '[someType]=1',
  '[disc]=5',
  '[disc]=2',
  '[place][min]=2',
  '[noPlace]=1',
  '[genre]=5',
  '[genre]=2',
  '[noGenre]=1',
]

const paths = [
  ...sorts.map((sort) => `/notes?sort=${sort}`),
  ...sorts.map((sort) => `/books/1/notes?sort=${sort}`),
  ...sorts.map((sort) => `/books/1/relationships/notes?sort=${sort}`),
  ...['subject', '-subject', 'place', '-place'].map((sort) => `/books?sort=${sort}`),
  ...filters.map((filter) => `/notes?filter${filter}`),
  ...['[subject]=5', '[subject]=2', '[disc]=5', '[disc]=2'].map((filter) => `/books?filter${filter}`),
  '/books/1?include=notes',
  '/books/1/notes',
]

async function allPages(send: Send, path: string): Promise<readonly string[]> {
  const texts: string[] = []
  let next: string | undefined = path
  while (next !== undefined && texts.length < 9) {
    const response: TestResponse = await send('GET', next, { as: 1 })
    expect(response.status, next).toBe(200)
    texts.push(response.text)
    const link: unknown = response.document?.links?.['next']
    next = typeof link === 'string' ? link.replace(/^https?:\/\/[^/]+/, '') : undefined
  }
  return texts
}

test.each(paths)('%s', async (path) => {
  expect(await allPages(one, path)).toEqual(await allPages(other, path))
})

test('visible keys are sorted and found, and hidden keys count as null', async () => {
  for (const key of ['subject', 'type', 'disc', 'place', 'genre']) {
    expect(idsIn(await one('GET', `/notes?sort=${key}`, { as: 1 })), key).toEqual(['1', '2', '3'])
    expect(idsIn(await one('GET', `/notes?sort=-${key}`, { as: 1 })), key).toEqual(['4', '3', '2'])
  }
  expect(idsIn(await one('GET', '/notes?filter[disc]=1', { as: 1 }))).toEqual(['1'])
  expect(idsIn(await one('GET', '/notes?filter[type]=labels', { as: 1 }))).toEqual(['1'])
  expect(idsIn(await one('GET', '/notes?filter[noSubject]=1', { as: 1 }))).toEqual(['2', '3', '4'])
  expect(idsIn(await one('GET', '/notes?sort=disc', { as: 2 }))).toEqual(['3', '4', '2'])
})
