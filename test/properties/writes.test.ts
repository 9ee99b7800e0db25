import * as fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { client } from '../support/client.js'
import { isLong, rounds, runs } from '../support/runs.js'
import { expectNoPollution, expectReadBack, expectValidErrors, shown } from './writes-expectations.js'
import { anyRequest, type Request } from './writes-requests.js'
import { shopRows } from './writes-rows.js'
import { breakdown, isSameSnapshot, watchedStore } from './writes-store.js'
import { shopServer } from './writes-world.js'

const isOnMemory = inject('store') === 'memory'

const store = watchedStore(shopRows)
const lenient = client(shopServer(store.data))
const strict = client(shopServer(store.data, { unknownMembers: 'reject', limits: { errors: 3 } }))
const untouched = await store.snapshot()

/** Checks all invariants of writes for a request; returns the status. */
async function expectValid(request: Request, api = lenient): Promise<number> {
  await store.reset()
  const { method, path, type, id, action, raw } = request
  const before = id === null || action !== null ? null : await shown(api, type, id)
  // The client itself checks that the response is a valid document.
  const response = await api.request(method, path, { raw })
  expect(response.status).toBeLessThan(500)
  expectValidErrors(response, request)
  expectNoPollution()
  if (response.status >= 300)
    expect(isSameSnapshot(await store.snapshot(), untouched), 'something was written').toBe(true)
  else if (action === null) await expectReadBack(api, request, { response, before })
  return response.status
}

describe('any write at any URL is committed and read back unchanged, or is refused and writes nothing', () => {
  test.each([
    ['as it should be, or nearly', 0, 200],
    ['with a change of the text', 1, 200],
    ['with some changes of the text', 4, 200],
  ] as const)('%s', async (_how, most, numRuns) => {
    await fc.assert(
      fc.asyncProperty(anyRequest(most), async (request) => void (await expectValid(request))),
      { numRuns: runs(numRuns) },
    )
  })

  test('also if unknown members are refused, and only a few errors are reported', async () => {
    const property = fc.asyncProperty(anyRequest(2), async (request) => {
      const { errors } = await strict.request(request.method, request.path, { raw: request.raw })
      expect(errors.length).toBeLessThanOrEqual(3)
      await expectValid(request, strict)
    })
    await fc.assert(property, { numRuns: runs(150) })
  })

  test('the generated requests are neither all valid nor all invalid', async () => {
    const seenStatuses = new Set<number>()
    for (const request of fc.sample(anyRequest(1), { numRuns: isOnMemory ? 200 : rounds(30, 200), seed: 1 })) {
      seenStatuses.add(await expectValid(request))
    }
    const statuses = [200, 201, 204, 400, 403, 404, 409, 422]
    if (isOnMemory || isLong) expect(seenStatuses).toEqual(new Set(statuses))
    else expect(seenStatuses.size).toBeGreaterThan(statuses.length / 2)
  })
})

test('a store that breaks down after any of the writes of a request stores none of them', async () => {
  let broken = 0
  const property = fc.asyncProperty(anyRequest(0), async ({ method, path, raw }) => {
    await store.reset()
    const { status } = await lenient.request(method, path, { raw })
    const writes = status < 300 ? store.writes() : 0
    for (let fatal = 1; fatal <= writes; fatal += 1) {
      await store.reset()
      store.failAfter(fatal)
      const response = await lenient.request(method, path, { raw })
      expect(response.status).toBe(500)
      expect(response.text).not.toContain(breakdown)
      expect(isSameSnapshot(await store.snapshot(), untouched), `write ${fatal} of ${writes} was kept`).toBe(true)
      broken += 1
    }
  })
  await fc.assert(property, { numRuns: runs(150) })
  expect(broken).toBeGreaterThan(3)
})

async function send({ method, path, raw }: Request): Promise<number> {
  return (await lenient.request(method, path, { raw })).status
}

/** The effects of requests on the shop, and their responses. */
async function outcomeOf(requests: readonly Request[], atOnce: boolean): Promise<readonly unknown[]> {
  await store.reset()
  const statuses: number[] = []
  if (atOnce) statuses.push(...(await Promise.all(requests.map(send))))
  else for (const request of requests) statuses.push(await send(request))
  return [statuses, await store.snapshot()]
}

/** Whether the id of a new row is by chance: of tracks it is, and of releases where a table gives it. */
function hasChance({ method, path, action, raw }: Request): boolean {
  if (method !== 'POST') return false
  if (path === '/releases') return (JSON.parse(raw) as { data?: { id?: unknown } | null }).data?.id === undefined
  return path === '/tracks' || action === 'reissue'
}

test('concurrent writes have the same effect as one after the other, in some order', async () => {
  const request = anyRequest(0).filter((each) => !hasChance(each))
  const property = fc.asyncProperty(request, request, async (one, other) => {
    const [statuses, rows] = await outcomeOf([one, other], true)
    const [straight, backwards] = [await outcomeOf([one, other], false), await outcomeOf([other, one], false)]
    const [first, rowsBackwards] = backwards
    const reversed = [(first as readonly number[]).toReversed(), rowsBackwards]
    expect([straight, reversed]).toContainEqual([statuses, rows])
  })
  await fc.assert(property, { numRuns: runs(50) })
})
