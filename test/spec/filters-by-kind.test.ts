import { createServer, defineResource, id, model } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { filteredAlbums } from '../support/filterable-albums.js'
import { storedData } from '../support/stored-data.js'

const { ids, refuses, api } = filteredAlbums((f) => ({
  year: f.where(),
  rating: f.where(),
  better: f.where('rating', '>'),
  explicit: f.where(),
  notExplicit: f.where('explicit', '!='),
  loose: f.where('explicit').asBoolean(),
  recordedOn: f.where(),
  recordedAfter: f.where('recordedOn', '>'),
  releasedAt: f.where(),
  releasedBefore: f.where('releasedAt', '<'),
  startsAt: f.where(),
  startsBefore: f.where('startsAt', '<='),
  status: f.where(),
  kind: f.where(),
  statuses: f.in('status'),
  code: f.where(),
  strictCode: f.where('code').uuid(4),
  title: f.where(),
  titleAfter: f.where('title', '>'),
  genres: f.where(),
  plays: f.where(),
  playsOver: f.where('plays', '>'),
  id: f.where('id'),
  idNot: f.where('id', '!='),
  ids: f.idIn(),
  notIds: f.idNotIn(),
  released: f.dateRange('releasedAt'),
  recorded: f.dateRange('recordedOn'),
  starting: f.dateRange('startsAt'),
  inParis: f.dateRange('parisTime'),
}))

const invalid = (key: string, value: string) =>
  refuses(`filter[${key}]=${encodeURIComponent(value)}`, 'FILTER_VALUE_INVALID', `filter[${key}]`)

describe('a value has the kind of the field that it filters', () => {
  test.each([
    ['integer', 'filter[year]=1997', ['1', '3']],
    ['a whole number with a sign', 'filter[year]=-1997', []],
    ['decimal', 'filter[rating]=4.80', ['1']],
    ['a decimal that is whole', 'filter[rating]=0', ['4']],
    ['a decimal that is compared by its size, not by its text', 'filter[better]=04.7', ['1']],
    ['boolean', 'filter[explicit]=true', ['2']],
    ['boolean in other spellings', 'filter[explicit]=Off', ['1', '4']],
    ['a boolean that is blank is false', 'filter[explicit]=', ['1', '4']],
    ['a boolean that differs', 'filter[notExplicit]=1', ['1', '4']],
    ['asBoolean() takes all other texts for false', 'filter[loose]=maybe', ['1', '4']],
    ['date', 'filter[recordedOn]=1996-07-01', ['1']],
    ['dates in order', 'filter[recordedAfter]=1996-07-01', ['2']],
    ['dateTime', 'filter[releasedAt]=1997-05-21T10:00:00Z', ['1']],
    ['the same instant in another offset', 'filter[releasedAt]=1997-05-21T12:00:00%2B02:00', ['1']],
    ['instants in order', 'filter[releasedBefore]=1997-09-22T23:59:59.500Z', ['1']],
    ['time', 'filter[startsAt]=20:00:00', ['1']],
    ['times in order', 'filter[startsBefore]=09:30:00', ['2', '4']],
    ['enum', 'filter[status]=released', ['1', '4']],
    ['a value that the enumeration has, and no row', 'filter[status]=upcoming', []],
    ['an attribute that is stored under another name', 'filter[kind]=withdrawn', ['2']],
    ['uuid', 'filter[code]=6f9619ff-8b86-4d01-b42d-00cf4fc964ff', ['1']],
    ['text, to the letter', 'filter[title]=Kid A', ['2']],
    ['text in another case', 'filter[title]=kid a', []],
    ['text that looks like a number', 'filter[title]=1997', []],
    ['texts in order of their code points', 'filter[titleAfter]=Kid A', ['1', '4']],
    ['a member of a list', 'filter[genres]=rock', ['1']],
    ['the values of a column without an attribute', 'filter[plays]=20', ['2']],
    ['such columns in order', 'filter[playsOver]=20', ['1']],
    ['such a column, and a text that it cannot hold', 'filter[plays]=many', []],
    ['id', 'filter[id]=3', ['3']],
    ['an unknown id', 'filter[id]=x', []],
    ['all others than one id', 'filter[idNot]=3', ['1', '2', '4']],
  ])('%s', async (_name, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })
})

