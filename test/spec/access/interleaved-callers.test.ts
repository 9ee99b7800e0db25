import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DataSource } from 'ashlar/store'
import { client } from '../../support/client.js'
import { exemptFromDescription } from '../../support/described-exchange.js'
import { runs } from '../../support/runs.js'
import { anyRead } from './leak-reads.js'
import { anyRows } from './leak-rows.js'
import { anyRules, type CallerId, type Rules } from './leak-rules.js'
import { leakStore } from './leak-store.js'
import { comparableResponse, send } from './leak-walk.js'
import { leakServer } from './leak-world.js'

/** Nothing that a server has cached for one caller is shown to another: its responses are those of a server without earlier requests. */

const [sample] = fc.sample(anyRules, { numRuns: 1, seed: 1 })
const store = leakStore((data: DataSource) => leakServer(sample as Rules, data))

const callers: readonly CallerId[] = [1, 2, null, 1, 2]

test('callers in turn, and concurrent ones, get the same as from a new server', async () => {
  exemptFromDescription('requests', 'The filters of JSON queries are texts where lists and numbers are described.')
  const requests = fc.uniqueArray(anyRead, { minLength: 5, maxLength: 5, selector: ({ path }) => path })
  const property = fc.asyncProperty(anyRules, anyRows, requests, async (rules, rows, chosen) => {
    await store.fill(rows)
    const anew = () => client(leakServer(rules, store.source()), { validate: false })
    const shared = anew()
    const sent = chosen.flatMap((request) => callers.map((caller) => ({ request, caller })))
    const responses: string[] = []
    for (const { request, caller } of sent) responses.push(comparableResponse(await send(shared, request, caller)))
    const together = await Promise.all(
      sent.toReversed().map(async ({ request, caller }) => comparableResponse(await send(shared, request, caller))),
    )
    expect(together.toReversed()).toEqual(responses)
    // Each caller has its own server, and each request its turn to be the first.
    for (const caller of [1, 2, null]) {
      const own = anew()
      for (const [index, each] of [...sent.entries()].toReversed()) {
        if (each.caller === caller)
          expect(comparableResponse(await send(own, each.request, caller))).toBe(responses[index])
      }
    }
  })
  await fc.assert(property, { numRuns: runs(60), endOnFailure: true })
})
