import { expect, test } from 'vitest'
import { memoizeInRequest, OperationContext } from '../../src/resource/memoize-in-request.js'
import type { RequestContext } from '../../src/resource/request-context.js'

const sentBy = (caller: object | null) => ({ server: 'default', caller, request: null })
const contextOf = (caller: object | null): RequestContext =>
  new OperationContext('albums', 'FetchResource', sentBy(caller))

test('a function runs once for each request', () => {
  const calls: unknown[] = []
  const callerOf = memoizeInRequest(({ caller }) => calls.push(caller))
  const [one, other] = [contextOf({ id: 1 }), contextOf({ id: 2 })]
  expect([callerOf(one), callerOf(one), callerOf(other), callerOf(one)]).toEqual([1, 1, 2, 1])
  expect(calls).toEqual([{ id: 1 }, { id: 2 }])
})

test('a copy of a context has no memoized results, and no reference to its caller', () => {
  const callerOf = memoizeInRequest(({ caller }) => caller as object | null)
  const context = contextOf({ id: 1 })
  callerOf(context)
  const copy: RequestContext = { ...context, caller: null }
  expect(Reflect.ownKeys(copy)).toEqual(['server', 'type', 'operation', 'caller', 'request'])
  expect(callerOf(copy)).toBeNull()
  expect(callerOf(context)).toEqual({ id: 1 })
})

test('the context of an application has memoized results too, also if it is frozen', () => {
  let count = 0
  const counted = memoizeInRequest(() => (count += 1))
  const context = Object.freeze<RequestContext>({ ...sentBy(null), type: 'albums', operation: 'FetchResource' })
  expect([counted(context), counted(context)]).toEqual([1, 1])
})
