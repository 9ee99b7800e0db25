import { createServer, defineResource, id, model, rule } from 'ashlar'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { expectLinear, type Sized } from '../support/growth.js'
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

type Settings = Readonly<Record<string, unknown>>

const limits = { bodyBytes: 4 * 1024 * 1024, attributeItems: 1_000_000 }

function notesClient(settings: Settings = {}): TestClient {
  return client(createServer({ resources: [notes], data: storedData(), limits, ...settings }))
}

/** Posts notes with attributes of a size, and checks the response. */
function posting(
  attributes: (size: number) => object,
  look: (response: TestResponse) => void,
  settings: Settings = {},
): Sized {
  return (size) => {
    const api = notesClient(settings)
    const raw = JSON.stringify(resourceBody('notes', { ...attributes(size) }))
    return async () => look(await api.post('/notes', { raw }))
  }
}

/** As many errors as the limit allows, and no more. */
const expectHundred = (detail: string, pointer: string) => (response: TestResponse) => {
  expect(response.status).toBe(422)
  expect(response.errors).toHaveLength(100)
  expect(response.errors[99]).toMatchObject({ detail, source: { pointer } })
}

const items = (size: number): string[] => Array.from({ length: size }, (_, index) => `item ${index}`)
const unknownMembers = (size: number): object =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`member${index}`, 1]))
const ones = (size: number): number[] => Array.from({ length: size }, () => 1)

test('a long list of unique items is compared in linear time', async () => {
  const accepted = posting(
    (size) => ({ unique: items(size) }),
    ({ status }) => expect(status).toBe(201),
  )
  await expectLinear(accepted, { small: 2500 })
  const refused = posting(
    (size) => ({ unique: [...items(size), 'item 0'] }),
    ({ errors }) => expect(errors).toMatchObject([{ detail: 'This must not hold the same item twice.' }]),
  )
  await expectLinear(refused, { small: 2500 })
})

test('items are equal in any order of their members', async () => {
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

test('a list of only invalid items is reported with as many errors as the limit allows', async () => {
  const look = expectHundred('This must be a string.', '/data/attributes/plain/99')
  await expectLinear(
    posting((size) => ({ plain: ones(size) }), look),
    { small: 20_000 },
  )
  const three = posting(
    (size) => ({ words: Array.from({ length: size }, () => '') }),
    ({ errors }) => expect(errors).toHaveLength(3),
    { limits: { ...limits, errors: 3 } },
  )
  await expectLinear(three, { small: 10_000 })
})

test('alternatives of a raw schema are reported in linear time, however many of them fail', async () => {
  const track = { type: 'object', properties: { kind: { const: 'track' } }, required: ['kind'] }
  const shaped = defineResource('notes', {
    model: model<{ id: number; each: object[]; all: object[] }>('notes'),
    id: id(),
    attributes: (a) => ({
      each: a.arrayList().shape({ items: { anyOf: [track, { type: 'string' }, { type: 'boolean' }] } }),
      all: a.arrayList().shape({ oneOf: [{ type: 'array', items: track }, { type: 'object' }] }),
    }),
  })
  const settings = { resources: [shaped] }
  const ofEach = expectHundred('This has none of the allowed forms.', '/data/attributes/each/99')
  await expectLinear(
    posting((size) => ({ each: ones(size) }), ofEach, settings),
    { small: 2000 },
  )
  const ofAll = expectHundred('This must be an object.', '/data/attributes/all/99')
  await expectLinear(
    posting((size) => ({ all: ones(size) }), ofAll, settings),
    { small: 2000 },
  )
})

test('unknown members are reported with as many errors as the limit allows', async () => {
  await expectLinear(
    posting(unknownMembers, ({ errors }) => expect(errors).toHaveLength(100), { unknownMembers: 'reject' }),
    { small: 2500 },
  )
})

// The pattern would take too long: each further letter doubles its time.
test('a text that is too long for an attribute never reaches its pattern', async () => {
  const response = await notesClient().post('/notes', { body: resourceBody('notes', { code: `${'a'.repeat(60)}!` }) })
  expect(response.errors).toMatchObject([{ detail: 'This must have at most 20 characters.' }])
})

// A number with 309 digits and more may be too large, so every body is searched for long runs of digits.
test('long runs of digits are read in linear time', async () => {
  const accepted = posting(
    (length) => ({ note: `${'9'.repeat(length)} `.repeat(3000) }),
    ({ status }) => expect(status).toBe(201),
  )
  await expectLinear(accepted, { small: 37 })
})
