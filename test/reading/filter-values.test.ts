import { defineResource, fail, id, model, rule } from 'ashlar'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { primaryVocabulary } from '../../src/serve/read/query/query-vocabulary.js'
import { readConditions } from '../../src/serve/read/query/read-conditions.js'
import { catalogue, requestContext, sent, served, services, typeOf } from './served.js'
import { refusal, shown } from './shown.js'

const albums = primaryVocabulary(typeOf(catalogue(), 'albums'))
const reading = { context: requestContext(), services, parameterOf: (key: string) => `filter[${key}]` }

async function reads(values: Readonly<Record<string, unknown>>, vocabulary = albums): Promise<readonly string[]> {
  return (await readConditions(sent(values), vocabulary, reading)).map(({ condition }) => shown(condition))
}

function refused(values: Readonly<Record<string, unknown>>, vocabulary = albums): Promise<readonly string[]> {
  return refusal(() => readConditions(sent(values), vocabulary, reading))
}

const wrong = (key: string, message: string): readonly string[] => [`FILTER_VALUE_INVALID filter[${key}]: ${message}`]

describe('a value has the kind of the compared field', () => {
  test.each([
    ['a whole number', { year: '1997' }, 'year = 1997'],
    ['a number', { rating: '-4.5' }, 'rating = -4.5'],
    ['a boolean', { explicit: 'Off' }, 'explicit = false'],
    ['a blank boolean, which is false', { explicit: '' }, 'explicit = false'],
    ['an instant', { releasedAt: '1997-05-21T02:00:00+02:00' }, 'releasedAt = 1997-05-21T00:00:00.000Z'],
    ['a day', { recordedOn: '1997-05-21' }, 'recordedOn = "1997-05-21"'],
    ['a member of a list', { genre: 'rock' }, 'genres = "rock"'],
    ['members of a list of numbers', { score: '1,2' }, 'scores in [1, 2]'],
    ['text in a column without an attribute', { plays: '12' }, 'plays = "12"'],
    ['text in a column of a map', { column: '12' }, 'label_name = "12"'],
    ['an id', { id: '7' }, 'id = "7"'],
  ])('%s', async (_name, values, expected) => {
    expect(await reads(values)).toEqual([expected])
  })

  test.each([
    ['year', 'x', 'This must be a whole number.'],
    ['year', '', 'This must be a whole number.'],
    ['year', '19.5', 'This must be a whole number.'],
    ['year', '99999999999999999999', 'This must be a whole number.'],
    ['rating', '1e999', 'This must be a number.'],
    ['minYear', 'x', 'This must be a number.'],
    ['explicit', 'maybe', 'This must be true or false.'],
    ['releasedAt', '1997-05-21', 'This must be a real date or time, written YYYY-MM-DDTHH:mm:ssZ.'],
    ['recordedOn', '1997-02-30', 'This must be a real date or time, written YYYY-MM-DD.'],
    ['score', 'x', 'This must be a whole number.'],
    ['extras', 'x', 'This must be an object.'],
  ])('%s=%s is invalid', async (key, value, message) => {
    expect(await refused({ [key]: value })).toEqual(wrong(key, message))
  })

  test('boolean() accepts only its literals, asBoolean() takes everything else for false', async () => {
    expect(await refused({ active: 'maybe' })).toEqual(wrong('active', 'This does not have the required form.'))
    expect(await reads({ active: '' })).toEqual(['explicit = false'])
    expect(await reads({ loose: 'maybe' })).toEqual(['explicit = false'])
    expect(await reads({ loose: 'ON' })).toEqual(['explicit = true'])
  })
})

describe('the shape of a value', () => {
  test.each([
    ['year', ['1997'], 'This must be a single value.'],
    ['year', { min: '1' }, 'This must be a single value.'],
    ['artistName', ['x'], 'This must be a single value.'],
    ['years', { a: '1' }, 'This must be a list of values.'],
    ['length', { min: ['1'] }, 'A bound must be a single value.'],
    ['released', { max: { a: '1' } }, 'A bound must be a single value.'],
  ])('%s=%j does not fit', async (key, value, message) => {
    expect(await refused({ [key]: value })).toEqual(wrong(key, message))
  })

  test('an empty set contains one empty text', async () => {
    expect(await reads({ titles: '' })).toEqual(['title in [""]'])
    expect(await reads({ titles: ['', ' a '] })).toEqual(['title in ["", " a "]'])
    expect(await refused({ years: '' })).toEqual(wrong('years', 'This must be a whole number.'))
  })
})

