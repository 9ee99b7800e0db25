import type { ResponseValue, Server } from 'ashlar'
import type { ResultsValue } from '../../src/serve/operation/response-value.js'
import { describe, expectTypeOf, it } from 'vitest'

/** They are never called: they are for the compiler. */
const dispatched = (server: Server<readonly []>, kind: 'DeleteResource' | 'Extension') => ({
  fetch: server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1' }),
  create: server.dispatch({ kind: 'CreateResource', type: 'albums', document: {} }),
  extension: server.dispatch({ kind: 'Extension', extension: 'https://jsonapi.org/ext/atomic', document: {} }),
  either: server.dispatch(
    kind === 'Extension'
      ? { kind, extension: 'https://jsonapi.org/ext/atomic', document: {} }
      : { kind, type: 'albums', id: '1' },
  ),
})
type Dispatched = ReturnType<typeof dispatched>

describe('the result of a dispatched operation', () => {
  it('has results if an extension is called', () => {
    expectTypeOf<Dispatched['extension']>().resolves.toEqualTypeOf<ResponseValue | ResultsValue>()
  })

  it('has none if an operation is dispatched', () => {
    expectTypeOf<Dispatched['fetch']>().resolves.toEqualTypeOf<ResponseValue>()
    expectTypeOf<Dispatched['create']>().resolves.toEqualTypeOf<ResponseValue>()
    expectTypeOf<Extract<Awaited<Dispatched['fetch']>, { kind: 'results' }>>().toBeNever()
  })

  it('may have some if the argument may be either', () => {
    expectTypeOf<Dispatched['either']>().resolves.toEqualTypeOf<ResponseValue | ResultsValue>()
  })
})
