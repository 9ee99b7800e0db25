import { type AttributeKit, belongsTo, hasMany, noContent } from 'ashlar'
import type { CreateShortcuts, Persister } from 'ashlar/store'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { add, type BatchClient, linked, remove, resultsOf, update } from './batch-client.js'
import { album, albums, onSql, type Options, decoratedPersister, parent, shop, shownBy } from './sql-shop.js'

/** The comparable part of a response: ids that the service generates differ from run to run. */
function comparable(response: TestResponse): unknown {
  const text = response.text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'minted')
  return { status: response.status, document: text === '' ? null : (JSON.parse(text) as unknown) }
}

const everything = async (api: BatchClient) => {
  const collections = [
    '/albums?include=parent&page[size]=100',
    '/labels?sort=name&page[size]=100',
    '/tracks?page[size]=100',
  ]
  const all = await Promise.all(collections.map((path) => api.get(path)))
  return all.map(comparable)
}

/** Sends a batch to two servers; operations go together on one only. */
async function sentToBoth(operations: readonly object[], options: Options): Promise<TestResponse> {
  const first = [album('First', { id: '100' }), add('tracks', { title: 'x' })]
  const responses: TestResponse[] = []
  const states: unknown[] = []
  for (const isOneByOne of [false, true]) {
    const { api } = await shop({ ...options, isOneByOne })
    await api.results(first)
    responses.push(await api.batch(operations))
    states.push(await everything(api))
  }
  const [together, separate] = responses
  if (together === undefined || separate === undefined) throw new Error('There is no response.')
  expect(comparable(together)).toEqual(comparable(separate))
  expect(states[0]).toEqual(states[1])
  return together
}

const losingRows = (store: Persister): Persister => ({
  ...store,
  shortcuts: { create: { insteadOf: store.create, many: () => [] } },
})

