import { rule } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { filteredAlbums } from '../support/filterable-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

describe('delimiter()', () => {
  const { ids } = filteredAlbums((f) => ({
    titles: f.in('title').delimiter('|'),
    not: f.notIn('title').delimiter(' or '),
    ids: f.idIn().delimiter(''),
  }))

  test('separates the members of a set, instead of the comma', async () => {
    expect(await ids('filter[titles]=Kid A | Homogenic')).toEqual(['2', '3'])
    expect(await ids('filter[titles]=Kid A,Homogenic')).toEqual([])
    expect(await ids('filter[not]=Kid A or Homogenic')).toEqual(['1', '4'])
  })

  test('that is empty is the comma', async () => {
    expect(await ids('filter[ids]=1,2')).toEqual(['1', '2'])
  })
})

describe('deserializeUsing()', () => {
  const { ids, refuses } = filteredAlbums((f) => ({
    decade: f.where('year', '>=').deserializeUsing((text) => Number.parseInt(String(text), 10)),
    years: f.in('year').deserializeUsing((text) => Number(text) + 1900),
    rating: f.range('rating').deserializeUsing((text) => Number(text) / 10),
    never: f.where('year').deserializeUsing(() => null),
    broken: f.where('year').deserializeUsing((text) => JSON.parse(String(text))),
  }))

  test('converts the text before it is compared: of a value, of each member of a set, of each bound', async () => {
    expect(await ids('filter[decade]=1998s')).toEqual(['2'])
    expect(await ids('filter[years]=97,100')).toEqual(['1', '2', '3'])
    expect(await ids('filter[rating][min]=47')).toEqual(['1'])
    expect(await ids('filter[rating][min]=1&filter[rating][max]=47')).toEqual(['2'])
  })

  test('that returns null finds nothing', async () => {
    expect(await ids('filter[never]=1997')).toEqual([])
  })

  test('that throws for a value of a client is FILTER_VALUE_INVALID', async () => {
    expect(await ids('filter[broken]=1997')).toEqual(['1', '3'])
    await refuses('filter[broken]={', 'FILTER_VALUE_INVALID', 'filter[broken]')
  })
})

describe('default()', () => {
  const { ids, api } = filteredAlbums(
    (f) => ({
      year: f.where().default(1997),
      genres: f.notIn().default(['electronic']),
      ids: f.idIn().default('1,3,4'),
    }),
    'whole',
  )

  test('applies if the key is absent, in counts too', async () => {
    expect(await ids('')).toEqual(['1', '3'])
    expect((await api.get('/albums')).document?.meta).toEqual({ total: 2 })
    expect((await api.get('/albums?filter[ids]=1,2')).document?.meta).toEqual({ total: 1 })
  })

  test('does not apply if the key is present, even if it is empty', async () => {
    expect(await ids('filter[year]=1997&filter[ids]=3&filter[genres]=x')).toEqual(['3'])
    expect(await ids('filter[ids]=')).toEqual([])
    expect(await ids('filter[genres]=&filter[year]=1997')).toEqual(['1', '3'])
  })
})

describe('fixed()', () => {
  const { ids } = filteredAlbums((f) => ({
    nineties: f.where('year').integer().fixed(1997),
    released: f.where('status').fixed('released'),
    rock: f.in('genres').fixed(['rock', 'pop']),
    first: f.idIn().fixed('1,2'),
    notExplicit: f.boolean('explicit').fixed('no'),
  }))

  test('replaces the sent value: only the presence of the key counts', async () => {
    exemptFromDescription('queries', 'The value of a filter by presence is ignored, whatever it is.')
    for (const value of ['=', '=2000', '=x', '[]=x', '[min]=1']) {
      expect(await ids(`filter[nineties]${value}`)).toEqual(['1', '3'])
    }
    expect(await ids('filter[released]')).toEqual(['1', '4'])
    expect(await ids('filter[rock]=electronic')).toEqual(['1'])
    expect(await ids('filter[first]=4')).toEqual(['1', '2'])
    expect(await ids('filter[notExplicit]=true')).toEqual(['1', '4'])
  })

  test('has no effect while the key is absent', async () => {
    expect(await ids('')).toEqual(['1', '2', '3', '4'])
  })
})

