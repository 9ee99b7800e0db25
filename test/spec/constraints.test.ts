import { createServer, defineResource, enumeration, id, model, rule } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface ThingRow {
  readonly [column: string]: unknown
  readonly id: number
}

/** One attribute for each constraint of the catalogue. */
const things = defineResource('things', {
  model: model<ThingRow>('things'),
  id: id(),
  attributes: (a) => ({
    string: a.string(),
    integer: a.integer(),
    decimal: a.decimal(),
    boolean: a.boolean(),
    dateTime: a.dateTime(),
    date: a.date(),
    time: a.time(),
    list: a.arrayList(),
    integers: a.arrayList().of('integer'),
    hash: a.arrayHash(),
    email: a.email(),
    strictEmail: a.email().strict(),
    url: a.url(),
    httpUrl: a.url().allowedSchemes('http', 'https'),
    uuid: a.uuid(),
    uuid4: a.uuid().version(4),
    slug: a.slug(),
    ownSlug: a.string().slug(/^[a-z_]+$/),
    ip: a.ip(),
    ip4: a.ip().v4(),
    ip6: a.ip().v6(),
    minLength: a.string().minLength(3),
    maxLength: a.string().maxLength(3),
    pattern: a.string().pattern(/^[A-Z]+$/),
    min: a.integer().min(1),
    max: a.integer().max(10),
    exclusiveMin: a.decimal().exclusiveMin(0),
    exclusiveMax: a.decimal().exclusiveMax(1),
    multipleOf: a.decimal().multipleOf(0.01),
    before: a.date().before('2000-01-01'),
    after: a.dateTime().after(() => new Date('2000-01-01T00:00:00Z')),
    between: a.date().between('2000-01-01', '2000-12-31'),
    ownFormat: a.date().format('DD.MM.YYYY'),
    minItems: a.arrayList().minItems(2),
    maxItems: a.arrayList().maxItems(2),
    uniqueItems: a.arrayList().uniqueItems(),
    each: a.arrayList().each(rule.minLength(2), rule.pattern(/^a/)),
    minProperties: a.arrayHash().minProperties(1),
    maxProperties: a.arrayHash().maxProperties(1),
    in: a.string().in(['lp', 'cd']),
    enum: a.string().enum(enumeration('Size', { small: '7 inches.', large: '12 inches.' })),
    notIn: a.integer().notIn([13]),
    sequentially: a.string().sequentially(rule.minLength(3), rule.pattern(/^a/)),
    atLeastOneOf: a.string().atLeastOneOf(rule.email(), rule.uuid()),
    when: a.string().when(
      (value) => String(value).startsWith('x'),
      (field) => field.maxLength(3),
    ),
    low: a.integer(),
    high: a.integer().compareWith('low', '>='),
    shape: a.arrayHash().shape({ required: ['rpm'], properties: { rpm: { enum: [33, 45] } } }),
    zod: a.string().check(z.string().startsWith('a', 'Begin with an a.')),
    valibot: a.arrayHash().check(v.object({ rpm: v.pipe(v.number(), v.minValue(33, 'Turn faster.')) })),
    custom: a.string().constrain(rule.custom('even', (value) => (String(value).length % 2 === 0 ? null : 'Be even.'))),
    onCreate: a.string().onCreate((field) => field.minLength(3)),
    onUpdate: a.string().onUpdate((field) => field.minLength(3)),
    unique: a.string().unique(),
  }),
})

const server = () =>
  client(createServer({ resources: [things], data: storedData({ things: [{ id: 1, unique: 'taken' }] }) }))
const create = (attributes: object) => server().post('/things', { body: resourceBody('things', { ...attributes }) })

