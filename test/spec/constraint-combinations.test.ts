import { type AttributeKit, type RequestContext, rule } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { resourceBody } from '../support/client.js'
import { type ThingRow, thingsWith, violationsOf } from '../support/validated-things.js'

const patch = { method: 'PATCH' } as const
const isStaff = (_value: unknown, context: RequestContext | null) => context?.request?.header('x-staff') === 'yes'
const staff = { headers: { 'X-Staff': 'yes' } }

describe('presence and null inside combinations', () => {
  test('required() inside when() demands presence while the condition holds, which is called with null', async () => {
    const seen: unknown[] = []
    const condition = (value: unknown, context: RequestContext | null) => {
      seen.push(value)
      return isStaff(value, context)
    }
    const api = thingsWith((a) => ({ title: a.string().when(condition, (field) => field.required()) }))
    expect(await violationsOf(api, {})).toEqual([])
    expect(await violationsOf(api, {}, staff)).toEqual(['title: This is required.'])
    expect(seen).toEqual([null, null])
    expect(await violationsOf(api, { title: '' }, staff)).toEqual(['title: This must not be empty.'])
    expect(await violationsOf(api, {}, { ...patch, ...staff })).toEqual([])
    expect(await violationsOf(api, { title: '' }, { ...patch, ...staff })).toEqual(['title: This must not be empty.'])
  })

  test('nullable() inside when() allows null while the condition holds', async () => {
    const api = thingsWith((a) => ({ title: a.string().when(isStaff, (field) => field.nullable()) }))
    expect(await violationsOf(api, { title: null }, staff)).toEqual([])
    expect(await violationsOf(api, { title: null })).toEqual(['title: This must not be null.'])
  })

  test('rules for one of the writes retain that restriction inside when()', async () => {
    const api = thingsWith((a) => ({
      title: a.string().when(
        () => true,
        (field) => field.requiredOnCreate(),
      ),
    }))
    expect(await violationsOf(api, {})).toEqual(['title: This is required.'])
    expect(await violationsOf(api, { title: '' }, patch)).toEqual([])
  })

  test('required() and nullable() may be inside sequentially()', async () => {
    const api = thingsWith((a) => ({
      title: a.string().sequentially(rule.required(), rule.minLength(3)),
      note: a.string().sequentially(rule.nullable(), rule.minLength(3)),
    }))
    expect(await violationsOf(api, {})).toEqual(['title: This is required.'])
    expect(await violationsOf(api, { title: '', note: null })).toEqual(['title: This must not be empty.'])
    expect(await violationsOf(api, { title: 'ab', note: 'a' })).toEqual([
      'title: This must have at least 3 characters.',
      'note: This must have at least 3 characters.',
    ])
  })

  test('empty are a text without characters and a list without items, and nothing else', async () => {
    const api = thingsWith((a) => ({
      text: a.string().required(),
      list: a.arrayList().required(),
      hash: a.arrayHash().required(),
      zero: a.integer().required(),
      no: a.boolean().required(),
    }))
    const empty = ['text: This must not be empty.', 'list: This must not be empty.']
    expect(await violationsOf(api, { text: '', list: [], hash: {}, zero: 0, no: false })).toEqual(empty)
    expect(await violationsOf(api, { text: ' ', list: [''], hash: {}, zero: 0, no: false })).toEqual([])
  })

  const presence: readonly (readonly [
    declared: string,
    build: (a: AttributeKit<ThingRow>) => object,
    refused: string,
  ])[] = [
    ['none', (a) => a.string(), 'POST null, PATCH null'],
    ['nullable', (a) => a.string().nullable(), ''],
    ['required', (a) => a.string().required(), 'POST absent, POST null, POST empty, PATCH null, PATCH empty'],
    ['required + nullable', (a) => a.string().required().nullable(), 'POST absent, POST empty, PATCH empty'],
    ['requiredOnCreate', (a) => a.string().requiredOnCreate(), 'POST absent, POST null, POST empty, PATCH null'],
    ['requiredOnUpdate', (a) => a.string().requiredOnUpdate(), 'POST null, PATCH null, PATCH empty'],
  ]
  test.each(presence)('%s', async (_declared, build, refused) => {
    const api = thingsWith((a) => ({ title: build(a) }), { stored: { title: 'x' } })
    const sent = { absent: {}, null: { title: null }, empty: { title: '' } }
    const found: string[] = []
    for (const method of ['POST', 'PATCH'] as const) {
      for (const [name, attributes] of Object.entries(sent)) {
        if ((await violationsOf(api, attributes, { method })).length > 0) found.push(`${method} ${name}`)
      }
    }
    expect(found.join(', ')).toBe(refused)
  })
})

