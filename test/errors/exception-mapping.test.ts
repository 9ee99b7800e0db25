import { describe, expect, test, vi } from 'vitest'
import { errorReply } from '../../src/core/errors/error-reply.js'
import { compileErrorSettings } from '../../src/core/errors/error-settings.js'
import type { ExceptionMap, ExceptionMapper, MappedException } from '../../src/core/errors/exception-mapping.js'
import { HttpError } from '../../src/core/errors/http-error.js'
import { fail, JsonApiError, problem } from '../../src/core/errors/json-api-error.js'

class CatalogueError extends Error {}
class AlbumWithdrawn extends CatalogueError {}
class AlbumRecalled extends AlbumWithdrawn {}

const mapperWith = (status: number, priority?: number): ExceptionMapper => ({
  priority,
  map: () => new HttpError(status),
})
const generic = { status: 500, errors: [{ status: '500', title: 'Internal Server Error' }], headers: [] }

describe('4. the exception map', () => {
  const general = { error: CatalogueError, status: 400 }
  const special = { error: AlbumWithdrawn, status: 409 }

  test('converts an exception of the class to the status with its title, and no code', () => {
    const thrown = new CatalogueError('Row 7 is broken.')
    const settings = { exceptionMap: [general] }
    expect(errorReply(thrown, compileErrorSettings(settings)).errors).toEqual([
      { status: '400', title: 'Bad Request', detail: '' },
    ])
    expect(errorReply(thrown, compileErrorSettings({ ...settings, debug: true })).errors).toEqual([
      { status: '400', title: 'Bad Request', detail: 'Row 7 is broken.' },
    ])
  })

  test.each<[string, ExceptionMap]>([
    ['objects, the general one first', [general, special]],
    ['objects, the general one last', [special, general]],
    [
      'pairs',
      [
        [CatalogueError, 400],
        [AlbumWithdrawn, 409],
      ],
    ],
    [
      'a Map',
      new Map<typeof CatalogueError, number>([
        [CatalogueError, 400],
        [AlbumWithdrawn, 409],
      ]),
    ],
  ])('given as %s lets the most derived class win', (_form, exceptionMap) => {
    const settings = compileErrorSettings({ exceptionMap })
    expect(errorReply(new CatalogueError(), settings).status).toBe(400)
    expect(errorReply(new AlbumWithdrawn(), settings).status).toBe(409)
    expect(errorReply(new AlbumRecalled(), settings).status).toBe(409)
    expect(errorReply(new Error('x'), settings).status).toBe(500)
  })

  test('never applies to errors of the service', () => {
    const settings = compileErrorSettings({
      exceptionMap: [
        [JsonApiError, 418],
        [Error, 418],
      ],
    })
    expect(errorReply(new JsonApiError([problem('RESOURCE_NOT_FOUND')]), settings).status).toBe(404)
  })

  test('is refused if it has holes, or values that cannot be rendered', () => {
    class Nameless extends Error {
      static override readonly name = Symbol('name') as never
    }
    // oxlint-disable-next-line no-sparse-arrays -- a hole is the point
    const settings = { exceptionMap: [[Nameless, Object.create(null)]], mappers: [,] } as never
    expect(() => compileErrorSettings(settings)).toThrow(
      [
        'exceptionMap: the exception map gives a class a status that is not a number; give one from 400 to 599.',
        "mappers: the exception mapper 0 has no function 'map'; give one with a function 'map'.",
      ].join('\n'),
    )
    // oxlint-disable-next-line no-sparse-arrays -- a hole is the point
    expect(() => compileErrorSettings({ exceptionMap: [,] } as never)).toThrow('is not a list of classes and statuses')
  })

  test('is refused immediately with every fault named', () => {
    const exceptionMap = [
      [CatalogueError, 200],
      [AlbumWithdrawn, 409],
      [AlbumWithdrawn, 410],
      ['Error', 400],
    ]
    const mappers = [{}, { priority: Number.NaN, map: () => null }]
    expect(() => compileErrorSettings({ exceptionMap, mappers } as never)).toThrow(
      [
        'exceptionMap: the exception map gives CatalogueError the status 200; give one from 400 to 599.',
        'exceptionMap: the exception map names AlbumWithdrawn twice; keep one of the two.',
        'exceptionMap: the exception map has an entry without a class; give the class itself, not its name.',
        "mappers: the exception mapper 0 has no function 'map'; give one with a function 'map'.",
        'mappers: the priority of exception mapper 1 is not a number; give a number, or leave it out.',
      ].join('\n'),
    )
  })
})

