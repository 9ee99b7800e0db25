import { belongsTo, countableProfile, createServer, defineResource, hasMany, id, model, rowSet } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const radiohead = { id: 1, name: 'Radiohead' }
const withCounts = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } }

const gone = () => Promise.reject(new Error('gone'))

describe('wrong answers are 500 and logged, never a broken document', () => {
  const sound = { type: 'artists', rows: [radiohead] }
  const group = { members: [{ set: 0, row: 0, pivot: null }], total: null }

  async function failing(settings: {
    readonly provider?: object
    readonly path: string
    readonly extract?: () => unknown
  }) {
    const logged: unknown[] = []
    const provider = {
      fetchOne: () => ({ id: 1 }),
      fetchCollection: () => [{ id: 1 }],
      fetchRelated: () => ({ sets: [sound], groups: [group] }),
      ...settings.provider,
    }
    const shows = defineResource('shows', {
      model: model<{ id: number }>('shows'),
      id: id(),
      attributes: () => ({}),
      relations: {
        acts: hasMany('artists').countable(),
        by: belongsTo('artists')
          .extractUsing(settings.extract ?? (() => null))
          .withData(),
      },
      provider,
      readOnly: true,
      pagination: null,
    })
    const api = client(
      createServer({
        resources: [shows, artists],
        data: memoryData({ artists: [radiohead] }),
        logger: { error: ({ err }) => logged.push(err) },
      }),
    )
    const { text } = await api.get(settings.path, withCounts)
    return { text, logged }
  }

  const generic = '{"errors":[{"status":"500","title":"Internal Server Error"}],'

  test.each<[string, string, object]>([
    ['no group for a parent', "'shows.acts' was not answered one group for each parent", { sets: [sound], groups: [] }],
    ['a group too many', 'one group for each parent', { sets: [sound], groups: [group, group] }],
    ['no groups', 'one group for each parent', { sets: [sound] }],
    [
      'rows of a strange type',
      "answered rows of 'albums', which it does not name",
      { sets: [{ ...sound, type: 'albums' }], groups: [group] },
    ],
    [
      'rows without a key',
      "A row of 'artists' came without its key",
      { sets: [{ ...sound, rows: [{ name: 'x' }] }], groups: [group] },
    ],
    [
      'rows with an empty key',
      "A row of 'artists' came without its key",
      { sets: [{ ...sound, rows: [{ id: null }] }], groups: [group] },
    ],
    [
      'members of no row',
      'answered members without a row',
      { sets: [sound], groups: [{ members: [{ set: 0, row: 1, pivot: null }], total: null }] },
    ],
    ['members of no set', 'answered members without a row', { sets: [], groups: [group] }],
  ])('related rows: %s', async (_name, message, answer) => {
    const fetchRelated = () => answer
    for (const path of ['/shows?include=acts', '/shows/1/acts', '/shows/1/relationships/acts']) {
      const { text, logged } = await failing({ path, provider: { fetchRelated } })
      expect(text).toContain(generic)
      expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
    }
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no object', 5],
    ['an object without rows', {}],
    ['groups without members', { sets: [sound], groups: [{}] }],
    ['sets that are none', { sets: 5, groups: [group] }],
  ])('related rows: %s', async (_name, answer) => {
    const fetchRelated = () => answer
    const { text, logged } = await failing({ path: '/shows?include=acts', provider: { fetchRelated } })
    expect(text).toContain(generic)
    expect(logged).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no object', 5],
    ['an object without rows', {}],
    ['rows without a key', [{ name: 'x' }]],
    ['rows that are none', [null]],
    ['rows by position without the column of the key', rowSet(['name'], [['x']])],
  ])('collections: %s', async (_name, answer) => {
    const { text, logged } = await failing({ path: '/shows', provider: { fetchCollection: () => answer } })
    expect(text).toContain(generic)
    expect(logged).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['no object', 5],
    ['an object without a key', { name: 'x' }],
    ['a row by position without the column of the key', rowSet(['name'], [['x']])],
    ['several rows', rowSet(['id'], [[1], [2]])],
  ])('single rows: %s', async (_name, answer) => {
    const { text, logged } = await failing({ path: '/shows/1', provider: { fetchOne: () => answer } })
    expect(text).toContain(generic)
    expect(logged).toHaveLength(1)
  })

  test('rejections', async () => {
    for (const [path, provider] of [
      ['/shows', { fetchCollection: gone }],
      ['/shows/1', { fetchOne: gone }],
      ['/shows/1/acts', { fetchRelated: gone }],
      ['/shows?withCount=acts', { countRelated: gone }],
    ] as const) {
      const { text, logged } = await failing({ path, provider })
      expect(text).toContain(generic)
      expect(logged).toMatchObject([{ message: 'gone' }])
    }
  })

  test.each<[string, unknown]>([
    ['too few', []],
    ['too many', [1, 2]],
    ['no list', 5],
    ['no numbers', ['1']],
    ['no whole numbers', [Number.NaN]],
    ['negative ones', [-1]],
  ])('counts: %s', async (_name, answer) => {
    const { text, logged } = await failing({ path: '/shows?withCount=acts', provider: { countRelated: () => answer } })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: "'shows.acts' was not answered one number for each parent." }])
  })

  test('objects of a function without a key', async () => {
    const { text, logged } = await failing({ path: '/shows/1', extract: () => ({ name: 'x' }) })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: expect.stringContaining("A row of 'artists' came without its key") }])
  })

  test('a function that throws', async () => {
    const { text, logged } = await failing({
      path: '/shows/1',
      extract: () => {
        throw new Error('boom')
      },
    })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: 'boom' }])
  })
})