const refused: readonly (readonly [attribute: string, value: unknown, detail: string, at?: string])[] = [
  ['string', 5, 'This must be a string.'],
  ['string', ['x'], 'This must be a string.'],
  ['integer', '5', 'This must be a whole number.'],
  ['integer', 1.5, 'This must be a whole number.'],
  ['integer', 2 ** 53, 'This must be 9007199254740991 or less.'],
  ['integer', -(2 ** 53), 'This must be -9007199254740991 or more.'],
  ['decimal', '1.5', 'This must be a number.'],
  ['boolean', 'false', 'This must be true or false.'],
  ['boolean', 0, 'This must be true or false.'],
  ['dateTime', 5, 'This must be a string.'],
  ['dateTime', '2026-02-30T00:00:00Z', 'This must be a real date or time, written YYYY-MM-DDTHH:mm:ssZ.'],
  ['dateTime', '2026-02-03', 'This must be a real date or time, written YYYY-MM-DDTHH:mm:ssZ.'],
  ['dateTime', 'tomorrow', 'This must be a real date or time, written YYYY-MM-DDTHH:mm:ssZ.'],
  ['date', '2026-02-30', 'This must be a real date or time, written YYYY-MM-DD.'],
  ['date', '2026-2-3', 'This must be a real date or time, written YYYY-MM-DD.'],
  ['time', '25:00', 'This must be a real date or time, written HH:mm:ss.'],
  ['list', { a: 1 }, 'This must be a list.'],
  ['list', ['a', 5], 'This must be a string.', '/1'],
  ['integers', [1, 'a', 2.5], 'This must be a whole number.', '/1'],
  ['hash', ['a'], 'This must be an object.'],
  ['email', 'nobody', 'This must be an e-mail address.'],
  ['strictEmail', `${'x'.repeat(65)}@music.example`, 'This does not have the required form.'],
  ['url', 'radiohead.com', 'This must be an absolute URL.'],
  ['httpUrl', 'ftp://radiohead.com', 'This does not have the required form.'],
  ['uuid', 'b0c7e3a4', 'This must be a UUID.'],
  ['uuid4', 'b0c7e3a4-6a59-1e64-8f0e-0f4f5e6a7b8c', 'This does not have the required form.'],
  ['slug', 'Not A Slug', 'This does not have the required form.'],
  ['ownSlug', 'a-b', 'This does not have the required form.'],
  ['ip', 'localhost', 'This has none of the allowed forms.'],
  ['ip4', '::1', 'This must be an IPv4 address.'],
  ['ip6', '127.0.0.1', 'This must be an IPv6 address.'],
  ['minLength', 'ab', 'This must have at least 3 characters.'],
  ['maxLength', 'abcd', 'This must have at most 3 characters.'],
  ['pattern', 'abc', 'This does not have the required form.'],
  ['min', 0, 'This must be 1 or more.'],
  ['max', 11, 'This must be 10 or less.'],
  ['exclusiveMin', 0, 'This must be more than 0.'],
  ['exclusiveMax', 1, 'This must be less than 1.'],
  ['multipleOf', 0.005, 'This must be a multiple of 0.01.'],
  ['before', '2000-01-01', 'This must be before 2000-01-01.'],
  ['after', '2000-01-01T00:00:00Z', 'This must be after 2000-01-01T00:00:00+00:00.'],
  ['between', '2001-01-01', 'This must be between 2000-01-01 and 2000-12-31.'],
  ['ownFormat', '2000-01-01', 'This must be a real date or time, written DD.MM.YYYY.'],
  ['minItems', ['a'], 'This must have at least 2 items.'],
  ['maxItems', ['a', 'b', 'c'], 'This must have at most 2 items.'],
  ['uniqueItems', ['a', 'b', 'a'], 'This must not hold the same item twice.'],
  ['each', ['ab', 'a'], 'This must have at least 2 characters.', '/1'],
  ['minProperties', {}, 'This must have at least 1 member.'],
  ['maxProperties', { a: 1, b: 2 }, 'This must have at most 1 member.'],
  ['in', 'mc', 'This must be one of "lp", "cd".'],
  ['enum', 'medium', 'This must be one of "small", "large".'],
  ['notIn', 13, 'This is one of the values that are not allowed.'],
  ['sequentially', 'b', 'This must have at least 3 characters.'],
  ['sequentially', 'bcd', 'This does not have the required form.'],
  ['atLeastOneOf', 'x', 'This has none of the allowed forms.'],
  ['when', 'xxxx', 'This must have at most 3 characters.'],
  ['shape', { rpm: 78 }, 'This must be one of 33, 45.', '/rpm'],
  ['zod', 'b', 'Begin with an a.'],
  ['valibot', { rpm: 16 }, 'Turn faster.', '/rpm'],
  ['custom', 'abc', 'Be even.'],
  ['onCreate', 'ab', 'This must have at least 3 characters.'],
  ['unique', 'taken', 'This value is already taken.'],
]