describe('creating rows together or one by one makes no difference', () => {
  const missing = parent({ type: 'albums', id: '999' })
  const there = parent({ type: 'albums', id: '100' })

  test.each<[string, readonly object[], Options?]>([
    ['ids of the store', albums(5)],
    ['ids of the client', [album('a', { id: '7' }), album('b', { id: '5' }), album('c', { id: '6' })]],
    ['ids of the service', [add('labels', { name: 'a' }), add('labels'), add('labels', { name: null })]],
    [
      'ids of the service and of the client',
      [add('labels'), add('labels', {}, { id: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c' }), add('labels')],
    ],
    [
      'values that the store gives',
      [add('albums', { title: 'a' }), add('albums'), add('albums', { title: 'b' }), add('albums')],
    ],
    [
      'different attributes',
      [album('a'), add('albums', { title: 'b', code: 'b' }), add('albums', { title: 'c', code: null }), album('d')],
    ],
    [
      'relations',
      [album('a', there), album('b'), album('c', there), album('d', { relationships: { parent: linked(null) } })],
    ],
    [
      'local ids that are used later',
      [
        album('a', { lid: 'a' }),
        album('b', { lid: 'b' }),
        album('c', parent({ type: 'albums', lid: 'b' })),
        album('d', parent({ type: 'albums', lid: 'a' })),
        remove('albums', '100'),
      ],
    ],
    [
      'a chain of local ids',
      [
        album('a', { lid: 'a' }),
        album('b', { lid: 'b', ...parent({ type: 'albums', lid: 'a' }) }),
        album('c', parent({ type: 'albums', lid: 'b' })),
      ],
    ],
    [
      'types by turns',
      [album('a'), add('labels'), album('b'), add('tracks', { title: 'c' }), add('tracks', { title: 'd' }), album('e')],
    ],
    [
      'links from other types',
      [
        album('a', { lid: 'a' }),
        add('tracks', { title: 'b' }, { relationships: { album: linked({ type: 'albums', lid: 'a' }) } }),
        add('tracks', { title: 'c' }),
      ],
    ],
    [
      'members elsewhere in the middle',
      [album('a'), album('b', { relationships: { tracks: linked([{ type: 'tracks', id: '1' }]) } }), album('c')],
    ],
    [
      'a write before that they need',
      [update('albums', '100', { code: 'x' }), add('albums', { code: 'y' }), add('albums', { code: 'z' })],
    ],
    ['hooks afterwards', albums(4), { albums: { hooks: { afterSave: () => undefined } } }],
    [
      'hooks before',
      albums(4),
      { albums: { hooks: { beforeSave: (draft: { title?: string }) => void (draft.title = 'hooked') } } },
    ],
    ['nothing to show', albums(4), { albums: { create: noContent() } }],
    ['a user-defined create', albums(4), { albums: { persister: decoratedPersister } }],
    [
      'a persister that decorates that of the store',
      albums(4),
      { albums: { persister: (store: Persister) => ({ ...store }) } },
    ],
    [
      'rows that begin with something',
      [add('albums'), album('a'), add('albums')],
      { albums: { persister: (store: Persister) => ({ ...store, instantiate: () => ({ title: 'Blank' }) }) } },
    ],
    [
      'members by the ids that clients gave before',
      [album('a', { id: '7' }), album('b', parent({ type: 'albums', id: '7' })), album('c', { id: '8' }), album('d')],
    ],
    [
      'itself as a member',
      [album('a'), album('b', { id: '7', lid: 'b' }), album('c', parent({ type: 'albums', lid: 'b' }))],
    ],
    ['a scope', [add('albums', { code: 'x' }), add('albums', { code: 'y' }), album('a')], { albums: { scope } }],
    [
      'linkage that is shown',
      [album('a', there), album('b'), album('c', there)],
      { albums: { relations: shownLinkage } },
    ],
    [
      'relations that are included by default',
      [album('a', there), album('b')],
      { albums: { defaultIncludes: ['parent'] } },
    ],
    [
      'attributes of every kind',
      [album('a'), album('b'), add('albums', { title: 'c', code: 'c' })],
      { albums: { attributes: ofEveryKind } },
    ],
    ['unknown members', [album('a'), add('albums', { title: 'b', nothing: 1 }), album('c')]],
  ])('to results: %s', async (_name, operations, options = {}) => {
    expect([200, 204]).toContain((await sentToBoth(operations, options)).status)
  })

  test.each<[string, readonly object[], string, Options?]>([
    [
      'an invalid one in the middle',
      [album('a'), album('b'), album('x'.repeat(21)), album('c')],
      '422 2/data/attributes/title',
    ],
    [
      'an invalid one at the start',
      [add('albums', { title: 5 }), album('a'), album('b')],
      '422 0/data/attributes/title',
    ],
    ['an invalid one at the end', [album('a'), album('b'), add('albums', { title: 5 })], '422 2/data/attributes/title'],
    [
      'a member that is not there',
      [album('a'), album('b', there), album('c', missing), album('d')],
      '404 2/data/relationships/parent/data',
    ],
    [
      'a member that is not there, before an invalid one',
      [album('a'), album('b', missing), add('albums', { title: 5 })],
      '404 1/data/relationships/parent/data',
    ],
    [
      'an invalid one, before a member that is not there',
      [album('a'), add('albums', { title: 5 }), album('b', missing)],
      '422 1/data/attributes/title',
    ],
    [
      'a value twice',
      [add('albums', { code: 'x' }), album('a'), add('albums', { code: 'x' }), album('b')],
      '422 2/data/attributes/code',
    ],
    ['an id twice', [album('a', { id: '7' }), album('b', { id: '8' }), album('c', { id: '7' })], '409 2/data/id'],
    ['an existing id', [album('a'), album('b', { id: '100' }), album('c')], '409 1/data/id'],
    ['an id that is not for the client to give', [add('tracks', {}), add('tracks', {}, { id: '5' })], '403 1/data/id'],
    [
      'a type that does not fit',
      [album('a'), album('b', parent({ type: 'tracks', id: '1' })), album('c')],
      '409 1/data/relationships/parent/data/type',
    ],
    ['something after them', [album('a'), album('b'), remove('albums', '99'), album('c')], '404 2'],
    [
      'a hook that throws for one',
      [album('a'), album('bad'), album('c')],
      '500 1',
      { albums: { hooks: { beforeCreate: refusing } } },
    ],
    [
      'a user-defined create that throws',
      [album('a'), album('bad'), album('c')],
      '500 1',
      { albums: { persister: refusingStore } },
    ],
  ])('to errors: %s', async (_name, operations, expected, options = {}) => {
    const response = await sentToBoth(operations, options)
    const statusesAndPointers = response.errors.map(({ status, source }) => `${status} ${source?.pointer}`)
    expect(statusesAndPointers).toEqual([expected.replace(' ', ' /atomic:operations/')])
  })

  onSql('in a database, to errors: an id that is invalid for the table', async () => {
    const operations = [album('a'), album('b', { id: 'x' }), album('c')]
    expectErrors(await sentToBoth(operations, {}), [{ status: 422, pointer: '/atomic:operations/1/data/id' }])
  })

  test('nor does it if a store does not create rows in batches', async () => {
    const batchSizes: number[] = []
    const many: CreateShortcuts['many'] = (_type, rows) => {
      batchSizes.push(rows.length)
      return null
    }
    const persister = (store: Persister): Persister => {
      return { ...store, shortcuts: { create: { insteadOf: store.create, many } } }
    }
    const { api } = await shop({ albums: { persister } })
    expect(await api.results(albums(4))).toMatchObject(shownBy(albums(4)))
    expect(batchSizes).toEqual([4])
  })

  test('a persister that returns fewer rows than it got is an error of the application', async () => {
    const { api } = await shop({ albums: { persister: losingRows } })
    expectErrors(await api.batch(albums(4)), [{ status: 500 }])
    expect((await api.get('/albums')).resources).toEqual([])
  })
})

const scope = (_context: unknown, f: { idNotIn(): { fixed(value: unknown): unknown } }) => f.idNotIn().fixed(['999'])

const shownLinkage = { parent: belongsTo('albums').nullable().withData(), tracks: hasMany('tracks').withData() }

type Kit = AttributeKit<{ id: number; title: string; code: string | null }>

const ofEveryKind = (a: Kit) => ({
  title: a.string().serializeUsing((value) => `${typeof value === 'string' ? value : ''}!`),
  code: a
    .string()
    .nullable()
    .fillUsing((_row, value) => ({ code: `filled ${String(value)}` })),
  shout: a.string().computed((row) => row.title.toUpperCase()),
})

function refusing({ title }: { title?: string }): void {
  if (title === 'bad') throw new Error('Not this one.')
}

function refusingStore(store: Persister): Persister {
  return {
    ...store,
    create(type, values, write) {
      refusing(values)
      return store.create(type, values, write)
    },
  }
}

test('the results of a long batch are in the order of its operations', async () => {
  const { api } = await shop()
  const operations = Array.from({ length: 120 }, (_each, index) =>
    index % 7 === 3
      ? add('labels', { name: `${index}` })
      : album(`${index}`, index % 5 === 0 ? { id: `${500 - index}` } : {}),
  )
  const results = resultsOf(await api.batch(operations)) as readonly { data: { attributes: Record<string, string> } }[]
  expect(results.map(({ data: { attributes } }) => attributes['title'] ?? attributes['name'])).toEqual(
    operations.map((_each, index) => `${index}`),
  )
})
