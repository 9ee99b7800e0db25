import { env } from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DataSource } from 'ashlar/store'
import { exemptFromDescription } from '../../support/described-exchange.js'
import { runs } from '../../support/runs.js'
import { anyHazard } from './leak-hazards.js'
import { differentRead, differentWrite } from './leak-outcomes.js'
import { anyRead } from './leak-reads.js'
import type { Request } from './leak-requests.js'
import { anyRows, type Rows } from './leak-rows.js'
import { anyRules, type CallerId, type Rules } from './leak-rules.js'
import { leakStore } from './leak-store.js'
import { walk } from './leak-walk.js'
import { leakServer } from './leak-world.js'
import { anyChange, anyWrite } from './leak-writes.js'

/*
 * For all rules, a caller gets the same as from a database without the rows that it cannot see. Only a conflict may reveal that
 * something exists.
 */

const [sample] = fc.sample(anyRules, { numRuns: 1, seed: 1 })
const serve = (data: DataSource): unknown => leakServer(sample as Rules, data)
const stores = { full: leakStore(serve), reduced: leakStore(serve) }

/** `scripts/access-mutations.mjs` sets the numbers, because it tests one mutation after the other. */
const tries = (number: 'WALK_READS' | 'WALK_WRITES'): number => Number(env[number] ?? runs(60))

/** Random rules for everything, or for what is easily forgotten. */
const anyPolicies = fc.oneof({ weight: 1, arbitrary: anyRules }, { weight: 1, arbitrary: anyHazard })

const anyCaller = fc.constantFrom<CallerId>(1, 2, 2, null)

async function expectNoFault(rules: Rules, rows: Rows, caller: CallerId, requests: readonly Request[]): Promise<void> {
  const fault = await walk(stores, { rules, rows, caller }, requests)
  if (fault !== null) expect.fail(`${String(caller)}: ${JSON.stringify(fault.request)}\n${fault.problem}`)
}

test('the result of a read does not depend on rows that the caller cannot see', async () => {
  exemptFromDescription('requests', 'The filters of JSON queries are texts where lists and numbers are described.')
  const requests = fc.array(anyRead, { minLength: 25, maxLength: 25 })
  const property = fc.asyncProperty(anyPolicies, anyRows, anyCaller, requests, expectNoFault)
  await fc.assert(property, { numRuns: tries('WALK_READS'), endOnFailure: true })
})

test('the result of a write does not depend on rows that the caller cannot see, and it changes no row that the caller may not change', async () => {
  const requests = fc.array(anyChange, { minLength: 8, maxLength: 8 })
  const property = fc.asyncProperty(anyPolicies, anyRows, anyCaller, requests, expectNoFault)
  await fc.assert(property, { numRuns: tries('WALK_WRITES'), endOnFailure: true })
})

test('a request has the same result by itself, in a batch, and in process', async () => {
  exemptFromDescription('requests', 'The filters of JSON queries are texts where lists and numbers are described.')
  const reads = fc.array(anyRead, { minLength: 5, maxLength: 5 })
  const writes = fc.array(anyWrite, { minLength: 4, maxLength: 4 })
  const property = fc.asyncProperty(
    fc.record({ rules: anyPolicies, rows: anyRows, caller: anyCaller }),
    fc.record({ reads, writes, byHref: fc.boolean() }),
    async (world, sent) => {
      const fault =
        (await differentRead(stores.full, world, sent.reads)) ??
        (await differentWrite(stores.full, world, sent.writes, sent.byHref))
      if (fault !== null) expect.fail(`${String(world.caller)}: ${JSON.stringify(fault.request)}\n${fault.problem}`)
    },
  )
  await fc.assert(property, { numRuns: Number(env['WALK_WRITES'] ?? runs(30)), endOnFailure: true })
})
