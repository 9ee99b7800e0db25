import { anything, assert, property } from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { errorReply } from '../../src/core/errors/error-reply.js'
import { compileErrorSettings } from '../../src/core/errors/error-settings.js'
import { JsonApiError, problem } from '../../src/core/errors/json-api-error.js'

const refuse = (): never => {
  throw new Error('hands off')
}
const traps = new Proxy({}, { get: () => refuse })
const hostile = (target: object): object => new Proxy(target, traps)
const unprintable = 'The thrown value cannot be shown.'
const endless: object = new Proxy({}, { getPrototypeOf: () => endless })

const serviceError = (): JsonApiError => new JsonApiError([problem('RESOURCE_NOT_FOUND')])

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function withThrowingGetters(): Error {
  const getter = { get: refuse }
  return Object.defineProperties(new Error('x'), { stack: getter, message: getter, code: getter })
}

/** The thrown value (made in the test, out of reach of the reporter), and the class and message that debug mode shows. */
const throwables: readonly (readonly [string, () => unknown, string, string])[] = [
  ['a string', () => 'x', 'string', 'x'],
  ['null', () => null, 'null', 'null'],
  ['undefined', () => undefined, 'undefined', 'undefined'],
  ['a number', () => 42, 'number', '42'],
  ['a bigint', () => 42n, 'bigint', '42'],
  ['a symbol', () => Symbol('s'), 'symbol', 'Symbol(s)'],
  ['a function', () => refuse, 'function', expect.any(String)],
  ['a plain object', () => ({ reason: 1 }), 'Object', '[object Object]'],
  ['an object with a message', () => ({ message: 'like an error' }), 'Object', 'like an error'],
  ['an object without a prototype', () => Object.create(null), 'Object', unprintable],
  ['an object whose toString throws', () => ({ toString: refuse }), 'Object', unprintable],
  ['an object whose toString gives an object', () => ({ toString: () => ({}) }), 'Object', unprintable],
  [
    'an error with an object as message',
    () => Object.assign(new Error('x'), { message: {} }),
    'Error',
    expect.any(String),
  ],
  ['a proxy whose every trap throws', () => hostile({}), 'Object', unprintable],
  ['a proxy around an error', () => hostile(new Error('x')), 'Object', unprintable],
  ['a proxy around an error of the service', () => hostile(serviceError()), 'Object', unprintable],
  ['a revoked proxy', revoked, 'Object', unprintable],
  ['a proxy whose prototypes never end', () => endless, 'Object', '[object Object]'],
  ['an error with throwing getters', withThrowingGetters, 'Error', unprintable],
]

const mark = Symbol.for('ashlar.error')
const pretending = (kind: string, members: object = {}): object =>
  Object.defineProperty({ ...members }, mark, { value: kind })
const found = [{ code: 'RESOURCE_NOT_FOUND', context: {} }]

/** Values that look like an error of the service, and are none. */
const pretenders: readonly (readonly [string, () => unknown])[] = [
  ['with nothing else', () => pretending('json-api')],
  ['with a status that is no error', () => pretending('http', { status: 200, headers: [] })],
  ['with an unknown code', () => pretending('json-api', { status: 404, headers: [], problems: [{ code: 'X' }] })],
  [
    'with a code of every object',
    () => pretending('json-api', { status: 404, headers: [], problems: [{ code: 'constructor' }] }),
  ],
  ['with headers that throw', () => pretending('json-api', { status: 404, problems: found, headers: hostile([]) })],
  ['with problems that throw', () => pretending('json-api', { status: 404, problems: hostile([]), headers: [] })],
  [
    'with a source that throws',
    () => pretending('json-api', { status: 404, problems: [{ ...found[0], source: hostile({}) }], headers: [] }),
  ],
  ['with a Proxy that has every member', () => new Proxy(pretending('json-api'), { get: () => 'json-api' })],
  ['with a getter as its mark', () => Object.defineProperty({}, mark, { get: refuse })],
]

describe.each(throwables)('%s that is thrown', (_what, make, exception, detail) => {
  test('gives the generic 500 outside debug mode, and is logged as it is', () => {
    const thrown = make()
    const logger = { error: vi.fn<(members: { exception: unknown }, message: string) => void>() }
    const settings = compileErrorSettings({ logger, exceptionMap: [[RangeError, 409]] })
    expect(errorReply(thrown, settings)).toEqual({
      status: 500,
      errors: [{ status: '500', title: 'Internal Server Error' }],
      headers: [],
    })
    expect(logger.error).toHaveBeenCalledOnce()
    expect(Object.is(logger.error.mock.calls[0]?.[0].exception, thrown)).toBe(true)
  })

  test('is described in debug mode', () => {
    const [error] = errorReply(make(), compileErrorSettings({ debug: true })).errors
    expect(error).toMatchObject({ status: '500', title: 'Internal Server Error', detail, meta: { exception } })
    expect(Object.keys(error?.meta ?? {})).toEqual(['exception', 'file', 'line', 'trace'])
  })
})

test.each(pretenders)(
  'an object that pretends to be an error of the service, %s, gives the generic 500',
  (_how, make) => {
    expect(errorReply(make(), compileErrorSettings())).toEqual({
      status: 500,
      errors: [{ status: '500', title: 'Internal Server Error' }],
      headers: [],
    })
  },
)

test('an error of the service whose meta is not JSON becomes the generic 500', () => {
  const cycle: Record<string, never> = {}
  Object.assign(cycle, { cycle })
  const error = new JsonApiError([problem('RESOURCE_NOT_FOUND', {}, { meta: { cycle } })])
  expect(errorReply(error, compileErrorSettings()).status).toBe(500)
})

test('for any thrown value, the response has an error status and valid errors', () => {
  const thrown = anything({
    withBigInt: true,
    withNullPrototype: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
  })
  const settings = [compileErrorSettings(), compileErrorSettings({ debug: true, exceptionMap: [[Array, 400]] })]
  assert(
    property(thrown, (each) => {
      for (const setting of settings) {
        const { status, errors } = errorReply(each, setting)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(JSON.parse(JSON.stringify(errors))).toEqual(errors)
      }
    }),
  )
})
