import { belongsTo, belongsToMany, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { TestClient } from 'ashlar/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'

const labels = defineResource('labels', {
  model: model<{ id: string; name: string }>('labels'),
  id: id().pattern(/[a-z]/),
  attributes: (a) => ({ name: a.string() }),
})

const albums = defineResource('albums', {
  model: model<{
    id: string
    title: string
    note: string | null
    year: number | null
    day: string | null
    labelId: string | null
    rivalId: string | null
  }>('albums'),
  id: id().uuid().allowClientId(),
  attributes: (a) => ({
    title: a.string().required().maxLength(5),
    note: a.string().nullable(),
    year: a.integer().nullable().min(1900),
    day: a.date().nullable(),
  }),
  relations: {
    label: belongsTo('labels').required(),
    rival: belongsTo('labels').nullable(),
    shops: belongsToMany('labels').through('sales', { owner: 'albumId', member: 'labelId' }).maxItems(2),
    makers: belongsToMany('labels')
      .through('work', { owner: 'albumId', member: 'labelId' })
      .fields((a) => ({ part: a.string().required().maxLength(3) })),
  },
})

const rows = ['a', 'b', 'c'].map((key) => ({ id: key, name: key }))

const music = (): TestClient =>
  client(createServer({ resources: [albums, labels], data: memoryData({ labels: rows }) }))

/** Mostly one of the valid values, so that enough documents are valid as a whole. */
const mostly = (valid: readonly unknown[], invalid: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...valid) }, { weight: 1, arbitrary: fc.constantFrom(...invalid) })

const identifiers = (parts: readonly unknown[]) =>
  fc
    .record({ id: mostly(['a', 'b', 'c'], ['missing', '']), part: mostly(parts, ['long']) })
    .map(({ id: key, part }) => ({
      type: 'labels',
      id: key,
      ...(part === undefined ? {} : { meta: { pivot: { part } } }),
    }))

const identifier = identifiers([undefined])

const document = fc.record({
  attributes: fc.record({
    title: mostly(['Blue', 'Hejira'.slice(1)], ['', 'Too long', null, 1, 'a\u0000', '\ud800', undefined]),
    note: mostly(['x', '', null, undefined], [2, '\u0000']),
    year: mostly([1971, null, undefined], [1800, '1971', 1.5]),
    day: mostly(['1971-06-22', null, undefined], ['1971-02-30', '']),
  }),
  relationships: fc.record({
    label: fc.oneof({ weight: 8, arbitrary: identifier }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) }),
    rival: fc.option(identifier, { nil: null }),
    shops: fc.option(fc.uniqueArray(identifier, { maxLength: 3, selector: ({ id: key }) => key }), { nil: undefined }),
    makers: fc.option(fc.array(identifiers(['one', 'two']), { maxLength: 2 }), { nil: undefined, freq: 1 }),
  }),
})

const defined = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const linked = (relationships: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(defined(relationships)).map(([name, data]) => [name, { data }]))

test('a resource without an id of the client is valid exactly if it is with one, which is checked rule by rule', async () => {
  const [without, withId] = [music(), music()]
  const statuses = new Set<number>()
  let made = 0
  await fc.assert(
    fc.asyncProperty(document, async ({ attributes, relationships }) => {
      const data = { type: 'albums', attributes: defined(attributes), relationships: linked(relationships) }
      made += 1
      const key = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
      const one = await without.post('/albums', { body: { data } })
      const other = await withId.post('/albums', { body: { data: { ...data, id: key } } })
      expect({ status: one.status, errors: one.errors }).toEqual({ status: other.status, errors: other.errors })
      statuses.add(one.status)
    }),
    { numRuns: runs(400) },
  )
  expect(statuses).toContain(201)
  expect(statuses).toContain(422)
})