describe('a value that violates its constraint is 422 at its pointer, with a sentence', () => {
  const api = server()
  for (const [attribute, value, detail, at = ''] of refused) {
    test(`${attribute} refuses ${JSON.stringify(value)}: ${detail}`, async () => {
      const response = await api.post('/things', { body: resourceBody('things', { [attribute]: value }) })
      const errors = response.errors.filter(({ source }) => source?.pointer === `/data/attributes/${attribute}${at}`)
      expect(response.status).toBe(422)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({ code: 'VALIDATION_FAILED', title: 'Unprocessable Entity', detail })
    })
  }

  const accepted: readonly (readonly [attribute: string, value: unknown, shown?: unknown])[] = [
    ['string', ''],
    ['integer', 5],
    ['integer', -0, 0],
    ['decimal', 1.5],
    ['boolean', false],
    ['dateTime', '2024-02-29T12:30:00Z', '2024-02-29T12:30:00+00:00'],
    ['dateTime', '2024-02-29T12:30:00.250+02:00', '2024-02-29T10:30:00.250+00:00'],
    ['date', '2024-02-29'],
    ['time', '12:30', '12:30:00'],
    ['time', '12:30:15.5', '12:30:15.500'],
    ['list', []],
    ['integers', [1, 2]],
    ['hash', { a: { b: [null] } }],
    ['email', 'thom@radiohead.com'],
    ['url', 'https://radiohead.com/a?b#c'],
    ['httpUrl', 'http://radiohead.com'],
    ['uuid4', 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'],
    ['slug', 'ok-computer-2'],
    ['ip', '::1'],
    ['ip', '127.0.0.1'],
    ['minLength', '😀😀😀'],
    ['maxLength', '😀😀😀'],
    ['min', 1],
    ['max', 10],
    ['multipleOf', 19.99],
    ['multipleOf', 0.07],
    ['before', '1999-12-31'],
    ['between', '2000-01-01'],
    ['between', '2000-12-31'],
    ['ownFormat', '29.02.2024'],
    ['uniqueItems', ['a', 'b']],
    ['each', ['ab', 'ac']],
    ['in', 'cd'],
    ['notIn', 12],
    ['atLeastOneOf', 'thom@radiohead.com'],
    ['when', 'abcdef'],
    ['shape', { rpm: 33, side: 'a' }],
    ['zod', 'ab'],
    ['valibot', { rpm: 45 }],
    ['onUpdate', 'ab'],
    ['unique', 'free'],
  ]

  for (const [attribute, value, shown = value] of accepted) {
    test(`${attribute} accepts ${JSON.stringify(value)}`, async () => {
      const response = await api.post('/things', { body: resourceBody('things', { [attribute]: value }) })
      expect(response.errors).toEqual([])
      expect(response.resource.attributes?.[attribute]).toEqual(shown)
    })
  }
})

describe('constraints on one of the two writes', () => {
  test('onCreate() applies on create only, onUpdate() on update only', async () => {
    const api = server()
    const patch = (attributes: object) =>
      api.patch('/things/1', { body: resourceBody('things', { ...attributes }, '1') })
    expect((await patch({ onCreate: 'ab' })).status).toBe(200)
    expectErrors(await patch({ onUpdate: 'ab' }), [{ status: 422, pointer: '/data/attributes/onUpdate' }])
  })
})

const patchAfter = async (stored: object, attributes: object) => {
  const api = client(createServer({ resources: [things], data: storedData({ things: [{ id: 1, ...stored }] }) }))
  return api.patch('/things/1', { body: resourceBody('things', { ...attributes }, '1') })
}

describe('compareWith()', () => {
  const tooLow = [
    { status: 422, pointer: '/data/attributes/high', detail: "This must be greater than or equal to 'low'." },
  ]

  test('compares two attributes of the body', async () => {
    expect((await create({ low: 1, high: 1 })).status).toBe(201)
    expectErrors(await create({ low: 2, high: 1 }), tooLow)
  })

  test('is skipped if either side is absent or null', async () => {
    expect((await create({ high: 1 })).status).toBe(201)
  })

  test('compares the values of a PATCH with stored ones, in both directions', async () => {
    expectErrors(await patchAfter({ low: 5, high: 9 }, { high: 4 }), tooLow)
    expectErrors(await patchAfter({ low: 5, high: 9 }, { low: 10 }), tooLow)
    expect((await patchAfter({ low: 5, high: 9 }, { low: 10, high: 11 })).status).toBe(200)
    expect((await patchAfter({ low: 5, high: null }, { low: 10 })).status).toBe(200)
  })
})

describe('unique()', () => {
  test('does not conflict with the resource itself', async () => {
    const response = await server().patch('/things/1', { body: resourceBody('things', { unique: 'taken' }, '1') })
    expect(response.status).toBe(200)
  })

  test('may have a custom message, and further attributes in its set', async () => {
    const pressings = defineResource('pressings', {
      model: model<{ id: number; title: string; country: string }>('pressings'),
      id: id(),
      attributes: (a) => ({
        title: a.string().unique({ with: ['country'], message: 'That pressing exists.' }),
        country: a.string(),
      }),
    })
    const data = storedData({ pressings: [{ id: 1, title: 'Kid A', country: 'jp' }] })
    const api = client(createServer({ resources: [pressings], data }))
    const post = (attributes: object) => api.post('/pressings', { body: resourceBody('pressings', { ...attributes }) })
    expect((await post({ title: 'Kid A', country: 'uk' })).status).toBe(201)
    expectErrors(await post({ title: 'Kid A', country: 'jp' }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title', detail: 'That pressing exists.' },
    ])
  })
})
