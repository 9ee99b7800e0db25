import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { filteredAlbums } from '../support/filterable-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

interface AlbumRow {
  id: number
  title: string
}

const hasShape = (value: unknown): boolean => JSON.stringify(value) === '{"a":["1","2"],"b":"3"}'

const { ids, refuses, api } = filteredAlbums((f) => ({
  year: f.where(),
  yearIs: f.where('year', '=='),
  yearExactly: f.where('year', '==='),
  yearNot: f.where('year', '!='),
  yearDiffers: f.where('year', '<>'),
  after: f.where('year', '>'),
  from: f.where('year', '>='),
  before: f.where('year', '<'),
  until: f.where('year', '<='),
  like: f.where('subtitle', 'like'),
  starts: f.where('subtitle', 'starts'),
  ends: f.where('subtitle', 'ends'),
  subtitle: f.where(),
  subtitleNot: f.where('subtitle', '!='),
  contains: f.contains('subtitle'),
  startsWith: f.startsWith('title'),
  endsWith: f.endsWith('title'),
  playsContain: f.contains('plays'),
  rated: f.numeric('rating'),
  ratedNot: f.numeric('rating', '!='),
  better: f.greaterThan('rating'),
  atLeast: f.greaterThanOrEqual('rating'),
  worse: f.lessThan('rating'),
  atMost: f.lessThanOrEqual('rating'),
  explicit: f.boolean(),
  rating: f.range(),
  years: f.in('year'),
  notYears: f.notIn('year'),
  titles: f.in('title'),
  ids: f.idIn(),
  notIds: f.idNotIn(),
  unrated: f.isNull('rating'),
  isRated: f.isNotNull('rating'),
  genre: f.where('genres'),
  genreNot: f.where('genres', '!='),
  genres: f.in(),
  notGenres: f.notIn('genres'),
  score: f.where('scores'),
  longTitle: f.custom({
    matches: (row, value) => String(row['title']).length > Number(value),
    apply: sqlFilter<AlbumRow>(({ column, value }) => sql`length(${column('title')}) > ${Number(value)}`),
  }),
  shape: f.custom({
    matches: (row, value) => hasShape(value) && row['id'] === 2,
    apply: sqlFilter<AlbumRow>(({ column, value }) => (hasShape(value) ? sql`${column('id')} = 2` : sql`1 = 0`)),
  }),
  who: f.custom({
    matches: (row, value, context) => context?.request?.header(String(value)) === row['title'],
    apply: sqlFilter<AlbumRow>(
      ({ column, value, context }) => sql`${column('title')} = ${context.request?.header(String(value))}`,
    ),
  }),
}))