describe('ranges', () => {
  test('a blank bound is open, and a range has bounds', async () => {
    expect(await reads({ length: { min: ' ', max: '5' } })).toEqual(['year in null..5'])
    for (const value of [{}, { min: '' }]) expect(await reads({ length: value })).toEqual([])
    const message = "A range has the bounds 'min' and 'max': send one of them, or both."
    for (const value of ['5', ['5']]) expect(await refused({ length: value })).toEqual(wrong('length', message))
  })

  test('a day begins at midnight UTC, and as a maximum includes the whole day', async () => {
    expect(await reads({ released: { min: '1997-05-21', max: '1997-05-22' } })).toEqual([
      'all(releasedAt in 1997-05-21T00:00:00.000Z..null; releasedAt < 1997-05-23T00:00:00.000Z)',
    ])
    expect(await reads({ released: { max: '9999-12-31' } })).toHaveLength(1)
  })

  test('a time may follow the day after a T or a space, with seconds, a fraction and an offset', async () => {
    expect(await reads({ released: { min: '1997-05-21 10:00', max: '1997-05-21T10:00:00.5+02:00' } })).toEqual([
      'releasedAt in 1997-05-21T10:00:00.000Z..1997-05-21T08:00:00.500Z',
    ])
  })

  test('a day is one of the time zone of the attribute', async () => {
    expect(await reads({ paris: { min: '2026-03-29', max: '2026-03-29' } })).toEqual([
      'all(releasedAt in 2026-03-28T23:00:00.000Z..null; releasedAt < 2026-03-29T22:00:00.000Z)',
    ])
  })

  test('days are compared with days: a time leaves out the day that began before it', async () => {
    expect(await reads({ recorded: { min: '1997-05-21', max: '1997-05-22' } })).toEqual([
      'recordedOn in "1997-05-21".."1997-05-22"',
    ])
    expect(await reads({ recorded: { min: '1997-05-21T00:01', max: '1997-05-22T10:00' } })).toEqual([
      'recordedOn in "1997-05-22".."1997-05-22"',
    ])
  })

  test('times of day are compared with times of day', async () => {
    expect(await reads({ starts: { min: '10:00' } })).toEqual(['startsAt in "10:00:00"..null'])
    expect(await refused({ starts: { min: '1997-05-21' } })).toEqual(
      wrong('starts', 'This must be a real date or time, written HH:mm:ss.'),
    )
  })

  test('a column without an attribute contains instants', async () => {
    const [filter] = await readConditions(sent({ imported: { min: '1997-05-21' } }), albums, reading)
    expect(filter?.condition).toMatchObject({
      kind: 'range',
      min: new Date('1997-05-21'),
      column: { kind: { name: 'dateTime' } },
    })
  })

  test.each(['1997-13-99', '1997-02-29', '1997-05-21T25:00', 'yesterday', '19970521'])(
    '%s is no bound',
    async (bound) => {
      expect(await refused({ released: { min: bound } })).toEqual(
        wrong('released', 'This must be a real date or time, written YYYY-MM-DD or YYYY-MM-DDTHH:mm:ssZ.'),
      )
    },
  )

  test('each bound is reported', async () => {
    expect(await refused({ length: { min: 'x', max: 'y' } })).toHaveLength(2)
  })
})