describe('each()', () => {
  test('reports every item at its own pointer', async () => {
    const api = thingsWith((a) => ({ tags: a.arrayList().each(rule.minLength(2), rule.pattern(/^a/)) }))
    expect(await violationsOf(api, { tags: ['ab', 'b', 'abc', 'bc'] })).toEqual([
      'tags/1: This must have at least 2 characters.',
      'tags/1: This does not have the required form.',
      'tags/3: This does not have the required form.',
    ])
  })

  test('applies to lists of lists, whose items are lists', async () => {
    const api = thingsWith((a) => ({ sides: a.arrayList().each(rule.minItems(1), rule.each(rule.minLength(2))) }))
    expect(await violationsOf(api, { sides: [['ab'], ['abc', 'de']] })).toEqual([])
    expect(await violationsOf(api, { sides: [['ab', 'a'], [], 'x', [5]] })).toEqual([
      'sides/2: This must be a list.',
      'sides/3/0: This must be a string.',
    ])
    expect(await violationsOf(api, { sides: [['ab', 'a'], []] })).toEqual([
      'sides/0/1: This must have at least 2 characters.',
      'sides/1: This must have at least 1 item.',
    ])
  })

  test('infers from its rules that items are numbers, objects or moments', async () => {
    const api = thingsWith((a) => ({
      numbers: a.arrayList().each(rule.min(1)),
      objects: a.arrayList().each(rule.minProperties(1)),
      days: a.arrayList().each(rule.before('2000-01-01')),
      either: a.arrayList().each(rule.atLeastOneOf(rule.min(1), rule.minLength(2))),
    }))
    expect(
      await violationsOf(api, { numbers: [1.5], objects: [{ a: 1 }], days: ['1999-12-31'], either: [1, 'ab'] }),
    ).toEqual([])
    expect(
      await violationsOf(api, { numbers: [0, '1'], objects: [{ a: 1 }, 'a'], days: ['1999-02-30'], either: [true] }),
    ).toEqual([
      'numbers/1: This must be a number.',
      'objects/1: This must be an object.',
      'days/0: This must be a real date or time.',
      'either/0: This has none of the allowed forms.',
    ])
    expect(await violationsOf(api, { numbers: [0], objects: [{}], days: ['2000-01-01'] })).toEqual([
      'numbers/0: This must be 1 or more.',
      'objects/0: This must have at least 1 member.',
      'days/0: This must be before 2000-01-01T00:00:00.000Z.',
    ])
  })

  test('may allow null items, or refuse empty ones', async () => {
    const api = thingsWith((a) => ({
      maybe: a.arrayList().each(rule.nullable(), rule.minLength(2)),
      filled: a.arrayList().each(rule.required()),
    }))
    expect(await violationsOf(api, { maybe: ['ab', null], filled: ['a'] })).toEqual([])
    expect(await violationsOf(api, { maybe: ['a', null], filled: ['a', '', null] })).toEqual([
      'maybe/0: This must have at least 2 characters.',
      'filled/2: This must be a string.',
    ])
    expect(await violationsOf(api, { filled: ['a', ''] })).toEqual(['filled/1: This must not be empty.'])
  })

  test('takes objects that a raw schema describes, each reported at its leaves', async () => {
    const track = {
      type: 'object',
      required: ['title'],
      properties: { title: { type: 'string', minLength: 2 }, length: { type: 'integer' } },
    }
    const api = thingsWith((a) => ({ tracks: a.arrayList().each(rule.shape(track)) }))
    expect(await violationsOf(api, { tracks: [{ title: 'Airbag', length: 284 }] })).toEqual([])
    expect(await violationsOf(api, { tracks: [{ title: 'A', length: '284' }, {}, 'x'] })).toEqual([
      'tracks/0/title: This must have at least 2 characters.',
      'tracks/0/length: This must be a whole number.',
      "tracks/1: This must have the member 'title'.",
      'tracks/2: This must be an object.',
    ])
  })
})

