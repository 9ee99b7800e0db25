import { createServer, defineResource, id, model } from 'ashlar'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'

/** Few letters, so that many texts contain others, and characters that have a meaning in a pattern of SQL. */
const unit = fc.constantFrom('a', 'A', 'b', 'B', '%', '_', '\\', '*', "'", 'Ä', 'ä', 'İ', 'K', '😀', ' ')
const short = fc.string({ unit, maxLength: 6 })
const long = fc.string({ unit, minLength: 10, maxLength: 40 })

/** SQLite searches for short and for long values in different ways, so long parts of the texts are searched for too. */
const partOf = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...texts), fc.nat({ max: 6 }), fc.nat({ max: 40 })).map(([text, start, length]) =>
    Array.from(text)
      .slice(start, start + length)
      .join(''),
  )

const lowered = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

test('a part of a text is found literally, and ASCII letters in both cases', async () => {
  const texts = fc.sample(fc.oneof(short, long), { numRuns: 200, seed: 7 })
  const rows = texts.map((title, index) => ({ id: index + 1, title }))
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    filters: (f) => ({
      part: f.contains('title'),
      start: f.where('title').operator('starts'),
      end: f.where('title').operator('ends'),
    }),
  })
  const api = client(createServer({ resources: [albums], data: storedData({ albums: rows }), pagination: null }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(short, long, partOf(texts)), async (value) => {
      for (const [key, isFound] of [
        ['part', (title: string) => title.includes(lowered(value))],
        ['start', (title: string) => title.startsWith(lowered(value))],
        ['end', (title: string) => title.endsWith(lowered(value))],
      ] as const) {
        const { resources } = await api.get(`/albums?filter[${key}]=${encodeURIComponent(value)}`)
        const expected = rows.filter(({ title }) => isFound(lowered(title))).map((row) => String(row.id))
        expect(resources.map((resource) => resource.id)).toEqual(expected)
      }
    }),
    { numRuns: runs(300) },
  )
})