describe('a text that is no value of the field is FILTER_VALUE_INVALID, 400 and never 422', () => {
  test.each([
    ['year', ['', ' ', 'x', '19.5', '1997x', '99999999999999999999', '1,2', 'NaN', '0x7cd', '1_997', 'true']],
    ['rating', ['', 'good', '4,8', '1e999', 'Infinity', '4.8.1', '-']],
    ['explicit', ['maybe', '2', 'nil', 'tru']],
    ['recordedOn', ['', '1996-02-30', '1996-13-01', '1996-7-1', '19960701', '1996-07-01T00:00:00Z', 'yesterday']],
    ['releasedAt', ['', '1997-05-21', '1997-05-32T10:00:00Z', '1997-05-21T25:00:00Z', 'now', '864000000']],
    ['startsAt', ['', '25:00:00', '20:60:00', '8pm', '20']],
  ])('%s', async (key, values) => {
    for (const value of values) await invalid(key, value)
  })

  test('the message names the expected form', async () => {
    expect((await invalid('year', 'x'))[0]?.detail).toBe('This must be a whole number.')
    expect((await invalid('rating', 'x'))[0]?.detail).toBe('This must be a number.')
    expect((await invalid('explicit', 'x'))[0]?.detail).toBe('This must be true or false.')
    expect((await invalid('recordedOn', 'x'))[0]?.detail).toBe('This must be a real date or time, written YYYY-MM-DD.')
  })

  test('only the type of the field is checked: a form or a set of values is required by the filter itself', async () => {
    expect(await ids('filter[code]=garbage')).toEqual([])
    expect(await ids('filter[status]=garbage')).toEqual([])
    expect(await ids('filter[statuses]=garbage,released')).toEqual(['1', '4'])
    await invalid('strictCode', 'garbage')
    await invalid('strictCode', '6f9619ff-8b86-1d01-b42d-00cf4fc964ff')
    expect(await ids('filter[strictCode]=6f9619ff-8b86-4d01-b42d-00cf4fc964ff')).toEqual(['1'])
  })
})

const range = (key: string, min: string, max: string): string =>
  `filter[${key}][min]=${encodeURIComponent(min)}&filter[${key}][max]=${encodeURIComponent(max)}`

describe('ids', () => {
  test.each(['01', '1.0', '1e0', '+1', ' 1', 'true', '0x1', '１'])(
    'are texts: %j is no id, as in the path of a resource',
    async (wrong) => {
      const value = encodeURIComponent(wrong)
      expect((await api.get(`/albums/${value}`)).status).toBe(404)
      expect(await ids(`filter[id]=${value}`)).toEqual([])
      expect(await ids(`filter[ids][]=${value}`)).toEqual([])
      expect(await ids(`filter[idNot]=${value}`)).toEqual(['1', '2', '3', '4'])
      expect(await ids(`filter[notIds][]=${value}`)).toEqual(['1', '2', '3', '4'])
    },
  )
})

