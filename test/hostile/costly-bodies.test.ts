import { createServer, defineResource, id, model, rule } from 'ashlar'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const notes = defineResource('notes', {
  model: model<{ id: number; unique: string[]; plain: string[]; words: string[]; code: string; note: string }>('notes'),
  id: id(),
  attributes: (a) => ({
    unique: a.arrayList().uniqueItems(),
    plain: a.arrayList(),
    words: a.arrayList().each(rule.minLength(2)),
    code: a
      .string()
      .maxLength(20)
      .pattern(/^(a+)+$/),
    note: a.string(),
  }),
})

/** Generous: the slowest of these took minutes before they were bounded, and tens of milliseconds after. */
const soon = 5000

async function timed(attributes: object, settings: object = {}): ReturnType<ReturnType<typeof client>['post']> {
  const server = createServer({
    resources: [notes],
    data: storedData(),
    limits: { bodyBytes: 4 * 1024 * 1024 },
    ...settings,
  })
  const start = performance.now()
  const response = await client(server).post('/notes', { body: resourceBody('notes', { ...attributes }) })
  expect(performance.now() - start).toBeLessThan(soon)
  return response
}

test('a long list of unique items is compared in linear time', async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => `item ${index}`)
  expect((await timed({ unique: items })).status).toBe(201)
  const again = await timed({ unique: [...items, 'item 0'] })
  expect(again.errors).toMatchObject([{ detail: 'This must not hold the same item twice.' }])
})

test('items are the same whatever the order of their members', async () => {
  const shaped = defineResource('shaped', {
    model: model<{ id: number; list: object[] }>('shaped'),
    id: id(),
    attributes: (a) => ({
      list: a
        .arrayList()
        .uniqueItems()
        .shape({ items: { type: 'object' } }),
    }),
  })
  const server = createServer({ resources: [shaped], data: storedData() })
  const list = [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ]
  expect((await client(server).post('/shaped', { body: resourceBody('shaped', { list }) })).status).toBe(422)
  expect((await client(server).post('/shaped', { body: resourceBody('shaped', { list: list.slice(1) }) })).status).toBe(
    201,
  )
})

test('a list of nothing but wrong items is answered with as many errors as the limit says', async () => {
  const wrong = await timed({ plain: Array.from({ length: 500_000 }, () => 1) })
  expect(wrong.status).toBe(422)
  expect(wrong.errors).toHaveLength(100)
  expect(wrong.errors[99]).toMatchObject({ source: { pointer: '/data/attributes/plain/99' } })
  const few = await timed(
    { words: Array.from({ length: 150_000 }, () => '') },
    { limits: { errors: 3, bodyBytes: 4e6 } },
  )
  expect(few.errors).toHaveLength(3)
})

test('choices of a raw schema are told in linear time, however many of them fail', async () => {
  const track = { type: 'object', properties: { kind: { const: 'track' } }, required: ['kind'] }
  const shaped = defineResource('notes', {
    model: model<{ id: number; each: object[]; all: object[] }>('notes'),
    id: id(),
    attributes: (a) => ({
      each: a.arrayList().shape({ items: { anyOf: [track, { type: 'string' }, { type: 'boolean' }] } }),
      all: a.arrayList().shape({ oneOf: [{ type: 'array', items: track }, { type: 'object' }] }),
    }),
  })
  const items = Array.from({ length: 150_000 }, () => 1)
  const each = await timed({ each: items }, { resources: [shaped] })
  expect(each.errors).toHaveLength(100)
  expect(each.errors[99]).toMatchObject({
    detail: 'This has none of the allowed forms.',
    source: { pointer: '/data/attributes/each/99' },
  })
  const all = await timed({ all: items }, { resources: [shaped] })
  expect(all.errors).toHaveLength(100)
  expect(all.errors[99]).toMatchObject({
    detail: 'This must be an object.',
    source: { pointer: '/data/attributes/all/99' },
  })
})

test('unknown members are answered with as many errors as the limit says', async () => {
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, 1]))
  expect((await timed(members, { unknownMembers: 'reject' })).errors).toHaveLength(100)
})

test('what is too long for an attribute never reaches its pattern', async () => {
  const answer = await timed({ code: `${'a'.repeat(60)}!` })
  expect(answer.errors).toMatchObject([{ detail: 'This must have at most 20 characters.' }])
})

test('long runs of digits are read in linear time', async () => {
  const digits = `${'9'.repeat(299)} `
  expect((await timed({ note: digits.repeat(3500) })).status).toBe(201)
})
