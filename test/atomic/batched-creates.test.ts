import { noContent, type RequestContext, type RuleKit } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { describe, expect, inject } from 'vitest'
import { add, idsOf, linked } from './batch-client.js'
import { album, albums, onSql, type Options, decoratedPersister, parent, shop, shownBy } from './sql-shop.js'
import { inserts } from './sql-store.js'

describe('in a database, consecutive operations that add resources of one type are one insert', () => {
  onSql('however many they are', async () => {
    const served = await shop()
    await served.api.results(albums(1))
    served.ran.length = 0
    const results = await served.api.results(albums(200))
    // Without a parameter for all rows, a statement has no more than 64, and powers of two.
    expect(inserts(served)).toHaveLength(inject('store') === 'postgres' ? 1 : 4)
    expect(served.ran.length).toBeLessThan(10)
    expect(results).toMatchObject(shownBy(albums(200)))
    expect(new Set(idsOf(results)).size).toBe(200)
    expect(await served.rows('select id from albums')).toHaveLength(201)
  })

  onSql.each<[string, Options, readonly object[], number]>([
    ['if they have ids of the service', {}, [add('labels'), add('labels')], 1],
    [
      'if they have local ids that others use later',
      {},
      [album('a', { lid: 'a' }), album('b'), { op: 'update', data: { type: 'albums', lid: 'a' } }],
      1,
    ],
    [
      'up to one that needs another of them',
      {},
      [album('a', { lid: 'a' }), album('b'), album('c', parent({ type: 'albums', lid: 'a' })), album('d')],
      2,
    ],
    [
      'in runs, one after the other',
      {},
      [album('a'), album('b'), add('labels'), add('labels'), album('c'), album('d')],
      3,
    ],
    ['if hooks only run after the write', { albums: { hooks: { afterCreate: () => undefined } } }, albums(4), 1],
    [
      'if their results are empty',
      { albums: { create: noContent() } },
      [...albums(4), add('tracks', { title: 'x' })],
      2,
    ],
    [
      'but not if a hook runs before each write',
      { albums: { hooks: { beforeCreate: () => undefined } } },
      albums(4),
      4,
    ],
    ['but not if user-defined code creates rows', { albums: { persister: decoratedPersister } }, albums(4), 4],
    [
      'if a persister spreads that of the store',
      { albums: { persister: (store: Persister) => ({ ...store }) } },
      albums(4),
      1,
    ],
    ['but not if a user-defined handler is called for each', { isOneByOne: true }, albums(4), 4],
    [
      'but not if members of others are written with them',
      {},
      [1, 2, 3].map(() => album('a', { relationships: { tracks: linked([]) } })),
      3,
    ],
  ])('%s', async (_name, options, operations, expected) => {
    const served = await shop(options)
    await served.api.results(operations)
    expect(inserts(served)).toHaveLength(expected)
  })

  onSql('and one read finds all resources that they refer to, or none if the insert checks them', async () => {
    const served = await shop()
    const [first, second] = idsOf(await served.api.results(albums(2)))
    const parents = [first, second, first, second].map((key) => album('x', parent({ type: 'albums', id: key })))
    const reads = async (operations: readonly object[]) => {
      served.ran.length = 0
      await served.api.results(operations)
      return served.ran.filter((sql) => /^\s*select/i.test(sql)).length
    }
    expect(await reads([...parents, add('labels')])).toBe(1)
    expect(inserts(served)).toHaveLength(2)
    expect(await reads(parents)).toBe(inject('store') === 'postgres' ? 0 : 1)
    expect(inserts(served)).toHaveLength(1)
  })

  onSql('and their rule, which the database decides, is evaluated once', async () => {
    const evaluated: boolean[] = []
    const policy = (p: RuleKit<{ title: string }>) => ({
      viewAny: true,
      view: true,
      update: true,
      create: (context: RequestContext) => {
        // The OpenAPI document evaluates it too, outside of requests.
        if (context.request !== null) evaluated.push('rows' in context)
        return p.eq('title', 'Untitled')
      },
    })
    const served = await shop({ albums: { policy }, labels: { policy: 'public' }, tracks: { policy: 'public' } })
    const untitled = ['a', 'b'].map((code) => add('albums', { code }))
    expect(await served.api.results([...untitled, add('tracks', { title: 'x' })])).toHaveLength(3)
    // MariaDB cannot compare rows with a rule while it inserts them.
    expect(inserts(served)).toHaveLength(inject('store') === 'mariadb' ? 3 : 2)
    if (inject('store') !== 'mariadb') expect(evaluated).toEqual([false])
  })
})