describe('5. exception mappers', () => {
  test('are called in descending priority, 0 by default, in list order among equals', () => {
    const calls: number[] = []
    const recording = (name: number, priority?: number): ExceptionMapper => ({
      priority,
      map: () => {
        calls.push(name)
        return null
      },
    })
    const mappers = [recording(1), recording(2, -5), recording(3, 10), recording(4, 0), recording(5, 10), recording(6)]
    expect(errorReply(new Error('x'), compileErrorSettings({ mappers }))).toEqual(generic)
    expect(calls).toEqual([3, 5, 1, 4, 6, 2])
  })

  test('the first result wins, and later mappers are not called', () => {
    const later = vi.fn<() => null>(() => null)
    const settings = compileErrorSettings({ mappers: [mapperWith(409, 1), { map: later }] })
    expect(errorReply(new Error('x'), settings).status).toBe(409)
    expect(later).not.toHaveBeenCalled()
  })

  test('the configured map acts as a mapper of priority -1000', () => {
    const exceptionMap: ExceptionMap = [[Error, 400]]
    const status = (priority: number) =>
      errorReply(new Error('x'), compileErrorSettings({ exceptionMap, mappers: [mapperWith(409, priority)] })).status
    expect([status(0), status(-999), status(-1001)]).toEqual([409, 409, 400])
  })

  test('the list of settings may change afterwards without effect', () => {
    const mappers = [mapperWith(409)]
    const settings = compileErrorSettings({ mappers })
    mappers.unshift(mapperWith(410))
    expect(errorReply(new Error('x'), settings).status).toBe(409)
  })

  test('get the throwable and the request', () => {
    const map = vi.fn<ExceptionMapper['map']>(() => null)
    const request = { method: 'GET' } as never
    errorReply('thrown', compileErrorSettings({ mappers: [{ map }] }), { request })
    errorReply('thrown', compileErrorSettings({ mappers: [{ map }] }))
    expect(map.mock.calls).toEqual([
      ['thrown', { request }],
      ['thrown', { request: null }],
    ])
  })

  test('have their own `this`', () => {
    class Mapper implements ExceptionMapper {
      readonly status = 409
      map(): HttpError {
        return new HttpError(this.status)
      }
    }
    expect(errorReply(new Error('x'), compileErrorSettings({ mappers: [new Mapper()] })).status).toBe(409)
  })

  test('may return an error of the service', () => {
    const mappers = [{ map: () => new JsonApiError([problem('RESOURCE_IN_USE')]) }]
    expect(errorReply(new Error('x'), compileErrorSettings({ mappers }))).toMatchObject({
      status: 409,
      errors: [{ code: 'RESOURCE_IN_USE' }],
    })
  })

  test('may return complete error objects, whose empty members are left out', () => {
    const errors = [
      { status: '409', code: 'SOLD_OUT', title: '', detail: 'Gone.', meta: {}, links: { about: '/docs' } },
    ]
    const mappers = [{ map: () => ({ status: 409, errors, headers: ['Retry-After', '60'] }) }]
    expect(errorReply(new Error('x'), compileErrorSettings({ mappers }))).toEqual({
      status: 409,
      errors: [{ status: '409', code: 'SOLD_OUT', detail: 'Gone.', links: { about: '/docs' } }],
      headers: ['Retry-After', '60'],
    })
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const one = [{ status: '409' }]
  test.each<[string, unknown]>([
    ['a result without errors', { status: 409, errors: [], headers: [] }],
    ['a result with a status that is no error', { status: 200, errors: one, headers: [] }],
    ['an error object without a status', { status: 409, errors: [{ title: 'x' }], headers: [] }],
    ['meta with a cycle', { status: 409, errors: [{ status: '409', meta: cycle }], headers: [] }],
    ['meta with a bigint', { status: 409, errors: [{ status: '409', meta: { n: 1n } }], headers: [] }],
    ['a code that is no string', { status: 409, errors: [{ status: '409', code: 23_505 }], headers: [] }],
    ['half a header', { status: 409, errors: one, headers: ['Retry-After'] }],
    ['a header that smuggles a line', { status: 409, errors: one, headers: ['X-A', 'b\r\nX-C: d'] }],
    ['a header with an impossible name', { status: 409, errors: one, headers: ['X A', 'b'] }],
    ['a promise', async () => Promise.reject(new Error('too late'))],
    ['something else', 'no'],
  ])('that return %s are unexpected', (_what, response) => {
    const logger = { error: vi.fn<(members: object, message: string) => void>() }
    const original = new Error('x')
    const map = (typeof response === 'function' ? response : () => response) as () => MappedException
    const mappers = [{ map }]
    expect(errorReply(original, compileErrorSettings({ mappers, logger }))).toEqual(generic)
    expect(logger.error).toHaveBeenCalledExactlyOnceWith({ err: expect.any(TypeError), original }, expect.any(String))
  })

  test.each<[string, () => never]>([
    [
      'an exception',
      () => {
        throw new RangeError('mapper broke')
      },
    ],
    ['even an error of the service', () => fail('RESOURCE_IN_USE')],
  ])('that throw %s give the generic 500, and both exceptions are logged', (_what, map) => {
    const logger = { error: vi.fn<(members: object, message: string) => void>() }
    const original = new Error('x')
    const settings = compileErrorSettings({ mappers: [{ map }, mapperWith(409)], exceptionMap: [[Error, 400]], logger })
    expect(errorReply(original, settings)).toEqual(generic)
    expect(logger.error).toHaveBeenCalledExactlyOnceWith({ err: expect.any(Error), original }, expect.any(String))
  })

  test('that throw show their error in debug mode', () => {
    const mappers: ExceptionMapper[] = [
      {
        map: () => {
          throw new RangeError('mapper broke')
        },
      },
    ]
    expect(errorReply(new Error('x'), compileErrorSettings({ mappers, debug: true })).errors[0]).toMatchObject({
      detail: 'mapper broke',
      meta: { exception: 'RangeError' },
    })
  })
})