describe('dateRange', () => {
  test.each([
    ['both bounds are inclusive', range('released', '1997-05-21T10:00:00Z', '2000-10-02T00:00:00Z'), ['1', '2', '3']],
    ['one instant', range('released', '1997-05-21T10:00:00Z', '1997-05-21T10:00:00Z'), ['1']],
    ['only a minimum', range('released', '1997-09-23', ''), ['2']],
    ['only a maximum', range('released', '', '1997-05-21T09:59'), []],
    ['a day as the maximum takes in the whole day', range('released', '1997-05-21', '1997-09-22'), ['1', '3']],
    ['a day as the minimum begins at midnight', range('released', '2000-10-02', ''), ['2']],
    ['a space instead of the T', range('released', '1997-05-21 10:00', '1997-05-21 10:00:00'), ['1']],
    ['a fraction of a second', range('released', '1997-09-22T23:59:59.5Z', '1997-09-22T23:59:59.500Z'), ['3']],
    ['an offset', range('released', '1997-05-21T12:00+02:00', '1997-05-21T05:00:00-05:00'), ['1']],
    ['a day of the time zone of the field', range('inParis', '2000-10-02', '2000-10-02'), ['2']],
    ['which is not that of UTC', range('inParis', '1997-09-22', '1997-09-22'), []],
    ['days', range('recorded', '1959-03-02', '1996-07-01'), ['1', '4']],
    ['times of day', range('starting', '09:30:00', '20:00:00'), ['1', '2']],
    ['no bounds at all', range('released', '', ' '), ['1', '2', '3', '4']],
  ])('%s', async (_name, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each([
    '1997-13-99',
    '1997-02-29',
    '1997-00-10',
    '1997-04-31',
    '1997-05-21T25:00',
    '1997-05-21T10:60',
    '97-05-21',
    '1997-05',
    '1997',
    'yesterday',
    '19970521',
    '1997-05-21T10:00+25:00',
    '1997/05/21',
    '1997-05-21Tx',
    '1e3',
  ])('%s is no bound: FILTER_VALUE_INVALID at the filter', async (bound) => {
    // biome-ignore format: a list
    for (const side of ['min', 'max']) {
      const query = `filter[released][${side}]=${encodeURIComponent(bound)}`
      await refuses(query, 'FILTER_VALUE_INVALID', 'filter[released]')
    }
    await refuses(range('released', bound, bound), 'FILTER_VALUE_INVALID', 'filter[released]', 2)
  })

  test('29 February is a day in leap years', async () => {
    expect(await ids(range('released', '1996-02-29', '2000-02-29'))).toEqual(['1', '3'])
  })

  test('a bound that is a list or an object is FILTER_VALUE_INVALID', async () => {
    await refuses('filter[released][min][]=1997-05-21', 'FILTER_VALUE_INVALID', 'filter[released]')
    await refuses('filter[released][max][min]=1997-05-21', 'FILTER_VALUE_INVALID', 'filter[released]')
  })

  test('a missing moment is in no range', async () => {
    expect(await ids(range('released', '0001-01-01', '9999-12-31'))).toEqual(['1', '2', '3'])
  })
})

describe('ids that are not the stored keys', () => {
  const favorites = defineResource('favorites', {
    model: model<{ id: number; note: string }>('favorites'),
    id: id().encodeUsing<number>({
      encode: (key) => `fav-${key}`,
      decode: (wireId) => (/^fav-\d+$/.test(wireId) ? Number(wireId.slice(4)) : null),
    }),
    attributes: (a) => ({ note: a.string() }),
    filters: (f) => ({ ids: f.idIn(), notIds: f.idNotIn(), id: f.where(), idNot: f.where('id', '!=') }),
  })
  const rows = [1, 2, 3].map((key) => ({ id: key, note: '' }))
  const codec = client(createServer({ resources: [favorites], data: storedData({ favorites: rows }) }))
  const found = async (query: string): Promise<readonly string[]> =>
    (await codec.get(`/favorites?${query}`)).resources.map((each) => each.id)

  test.each([
    ['filter[ids]=fav-1,fav-3', ['fav-1', 'fav-3']],
    ['filter[ids][]=fav-2', ['fav-2']],
    ['filter[notIds]=fav-1', ['fav-2', 'fav-3']],
    ['filter[id]=fav-2', ['fav-2']],
    ['filter[idNot]=fav-2', ['fav-1', 'fav-3']],
  ])('are decoded: %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('an id that cannot be decoded matches nothing, and negated it matches all', async () => {
    for (const wrong of ['1', 'fav-', 'FAV-1', '', 'null', 'fav-99']) {
      expect(await found(`filter[ids]=${wrong}`)).toEqual([])
      expect(await found(`filter[ids]=${wrong},fav-1`)).toEqual(['fav-1'])
      expect(await found(`filter[notIds]=${wrong}`)).toEqual(['fav-1', 'fav-2', 'fav-3'])
      expect(await found(`filter[id]=${wrong}`)).toEqual([])
      expect(await found(`filter[idNot]=${wrong}`)).toEqual(['fav-1', 'fav-2', 'fav-3'])
    }
  })
})

describe('in the catalogue', () => {
  const catalogue = client(catalogueServer())
  const found = async (target: string): Promise<readonly string[]> =>
    (await catalogue.get(target)).resources.map((each) => each.id)

  test.each([
    ['/albums?filter[rating][min]=4.7', ['1']],
    ['/albums?filter[releasedAt][min]=1997-05-21&filter[releasedAt][max]=1997-12-31', ['1', '3']],
    ['/tracks?filter[explicit]=true', []],
    ['/tracks?filter[explicit]=', Array.from({ length: 12 }, (_, index) => String(index + 1))],
    ['/tracks?filter[genres]=jazz, art-rock', ['2', '5', '7', '10', '11', '12']],
  ])('%s', async (target, expected) => {
    expect(await found(target)).toEqual(expected)
  })
})