describe('sequentially(), atLeastOneOf() and user-defined rules', () => {
  test('sequentially() stops at the first rule that is violated, with all its violations', async () => {
    const api = thingsWith((a) => ({
      tags: a.arrayList().sequentially(rule.each(rule.minLength(2)), rule.uniqueItems()),
    }))
    expect(await violationsOf(api, { tags: ['a', 'a'] })).toEqual([
      'tags/0: This must have at least 2 characters.',
      'tags/1: This must have at least 2 characters.',
    ])
    expect(await violationsOf(api, { tags: ['ab', 'ab'] })).toEqual(['tags: This must not hold the same item twice.'])
  })

  test('an alternative of several rules is a sequence', async () => {
    const short = rule.sequentially(rule.pattern(/^x/), rule.maxLength(3))
    const api = thingsWith((a) => ({ code: a.string().atLeastOneOf(short, rule.minLength(5)) }))
    expect(await violationsOf(api, { code: 'xy' })).toEqual([])
    expect(await violationsOf(api, { code: 'abcde' })).toEqual([])
    expect(await violationsOf(api, { code: 'abc' })).toEqual(['code: This has none of the allowed forms.'])
    expect(await violationsOf(api, { code: 'xyzz' })).toEqual(['code: This has none of the allowed forms.'])
  })

  test('a user-defined rule gets the value and the request', async () => {
    const odd = rule.custom('odd', (value, context) => {
      return Number(value) % 2 === 1 || isStaff(value, context) ? null : 'This must be odd.'
    })
    const api = thingsWith((a) => ({ number: a.integer().constrain(odd) }))
    expect(await violationsOf(api, { number: 2 })).toEqual(['number: This must be odd.'])
    expect(await violationsOf(api, { number: 2 }, staff)).toEqual([])
  })

  test('a user-defined rule that returns no message is an error of the application, and accepts no value', async () => {
    const broken = rule.custom('broken', (() => false) as unknown as () => null)
    const api = thingsWith((a) => ({ title: a.string().constrain(broken) }))
    const response = await api.post('/things', { body: resourceBody('things', { title: 'x' }) })
    expect(response.status).toBe(500)
    expect((await api.get('/things')).resources).toHaveLength(1)
  })
})

describe('bounds of moments that are functions', () => {
  test('are called on every request', async () => {
    let now = '2000-01-01'
    const api = thingsWith((a) => ({
      day: a
        .date()
        .after(() => now)
        .before(() => new Date('2010-01-01')),
    }))
    expect(await violationsOf(api, { day: '2000-01-01' })).toEqual(['day: This must be after 2000-01-01.'])
    now = '1999-01-01'
    expect(await violationsOf(api, { day: '2000-01-01' })).toEqual([])
    expect(await violationsOf(api, { day: '2010-01-01' })).toEqual(['day: This must be before 2010-01-01.'])
  })

  test.each(['soon', new Date('soon'), undefined])('one that is no moment accepts nothing: %s', async (bound) => {
    const api = thingsWith((a) => ({ day: a.date().after(() => bound as string) }))
    const response = await api.post('/things', { body: resourceBody('things', { day: '2000-01-01' }) })
    expect(response.status).toBe(500)
    expect((await api.get('/things')).resources).toHaveLength(1)
  })
})

/** Names without an order. */
const unordered = (a: AttributeKit<ThingRow>) => ({
  zebra: a.string().required(),
  list: a.arrayList().of('integer'),
  object: a.object().fields({ second: a.integer(), first: a.integer() }),
  apple: a.string().minLength(5).pattern(/^x/),
})

describe('the violations of a document', () => {
  const sent = { apple: 'a', object: { first: 'x', second: 'y' }, list: ['a', 1, 'b'] }
  const all = [
    'zebra: This is required.',
    'list/0: This must be a whole number.',
    'list/2: This must be a whole number.',
    'object/second: This must be a whole number.',
    'object/first: This must be a whole number.',
    'apple: This must have at least 5 characters.',
    'apple: This does not have the required form.',
  ]

  test('are reported together, in the order of the declaration', async () => {
    expect(await violationsOf(thingsWith(unordered), sent)).toEqual(all)
  })

  test('are reported up to the limit', async () => {
    for (const errors of [1, 3, 5, 6]) {
      expect(await violationsOf(thingsWith(unordered, { limits: { errors } }), sent)).toEqual(all.slice(0, errors))
    }
  })
})
