import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CollectionResult, Provider } from '../../../../src/declare/resource/capabilities/provider.js'
import type { RowWindow } from '../../../../src/declare/resource/querying/row-window.js'
import { keyText } from '../../../../src/stores/row-query/key-text.js'
import { rowSetOf } from '../../../../src/core/rows/row-set.js'
import { rounds } from '../../../support/runs.js'
import { context, membersOf, relatedCriteria } from '../../music-rows.js'
import { anyOrders, anyScalarCondition, anyThing, anyThingCondition, anyWindow } from './any-question.js'
import type { Twin } from './things.js'
import { links, things, twinEngines, twins } from './things.js'

/** For all stored rows and all reads, the SQL stores return the same rows as the memory store, in the same order. */

const questions = rounds(40, 1200)

describe.each(twinEngines)('on %s', (engine) => {
  let worlds: readonly Twin[] = []

  beforeAll(async () => {
    const rows = fc.sample(fc.array(anyThing, { minLength: 3, maxLength: 14 }), { numRuns: 6, seed: 20 })
    worlds = await twins(engine, rows)
  })

  const world = fc.nat({ max: 5 }).map((index) => index)

  test('collections are filtered, sorted, counted and windowed alike', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(anyThingCondition, { maxLength: 2 }),
        anyOrders,
        anyWindow,
        async (index, conditions, orders, window) => {
          const { memory, sql } = worldAt(worlds, index)
          const criteria = { columns: null, conditions, orders, window, wantsCount: true, transaction: null, context }
          expect(await shown(sql, criteria)).toEqual(await shown(memory, criteria))
        },
      ),
      { numRuns: questions },
    )
  })

  test('walks by cursor visit every row once, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(world, anyOrders, fc.integer({ min: 1, max: 4 }), async (index, orders, limit) => {
        const { memory, sql } = worldAt(worlds, index)
        const listed = { columns: ['id'], conditions: [], orders, wantsCount: false, transaction: null, context }
        const all = (await shown(memory, { ...listed, window: null })).rows
        const forward: unknown[] = []
        let window: RowWindow = { kind: 'cursor', limit, after: null, before: null }
        for (let more = true; more; ) {
          const page = await shown(sql, { ...listed, window })
          expect(page).toEqual(await shown(memory, { ...listed, window }))
          forward.push(...page.rows)
          more = page.more === true
          window = { ...window, after: page.edges?.last ?? null }
        }
        expect(forward).toEqual(all)
        const backward: unknown[] = []
        const last = (await shown(sql, { ...listed, window: null })).rows.length
        const end = await shown(sql, { ...listed, window: { kind: 'cursor', limit: last, after: null, before: null } })
        window = { kind: 'cursor', limit, after: null, before: end.edges?.last ?? null }
        for (let more = end.edges !== null; more; ) {
          const page = await shown(sql, { ...listed, window })
          expect(page).toEqual(await shown(memory, { ...listed, window }))
          backward.unshift(...page.rows)
          more = page.more === true
          window = { ...window, before: page.edges?.first ?? null }
        }
        expect(backward).toEqual(all.slice(0, -1))
      }),
      { numRuns: questions },
    )
  })

  test.each(Object.entries(links))('the rows of %s are the same', async (_name, link) => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(anyThingCondition, { maxLength: 1 }),
        anyOrders,
        anyWindow,
        async (index, conditions, orders, window) => {
          const { memory, sql, rows } = worldAt(worlds, index)
          const parents = rowSetOf(rows[link.owner.model?.name ?? ''] ?? [])
          const isOfThings = link.targets.length === 1 && link.targets[0] === things
          const criteria = relatedCriteria({
            conditions: isOfThings ? conditions : [],
            ...(isOfThings ? { orders } : {}),
            window,
            wantsCount: true,
          })
          const found = await Promise.all(
            [sql, memory].map(async ({ fetchRelated }) => fetchRelated(link, parents, criteria)),
          )
          const [ours, theirs] = found.map((each) => ({
            members: membersOf(each),
            facts: each.groups.map(({ total, more, edges }) => ({ total, more, edges })),
          }))
          expect(ours).toEqual(theirs)
          expect(await sql.countRelated(link, parents, criteria)).toEqual(
            await memory.countRelated(link, parents, criteria),
          )
        },
      ),
      { numRuns: questions / 2 },
    )
  })

  test('a cached statement is equal to a new one', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(anyThingCondition, { maxLength: 2 }),
        anyOrders,
        anyWindow,
        async (index, conditions, orders, window) => {
          const { sql, forgetful, sent } = worldAt(worlds, index)
          const criteria = { columns: null, conditions, orders, window, wantsCount: true, transaction: null, context }
          const link = links['friends']
          const parents = rowSetOf([{ id: 1 }, { id: 2 }])
          sent()
          for (const provider of [sql, forgetful]) {
            await shown(provider, criteria)
            if (link === undefined) throw new Error('Nobody has friends.')
            await provider.fetchRelated(link, parents, relatedCriteria({ conditions, orders, window }))
          }
          const { cached, uncached } = sent()
          expect(cached.toSorted()).toEqual(uncached.toSorted())
        },
      ),
      { numRuns: questions * 2 },
    )
  })

  test('no value of a condition breaks a statement', async () => {
    await fc.assert(
      fc.asyncProperty(world, anyScalarCondition, async (index, condition) => {
        const { sql } = worldAt(worlds, index)
        const criteria = {
          columns: ['id'],
          conditions: [condition],
          orders: [{ kind: 'key', descending: false } as const],
          window: null,
          wantsCount: false,
          transaction: null,
          context,
        }
        expect((await shown(sql, criteria)).total).toBeNull()
      }),
      { numRuns: questions * 3 },
    )
  })
})

function worldAt(worlds: readonly Twin[], index: number): Twin {
  const world = worlds[index % worlds.length]
  if (world === undefined) throw new Error('There are no worlds.')
  return world
}

type Criteria = Parameters<NonNullable<Provider['fetchCollection']>>[1]

async function shown(
  provider: Required<Provider>,
  criteria: Criteria,
): Promise<Omit<CollectionResult, 'rows'> & { readonly rows: readonly unknown[] }> {
  const {
    rows,
    total,
    more = false,
    edges = null,
  } = (await provider.fetchCollection(things, criteria)) as CollectionResult
  // Some stores compute positions on demand.
  const facts = { total, more, edges: edges && { first: edges.first, last: edges.last } }
  const set = 'columns' in rows ? rows : rowSetOf(rows)
  const key = set.columns.indexOf('id')
  return { ...facts, rows: criteria.columns === null ? set.rows : set.rows.map((row) => keyText(row[key])) }
}