describe('value constraints', () => {
  const { ids, api, refuses } = filteredAlbums((f) => ({
    year: f.where().integer().constrain(rule.min(1900), rule.max(2100)),
    title: f
      .contains()
      .pattern(/^[A-Za-z ]+$/)
      .constrain(rule.minLength(3)),
    years: f.in('year').constrain(rule.in([1997, 2000])),
    rating: f.range().constrain(rule.max(5)),
    code: f.where().uuid(),
    plays: f.where('plays').numeric(),
    flag: f.where('plays').boolean(),
    odd: f.where('plays').constrain(rule.custom('odd', (value) => (Number(value) % 2 === 1 ? null : 'This is even.'))),
    group: f.any({ title: f.contains(), subtitle: f.contains() }).constrain(rule.minLength(4)),
    free: f
      .custom({
        matches: (row) => row['id'] === 1,
        apply: sqlFilter<{ id: number }>(({ column }) => sql`${column('id')} = 1`),
      })
      .integer(),
  }))

  test.each([
    ['filter[year]=1997', ['1', '3']],
    ['filter[title]=Kid', ['2']],
    ['filter[years]=1997', ['1', '3']],
    ['filter[rating][max]=5', ['1', '2', '4']],
    ['filter[plays]=3', ['4']],
    ['filter[odd]=3', ['4']],
    ['filter[group]=kind', ['4']],
    ['filter[free]=7', ['1']],
  ])('a value that meets them is compared: %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each([
    ['filter[year]=1800', 'filter[year]', 1],
    ['filter[year]=2101', 'filter[year]', 1],
    // One error for each rule that is broken.
    ['filter[title]=1', 'filter[title]', 2],
    ['filter[title]=ab', 'filter[title]', 1],
    // Each member and each bound is checked.
    ['filter[years]=1997,1998,2000,1999', 'filter[years]', 2],
    ['filter[rating][min]=6&filter[rating][max]=7', 'filter[rating]', 2],
    ['filter[rating][max]=7', 'filter[rating]', 1],
    ['filter[code]=x', 'filter[code]', 1],
    ['filter[plays]=x', 'filter[plays]', 1],
    ['filter[flag]=x', 'filter[flag]', 1],
    ['filter[odd]=2', 'filter[odd]', 1],
    ['filter[group]=abc', 'filter[group]', 1],
    ['filter[free]=x', 'filter[free]', 1],
  ])('%s is FILTER_VALUE_INVALID at %s', async (query, parameter, times) => {
    await refuses(query, 'FILTER_VALUE_INVALID', parameter, times)
  })

  test('the title and the detail name the constraint', async () => {
    const [error] = expectErrors(await api.get('/albums?filter[odd]=2'), [{ code: 'FILTER_VALUE_INVALID' }])
    expect(error).toEqual({
      status: '400',
      code: 'FILTER_VALUE_INVALID',
      title: 'Filter value is invalid',
      detail: 'This is even.',
      source: { parameter: 'filter[odd]' },
    })
  })

  test('only values of clients are checked: defaults are trusted', async () => {
    const defaulted = filteredAlbums((f) => ({
      status: f
        .where()
        .constrain(rule.in(['upcoming']))
        .default('released'),
    }))
    expect(await defaulted.ids('')).toEqual(['1', '4'])
    await defaulted.refuses('filter[status]=released', 'FILTER_VALUE_INVALID', 'filter[status]')
  })
})

describe('groups', () => {
  const { ids, refuses } = filteredAlbums((f) => ({
    search: f.any({ title: f.contains(), subtitle: f.contains(), year: f.where() }),
    both: f.all({ title: f.contains(), sub: f.contains('subtitle') }),
    nested: f.all({
      either: f.any({ title: f.contains(), subtitle: f.contains() }),
      isRated: f.isNotNull('rating'),
    }),
    bare: f.all({ unrated: f.isNull('rating'), year: f.isNotNull() }),
    none: f.any({}),
    every: f.all({}),
    inner: f.any({ year: f.where().constrain(rule.min(3000)) }),
  }))

  test('any: one value that must meet one of its members', async () => {
    expect(await ids('filter[search]=kid')).toEqual(['2'])
    expect(await ids('filter[search]=state')).toEqual(['3'])
    expect(await ids('filter[search]=1997')).toEqual(['1', '3'])
    // No year has this text, but a title may.
    expect(await ids('filter[search]=computer')).toEqual(['1'])
  })

  test('all: one value that must meet all of its members', async () => {
    expect(await ids('filter[both]=i')).toEqual(['2'])
    expect(await ids('filter[both]=o')).toEqual(['3'])
    expect(await ids('filter[both]=')).toEqual(['2', '3', '4'])
  })

  test('groups nest', async () => {
    expect(await ids('filter[nested]=o')).toEqual(['1', '4'])
  })

  test('a group of only tests for presence counts by presence', async () => {
    exemptFromDescription('queries', 'The value of a filter by presence is ignored, whatever it is.')
    for (const value of ['=', '=x', '[]=x']) expect(await ids(`filter[bare]${value}`)).toEqual(['3'])
  })

  test('an empty any matches nothing, an empty all adds nothing', async () => {
    expect(await ids('filter[none]=x')).toEqual([])
    expect(await ids('filter[every]=x')).toEqual(['1', '2', '3', '4'])
  })

  test('the keys of members are no parameters', async () => {
    await refuses('filter[sub]=x', 'FILTERING_UNRECOGNIZED', 'filter[sub]')
    await refuses('filter[isRated]=x', 'FILTERING_UNRECOGNIZED', 'filter[isRated]')
  })

  test('only the constraints of the group itself are checked, not those of members', async () => {
    expect(await ids('filter[inner]=1997')).toEqual(['1', '3'])
  })

  test('clients cannot combine filters', async () => {
    await refuses('filter[and][][year]=1997', 'FILTERING_UNRECOGNIZED', 'filter[and]')
    await refuses('filter[or][]=x', 'FILTERING_UNRECOGNIZED', 'filter[or]')
  })
})

describe('the order of errors', () => {
  const { refuses } = filteredAlbums((f) => ({ year: f.where(), years: f.in('year'), rating: f.range() }))

  test('an invalid value is reported before an unknown key', async () => {
    await refuses('filter[nobody]=1&filter[year]=x', 'FILTER_VALUE_INVALID', 'filter[year]')
  })

  test('invalid values are reported in the order of the declaration, of the first key only, all of that one', async () => {
    await refuses('filter[rating][min]=x&filter[years]=a,b&filter[year]=c', 'FILTER_VALUE_INVALID', 'filter[year]')
    await refuses('filter[rating][min]=x&filter[years]=a,b', 'FILTER_VALUE_INVALID', 'filter[years]', 2)
  })

  test('the first unknown key is reported', async () => {
    await refuses('filter[nobody]=1&filter[year]=1997&filter[other]=2', 'FILTERING_UNRECOGNIZED', 'filter[nobody]')
  })

  test('a type without filters knows no key', async () => {
    const { refuses: refused } = filteredAlbums(() => ({}))
    await refused('filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]')
  })
})