describe('where', () => {
  test.each([
    ['=', 'filter[year]=1997', ['1', '3']],
    ['== as =', 'filter[yearIs]=1997', ['1', '3']],
    ['===', 'filter[yearExactly]=1997', ['1', '3']],
    ['!=', 'filter[yearNot]=1997', ['2']],
    ['<> as !=', 'filter[yearDiffers]=1997', ['2']],
    ['>', 'filter[after]=1997', ['2']],
    ['>=', 'filter[from]=1997', ['1', '2', '3']],
    ['<', 'filter[before]=2000', ['1', '3']],
    ['<=', 'filter[until]=2000', ['1', '2', '3']],
    ['like', 'filter[like]=a state', ['3']],
    ['starts', 'filter[starts]=100', ['2']],
    ['ends', 'filter[ends]=emergency', ['3']],
  ])('%s', async (_operator, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test('several keys must all match', async () => {
    expect(await ids('filter[year]=1997&filter[explicit]=false')).toEqual(['1'])
    expect(await ids('filter[year]=1997&filter[yearNot]=1997')).toEqual([])
  })

  test('null equals nothing and differs from nothing: neither = nor != nor any order matches it', async () => {
    const year = '1997'
    const results = ['year', 'yearNot', 'after', 'from', 'before', 'until'].map((key) => ids(`filter[${key}]=${year}`))
    for (const found of await Promise.all(results)) expect(found).not.toContain('4')
    expect(await ids('filter[subtitleNot]=x')).toEqual(['2', '3', '4'])
  })

  test('there is no token for null, and the empty text is a text', async () => {
    for (const token of ['null', 'NULL', 'undefined']) expect(await ids(`filter[subtitle]=${token}`)).toEqual([])
    expect(await ids('filter[subtitle]=')).toEqual(['4'])
  })
})

describe('contains, startsWith and endsWith', () => {
  test('compare a part of a text', async () => {
    expect(await ids('filter[contains]=new')).toEqual(['2'])
    expect(await ids('filter[startsWith]=Ki')).toEqual(['2', '4'])
    expect(await ids('filter[endsWith]=A')).toEqual(['2'])
  })

  test('ignore the case of ASCII letters, and of those only', async () => {
    expect(await ids('filter[contains]=STATE OF')).toEqual(['3'])
    expect(await ids('filter[startsWith]=kIND')).toEqual(['4'])
    expect(await ids('filter[endsWith]=COMPUTER')).toEqual(['1'])
    expect(await ids('filter[contains]=jÓga')).toEqual(['3'])
    expect(await ids('filter[contains]=jóga')).toEqual([])
  })

  test('take % and _ literally', async () => {
    expect(await ids('filter[contains]=%25')).toEqual(['2'])
    expect(await ids('filter[contains]=0% n'.replace('%', '%25'))).toEqual(['2'])
    expect(await ids('filter[contains]=_')).toEqual(['2'])
    expect(await ids('filter[contains]=s_ate')).toEqual([])
    expect(await ids('filter[starts]=%25')).toEqual([])
    expect(await ids('filter[contains]=.*')).toEqual([])
    expect(await ids('filter[contains]=\\')).toEqual([])
  })

  test('an empty part is in every text, and in no null', async () => {
    expect(await ids('filter[contains]=')).toEqual(['2', '3', '4'])
    expect(await ids('filter[starts]=')).toEqual(['2', '3', '4'])
    expect(await ids('filter[ends]=')).toEqual(['2', '3', '4'])
  })

  test('match nothing but text', async () => {
    expect(await ids('filter[playsContain]=')).toEqual([])
  })
})

describe('numbers', () => {
  test.each([
    ['numeric', 'filter[rated]=4.60', ['2']],
    ['numeric with another operator', 'filter[ratedNot]=4.6', ['1', '4']],
    ['greaterThan', 'filter[better]=4.6', ['1']],
    ['greaterThanOrEqual', 'filter[atLeast]=4.6', ['1', '2']],
    ['lessThan', 'filter[worse]=4.6', ['4']],
    ['lessThanOrEqual', 'filter[atMost]=0', ['4']],
    ['a negative number', 'filter[better]=-1', ['1', '2', '4']],
  ])('%s', async (_kind, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each(['', 'x', '1,2', '1e3', '+1', ' 1', '1.', '.5', '0x10', 'NaN', 'Infinity', '--1', '１'])(
    '%j is invalid: FILTER_VALUE_INVALID',
    async (value) => {
      await refuses(`filter[better]=${encodeURIComponent(value)}`, 'FILTER_VALUE_INVALID', 'filter[better]')
    },
  )
})

describe('boolean', () => {
  test.each([
    ...['true', '1', 'on', 'yes', 'TRUE', 'Yes', ' on '].map((word) => [word, ['2']] as const),
    // Blank means false, not that there is no filter.
    ...['false', '0', 'off', 'no', 'OFF', '', ' '].map((word) => [word, ['1', '4']] as const),
  ])('%j', async (word, expected) => {
    expect(await ids(`filter[explicit]=${encodeURIComponent(word)}`)).toEqual(expected)
  })

  test.each(['maybe', '2', 'truey', 'null', 'y', 't', 'true,false'])('%j is invalid', async (word) => {
    await refuses(`filter[explicit]=${word}`, 'FILTER_VALUE_INVALID', 'filter[explicit]')
  })
})

describe('range', () => {
  test.each([
    ['both bounds are inclusive', 'filter[rating][min]=4.6&filter[rating][max]=4.8', ['1', '2']],
    ['only a minimum', 'filter[rating][min]=4.7', ['1']],
    ['only a maximum', 'filter[rating][max]=4.6', ['2', '4']],
    ['zero is a bound', 'filter[rating][max]=0', ['4']],
    ['a blank bound is open', 'filter[rating][min]=&filter[rating][max]=4', ['4']],
    ['a bound of spaces is open', 'filter[rating][min]=4.7&filter[rating][max]=%20+', ['1']],
    ['bounds that exclude each other', 'filter[rating][min]=5&filter[rating][max]=1', []],
    ['two blank bounds are open', 'filter[rating][min]=&filter[rating][max]=', ['1', '2', '3', '4']],
  ])('%s', async (_name, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test('a bound that is no number is reported at the filter, never at the bound, and each is reported', async () => {
    await refuses('filter[rating][min]=x', 'FILTER_VALUE_INVALID', 'filter[rating]')
    await refuses('filter[rating][min]=x&filter[rating][max]=y', 'FILTER_VALUE_INVALID', 'filter[rating]', 2)
    await refuses('filter[rating][min]=1&filter[rating][max]=1e3', 'FILTER_VALUE_INVALID', 'filter[rating]')
  })

  test.each(['filter[rating]=5', 'filter[rating]=', 'filter[rating]', 'filter[rating][]=5'])(
    '%s has no bounds, so it is FILTER_VALUE_INVALID',
    async (query) => {
      await refuses(query, 'FILTER_VALUE_INVALID', 'filter[rating]')
    },
  )

  test('a bound that is a list or an object is FILTER_VALUE_INVALID', async () => {
    await refuses('filter[rating][min][]=1', 'FILTER_VALUE_INVALID', 'filter[rating]')
    await refuses('filter[rating][max][a]=1', 'FILTER_VALUE_INVALID', 'filter[rating]')
  })
})

describe('sets', () => {
  test.each([
    ['a comma list', 'filter[years]=2000,1959,1997', ['1', '2', '3']],
    ['a list of brackets', 'filter[years][]=2000&filter[years][]=1959', ['2']],
    ['members of a comma list are trimmed', 'filter[titles]=Kid A ,  Homogenic', ['2', '3']],
    ['members of a list are not', 'filter[titles][]=Kid A+&filter[titles][]=Homogenic', ['3']],
    ['a comma in a list is a comma', 'filter[titles][]=Kid A,Homogenic', []],
    ['notIn', 'filter[notYears]=1997', ['2']],
    ['ids', 'filter[ids]=4,1,99', ['1', '4']],
    ['ids as a list', 'filter[ids][]=3', ['3']],
    ['ids that are denied', 'filter[notIds]=4,1,99', ['2', '3']],
    ['the empty text is a member', 'filter[titles]=', []],
    ['an id that is empty', 'filter[ids]=', []],
    ['no id that is empty', 'filter[notIds]=', ['1', '2', '3', '4']],
  ])('%s', async (_name, query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test('null is in no set, and in no negated set', async () => {
    expect(await ids('filter[notYears]=1')).toEqual(['1', '2', '3'])
  })

  test('each invalid member is reported', async () => {
    await refuses('filter[years]=1997,x,2000,y', 'FILTER_VALUE_INVALID', 'filter[years]', 2)
    await refuses('filter[years][]=x', 'FILTER_VALUE_INVALID', 'filter[years]')
    await refuses('filter[years]=', 'FILTER_VALUE_INVALID', 'filter[years]')
    await refuses('filter[years]=1997,', 'FILTER_VALUE_INVALID', 'filter[years]')
  })

  test('an object is no set', async () => {
    await refuses('filter[years][a]=1997', 'FILTER_VALUE_INVALID', 'filter[years]')
  })
})

describe('isNull and isNotNull', () => {
  test('count by presence: the value is ignored', async () => {
    exemptFromDescription('queries', 'The value of a filter by presence is ignored, whatever it is.')
    for (const value of ['=', '=false', '=0', '[]=x', '[a][b]=x']) {
      expect(await ids(`filter[unrated]${value}`)).toEqual(['3'])
      expect(await ids(`filter[isRated]${value}`)).toEqual(['1', '2', '4'])
    }
  })
})

describe('columns that hold lists', () => {
  test('are equal to a value if one of their members is, and differ from it if none is', async () => {
    expect(await ids('filter[genre]=art rock')).toEqual(['1'])
    expect(await ids('filter[genreNot]=rock')).toEqual(['2', '3'])
    expect(await ids('filter[genres]=jazz,electronic,rock')).toEqual(['1', '2'])
    expect(await ids('filter[notGenres]=rock')).toEqual(['2', '3'])
  })

  test('are compared by values of the kind of their members', async () => {
    expect(await ids('filter[score]=10')).toEqual(['1'])
    expect(await ids('filter[score]=-1')).toEqual(['4'])
    await refuses('filter[score]=ten', 'FILTER_VALUE_INVALID', 'filter[score]')
  })
})

describe('a value of another shape than the filter takes', () => {
  test.each(['year', 'contains', 'better', 'explicit'])('%s takes one value: FILTER_VALUE_INVALID', async (key) => {
    await refuses(`filter[${key}][]=1`, 'FILTER_VALUE_INVALID', `filter[${key}]`)
    await refuses(`filter[${key}][min]=1`, 'FILTER_VALUE_INVALID', `filter[${key}]`)
    await refuses(`filter[${key}][a][b]=1`, 'FILTER_VALUE_INVALID', `filter[${key}]`)
  })
})

const late = () => Promise.resolve(true) as never

describe('a custom filter', () => {
  test('gets the row, the value as it was sent, and the request', async () => {
    expect(await ids('filter[longTitle]=9')).toEqual(['1', '4'])
    expect(await ids('filter[shape][a][]=1&filter[shape][a][]=2&filter[shape][b]=3')).toEqual(['2'])
    const { resources } = await api.get('/albums?filter[who]=x-title', { headers: { 'X-Title': 'Homogenic' } })
    expect(resources.map(({ id }) => id)).toEqual(['3'])
  })

  test('that is asynchronous is an error of the application, and finds nothing', async () => {
    const { api: albums } = filteredAlbums((f) => ({ late: f.custom({ matches: late, apply: sqlFilter(late) }) }))
    expect((await albums.get('/albums?filter[late]=x')).status).toBe(500)
  })
})
