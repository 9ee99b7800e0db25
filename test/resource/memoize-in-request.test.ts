import { expect, test } from 'vitest'
import { OperationContext, resultKey } from '../../src/declare/resource/request/memoize-in-request.js'
import type { RequestContext } from '../../src/declare/resource/request/request-context.js'

const sentBy = (caller: object | null) => ({ server: 'default', caller, request: null })
const contextOf = (caller: object | null): RequestContext =>
  new OperationContext('albums', 'FetchResource', sentBy(caller))

test('a result is stored under its key, for its request', () => {
  const [number, nothing] = [resultKey<number>(), resultKey<null>()]
  const [one, other] = [contextOf({ id: 1 }), contextOf({ id: 2 })]
  expect(OperationContext.resultIn(one, number)).toBeUndefined()
  expect(OperationContext.storeIn(one, number, 7)).toBe(7)
  expect(OperationContext.storeIn(one, nothing, null)).toBeNull()
  expect([OperationContext.resultIn(one, number), OperationContext.resultIn(one, nothing)]).toEqual([7, null])
  expect(OperationContext.resultIn(other, number)).toBeUndefined()
})

test('a copy of a context has no results, and no reference to its caller', () => {
  const key = resultKey<object>()
  const context = contextOf({ id: 1 })
  OperationContext.storeIn(context, key, { id: 1 })
  const copy: RequestContext = { ...context, caller: null }
  expect(Reflect.ownKeys(copy)).toEqual(['server', 'type', 'operation', 'caller', 'request'])
  expect(OperationContext.resultIn(copy, key)).toBeUndefined()
  OperationContext.storeIn(copy, key, { id: 2 })
  expect([OperationContext.resultIn(context, key), OperationContext.resultIn(copy, key)]).toEqual([
    { id: 1 },
    { id: 2 },
  ])
})

test('the context of an application has results too, also if it is frozen', () => {
  const key = resultKey<number>()
  const context = Object.freeze<RequestContext>({ ...sentBy(null), type: 'albums', operation: 'FetchResource' })
  OperationContext.storeIn(context, key, 1)
  expect(OperationContext.resultIn(context, key)).toBe(1)
})
