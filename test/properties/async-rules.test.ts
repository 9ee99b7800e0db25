import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { violationsOf } from '../../src/serve/validation/constraint-violations.js'
import type { RuleContext } from '../../src/serve/validation/validation.js'
import { schemaValidator } from '../../src/serve/validation/schema-validator.js'
import { sentence } from '../../src/core/errors/sentence.js'
import type { Violation } from '../../src/serve/validation/violation.js'
import { attributeOf } from '../../src/declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../src/declare/resource/fields/constraint.js'
import { listKind } from '../../src/declare/resource/fields/value-kind.js'
import type { RequestContext } from '../../src/declare/resource/request/request-context.js'
import { rounds } from '../support/runs.js'

/** A rule by its result: a leaf finds as many faults as it declares, whenever it is called. */
type Rule =
  | {
      readonly kind: 'leaf'
      readonly id: number
      readonly faults: number
      readonly timing: 'now' | 'later' | 'throws'
    }
  | { readonly kind: 'custom'; readonly id: number; readonly faults: number }
  | { readonly kind: 'each' | 'sequentially' | 'atLeastOneOf'; readonly rules: readonly Rule[] }
  | { readonly kind: 'when'; readonly holds: boolean; readonly rules: readonly Rule[] }

const id = fc.nat(99)
const leaf = fc.record({
  kind: fc.constant('leaf' as const),
  id,
  faults: fc.constantFrom(0, 0, 0, 1, 3),
  timing: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('now' as const, 'later' as const) },
    { weight: 1, arbitrary: fc.constant('throws' as const) },
  ),
})
const custom = fc.record({ kind: fc.constant('custom' as const), id, faults: fc.constantFrom(0, 0, 1) })

const { rules } = fc.letrec<{ rule: Rule; rules: readonly Rule[] }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    custom,
    fc.record({ kind: fc.constantFrom('each', 'sequentially', 'atLeastOneOf'), rules: tie('rules') }),
    fc.record({ kind: fc.constant('when'), holds: fc.boolean(), rules: tie('rules') }),
  ),
  rules: fc.array(tie('rule'), { maxLength: 4 }),
}))

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, fc.constantFrom('a', 'b'), fc.array(tie('value'), { maxLength: 3 })),
})).value

/** The rule as it is declared; `calls` records which rule is called with which value. */
function declared(rule: Rule, calls: string[]): Constraint {
  const all = (some: readonly Rule[]): readonly Constraint[] => some.map((each) => declared(each, calls))
  switch (rule.kind) {
    case 'leaf': {
      const validate = (value: unknown) => {
        calls.push(`${rule.id} about ${JSON.stringify(value)}`)
        if (rule.timing === 'throws') throw new Error(`thrown by ${rule.id}`)
        const issues = Array.from({ length: rule.faults }, (_, index) => ({ message: `${rule.id}, ${index}` }))
        const result = issues.length === 0 ? { value } : { issues }
        return rule.timing === 'later' ? Promise.resolve(result) : result
      }
      return { kind: 'standard', on: 'always', validator: { '~standard': { version: 1, vendor: 'music', validate } } }
    }
    case 'custom': {
      const judge = (value: unknown): string | null => {
        calls.push(`${rule.id} about ${JSON.stringify(value)}`)
        return rule.faults === 0 ? null : `${rule.id}, 0`
      }
      return { kind: 'custom', on: 'always', name: 'mine', schema: null, test: judge }
    }
    case 'atLeastOneOf':
      return { kind: 'atLeastOneOf', on: 'always', alternatives: all(rule.rules) }
    case 'when':
      return { kind: 'when', on: 'always', condition: () => rule.holds, constraints: all(rule.rules) }
    default:
      return { kind: rule.kind, on: 'always', constraints: all(rule.rules) }
  }
}

interface Plain {
  readonly calls: string[]
  readonly limit: number
}

/** The plain version: every rule is awaited before the next is called. */
async function plainly(rule: Rule, value: unknown, plain: Plain): Promise<readonly Violation[]> {
  const { calls, limit } = plain
  switch (rule.kind) {
    case 'leaf':
    case 'custom': {
      calls.push(`${rule.id} about ${JSON.stringify(value)}`)
      if (rule.kind === 'leaf' && rule.timing === 'throws') throw new Error(`thrown by ${rule.id}`)
      const found = Array.from({ length: rule.faults }, (_, index) => ({ path: [], message: `${rule.id}, ${index}` }))
      return found.slice(0, limit)
    }
    case 'when':
      return rule.holds ? plainlyAll(rule.rules, value, plain) : []
    case 'each': {
      const found: Violation[] = []
      for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
        if (found.length >= limit) break
        for (const { path, message } of await plainlyAll(rule.rules, item, plain)) {
          found.push({ path: [String(index), ...path], message })
        }
      }
      return found
    }
    case 'sequentially':
      for (const each of rule.rules) {
        const found = await plainly(each, value, plain)
        if (found.length > 0) return found
      }
      return []
    case 'atLeastOneOf':
      for (const each of rule.rules) if ((await plainly(each, value, plain)).length === 0) return []
      return [{ path: [], message: sentence('anyForm') }]
  }
}

async function plainlyAll(some: readonly Rule[], value: unknown, plain: Plain): Promise<readonly Violation[]> {
  const found: Violation[] = []
  for (const rule of some) {
    if (found.length >= plain.limit) break
    found.push(...(await plainly(rule, value, plain)))
  }
  return found
}

/** The outcome, also if it is an error. */
async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (thrown) {
    return String(thrown)
  }
}

const isAsynchronous = (rule: Rule): boolean =>
  'rules' in rule ? rule.rules.some(isAsynchronous) : rule.kind === 'leaf' && rule.timing === 'later'

test('rules find the same violations in the same order, whether they are synchronous or not', async () => {
  const schemas = schemaValidator({ isSound: true })
  const seen = { now: 0, later: 0, thrown: 0 }
  await fc.assert(
    fc.asyncProperty(rules, values, fc.integer({ min: 1, max: 6 }), async (some, value, limit) => {
      const [calls, plainCalls]: [string[], string[]] = [[], []]
      const context: RequestContext = {
        server: 'default',
        type: 'albums',
        operation: 'CreateResource',
        caller: null,
        request: null,
      }
      const spec = attributeOf(listKind).spec
      const judging: RuleContext = { mode: 'create', context, schemas, limit, spec, sibling: () => undefined }
      const constraints = some.map((rule) => declared(rule, calls))
      let isPromise = false
      const found = await outcome(() => {
        const response = violationsOf(constraints, value, judging)
        isPromise = response instanceof Promise
        return response
      })
      const expected = await outcome(() => plainlyAll(some, value, { calls: plainCalls, limit }))
      expect([found, calls]).toEqual([expected, plainCalls])
      // Nothing is waited for that is known.
      if (!some.some(isAsynchronous)) expect(isPromise).toBe(false)
      seen[typeof found === 'string' ? 'thrown' : isPromise ? 'later' : 'now'] += 1
    }),
    { numRuns: rounds(500, 5000) },
  )
  // All cases occur, or the property proves nothing.
  expect(Math.min(seen.now, seen.later, seen.thrown)).toBeGreaterThan(5)
})