describe('constraints', () => {
  test('forms are checked on the text, bounds on the number', async () => {
    expect(await reads({ checked: '1997' })).toEqual(['year = 1997'])
    expect(await refused({ checked: '1899' })).toEqual(wrong('checked', 'This must be 1900 or more.'))
    expect(await refused({ checked: '1997.0' })).toEqual(wrong('checked', 'This does not have the required form.'))
  })

  test('every member of a list and every bound is checked, sets of values by value', async () => {
    expect(await refused({ listed: '1997,1998,1999' })).toHaveLength(2)
    expect(await reads({ listed: ['2000'] })).toEqual(['year in [2000]'])
    expect(await refused({ bounded: { min: '1', max: '20' } })).toEqual(wrong('bounded', 'This must be 10 or more.'))
  })

  test('combinations, validators and tests see the value; conditions see no request', async () => {
    const contexts: unknown[] = []
    const combined = defineResource('albums', {
      model: model<{ id: number; year: number; title: string; plays: number; at: Date }>('albums'),
      id: id(),
      attributes: (a) => ({ year: a.integer(), title: a.string(), at: a.dateTime() }),
      filters: (f) => ({
        year: f.where().constrain(
          rule.sequentially(rule.pattern(/^\d{4}$/), rule.min(1900)),
          rule.when(
            (value, context) => {
              contexts.push(context)
              return value === 1999
            },
            rule.custom('party', (value) => (value === 1999 ? 'No parties.' : null)),
          ),
        ),
        title: f.where().constrain(rule.atLeastOneOf(rule.maxLength(2), rule.pattern(/^x/))),
        plays: f.where().constrain(rule.min(10)),
        even: f.where('year').constrain(rule.standard(v.pipe(v.number(), v.multipleOf(2, 'Odd.')))),
        at: f.where().constrain(rule.after('2000-01-01T00:00:00Z')),
        range: f.dateRange('at').constrain(rule.after('2000-01-01T00:00:00Z')),
      }),
    })
    const vocabulary = primaryVocabulary(typeOf(served([combined]), 'albums'))
    const message = async (values: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
      (await refused(values, vocabulary)).map((problem) => problem.replace(/^[^:]*: /, ''))
    expect(await message({ year: '999' })).toEqual(['This does not have the required form.'])
    expect(await message({ year: '1500' })).toEqual(['This must be 1900 or more.'])
    expect(await message({ year: '1999' })).toEqual(['No parties.'])
    expect(new Set(contexts)).toEqual(new Set([null]))
    expect(await message({ title: 'abc' })).toEqual(['This has none of the allowed forms.'])
    expect(await message({ title: 'xyz' })).toEqual([])
    expect(await message({ plays: '9' })).toEqual(['This must be 10 or more.'])
    expect(await message({ plays: 'many' })).toEqual(['This must be a number.'])
    expect(await message({ even: '3' })).toEqual(['Odd.'])
    expect(await message({ at: '1999-01-01T00:00:00Z' })).toEqual(['This must be after 2000-01-01T00:00:00+00:00.'])
    expect(await message({ range: { min: '1999-01-01' } })).toHaveLength(1)
    expect(await message({ range: { min: '2001-01-01' } })).toEqual([])
  })
})

describe('values that the application sets', () => {
  const declared = defineResource('albums', {
    model: model<{ id: number; title: string; year: number; explicit: boolean; tags: string[] }>('albums'),
    id: id().encodeUsing<number>({ encode: String, decode: (wireId) => (wireId === '?' ? null : Number(wireId)) }),
    attributes: (a) => ({
      title: a.string(),
      year: a.integer(),
      explicit: a.boolean().hidden(),
    }),
    filters: (f) => ({
      year: f.where().default('1997').integer(),
      explicit: f.boolean().default(false),
      titles: f.in('title').default(['a', 'b']),
      ids: f.idIn().default('1,?'),
      notTitles: f.notIn('title').default([]),
      late: f.where('year', '>').default(null),
    }),
  })
  const vocabulary = primaryVocabulary(typeOf(served([declared]), 'albums'))

  test('a default applies while the key is not sent, and its texts are parsed like those of clients', async () => {
    expect(await reads({}, vocabulary)).toEqual([
      'year = 1997',
      'explicit = false',
      'title in ["a", "b"]',
      'id in [1]',
      'title is not null',
      'any()',
    ])
  })

  test('a key that is sent wins, even an empty one', async () => {
    expect((await reads({ titles: '', year: '5' }, vocabulary)).slice(0, 3)).toEqual([
      'year = 5',
      'explicit = false',
      'title in [""]',
    ])
  })

  test('a default is not checked, and needs no visible field', async () => {
    expect(await refused({ explicit: '1' }, vocabulary)).toEqual(['FILTERING_UNRECOGNIZED filter[explicit]: explicit'])
  })

  test('an id that cannot be decoded matches no row', async () => {
    expect((await reads({ ids: '?' }, vocabulary))[3]).toEqual('any()')
  })
})

describe('deserializeUsing()', () => {
  test('replaces the conversion', async () => {
    expect(await reads({ decade: '199' })).toEqual(['year = 1990'])
  })

  test("an error that it throws is an error of the client's value", async () => {
    expect(await refused({ broken: '5' })).toEqual(wrong('broken', 'This cannot be read.'))
  })

  test('an error of the service is passed on unchanged; null matches nothing, and promises are refused', async () => {
    const declared = defineResource('albums', {
      model: model<{ id: number; year: number }>('albums'),
      id: id(),
      filters: (f) => ({
        gone: f.where('year').deserializeUsing(() => fail('RESOURCE_NOT_FOUND')),
        nil: f.where('year', '!=').deserializeUsing(() => null),
        later: f.where('year').deserializeUsing(() => Promise.reject(new Error('late'))),
        set: f.in('year').deserializeUsing((text) => (text === 'x' ? null : Number(text))),
        range: f.range('year').deserializeUsing((text) => (text === '0' ? null : Number(text) * 2)),
      }),
    })
    const vocabulary = primaryVocabulary(typeOf(served([declared]), 'albums'))
    expect(await refused({ gone: 'x' }, vocabulary)).toEqual(['RESOURCE_NOT_FOUND : '])
    expect(await reads({ nil: 'x' }, vocabulary)).toEqual(['any()'])
    await expect(reads({ later: 'x' }, vocabulary)).rejects.toThrow(
      'deserializeUsing() of a filter returned a promise, but must return its value synchronously.',
    )
    expect(await reads({ set: 'x,1' }, vocabulary)).toEqual(['year in [1]'])
    expect(await reads({ range: { min: '2', max: '3' } }, vocabulary)).toEqual(['year in 4..6'])
    expect(await reads({ range: { min: '0' } }, vocabulary)).toEqual(['any()'])
  })
})
