import { describe, expect, test, vi } from 'vitest'
import { errorReply } from '../../src/core/errors/error-reply.js'
import { compileErrorSettings } from '../../src/core/errors/error-settings.js'
import { HttpError } from '../../src/core/errors/http-error.js'
import { JsonApiError, problem } from '../../src/core/errors/json-api-error.js'

const quiet = compileErrorSettings()
const record = () => ({ error: vi.fn<(members: object, message: string) => void>() })
const debug = compileErrorSettings({ debug: true })

describe('the error object', () => {
  test('has status (a string), code, title, detail, source and meta, in that order', () => {
    const source = { pointer: '/data/attributes/title' }
    const error = new JsonApiError([
      problem('VALIDATION_FAILED', { message: 'Too long.' }, { source, meta: { max: 200 } }),
    ])
    expect(JSON.stringify(errorReply(error, quiet).errors)).toBe(
      '[{"status":"422","code":"VALIDATION_FAILED","title":"Unprocessable Entity","detail":"Too long.",' +
        '"source":{"pointer":"/data/attributes/title"},"meta":{"max":200}}]',
    )
  })

  test('leaves out empty members, but not a pointer to the whole document', () => {
    const empty = new JsonApiError([
      problem('VALIDATION_FAILED', { message: '' }, { source: { pointer: '' }, meta: {} }),
    ])
    expect(errorReply(empty, quiet).errors).toEqual([
      { status: '422', code: 'VALIDATION_FAILED', title: 'Unprocessable Entity', source: { pointer: '' } },
    ])
  })
})

describe('2. precedence', () => {
  const everything = compileErrorSettings({
    mappers: [{ priority: 1e9, map: () => new HttpError(418) }],
    exceptionMap: [[Error, 409]],
  })

  test('an error of the service renders natively and is never overridden by mappers or the map', () => {
    const error = new JsonApiError([problem('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' })], {
      headers: ['X-A', 'b'],
    })
    expect(errorReply(error, everything)).toEqual({
      status: 404,
      headers: ['X-A', 'b'],
      errors: [
        {
          status: '404',
          code: 'RELATIONSHIP_NOT_EXISTS',
          title: 'Relationship does not exist',
          detail: "The relationship 'tracks' does not exist on this resource.",
        },
      ],
    })
  })

  test('mappers come before the handling of HTTP errors', () => {
    expect(errorReply(new HttpError(404), everything).status).toBe(418)
  })

  test('the exception map comes before the handling of HTTP errors', () => {
    expect(errorReply(new HttpError(404), compileErrorSettings({ exceptionMap: [[HttpError, 410]] })).status).toBe(410)
  })

  test('HTTP errors come before the generic 500, which takes the rest', () => {
    expect(errorReply(new HttpError(404), quiet).status).toBe(404)
    expect(errorReply(new Error('x'), quiet).status).toBe(500)
  })
})

describe('3. an HTTP error', () => {
  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
    [406, 'Not Acceptable'],
    [409, 'Conflict'],
    [415, 'Unsupported Media Type'],
    [422, 'Unprocessable Entity'],
    [500, 'Server Error'],
    [503, 'Server Error'],
    [418, 'Error'],
    [429, 'Error'],
  ])('of status %i has the title %s, and outside debug mode the literal detail ""', (status, title) => {
    const { errors, ...reply } = errorReply(new HttpError(status, 'A secret.'), quiet)
    expect(reply).toEqual({ status, headers: [] })
    expect(JSON.stringify(errors)).toBe(`[{"status":"${status}","title":"${title}","detail":""}]`)
  })

  test('has its message as detail in debug mode', () => {
    expect(errorReply(new HttpError(401, 'The token has expired.'), debug).errors).toEqual([
      { status: '401', title: 'Unauthorized', detail: 'The token has expired.' },
    ])
    expect(errorReply(new HttpError(401), debug).errors).toEqual([{ status: '401', title: 'Unauthorized', detail: '' }])
  })

  test('sends its response headers', () => {
    const error = new HttpError(405, '', { headers: ['Allow', 'GET, POST'] })
    expect(errorReply(error, quiet).headers).toEqual(['Allow', 'GET, POST'])
  })

  test.each([200, 302, 99, 600, 404.5, Number.NaN])('of the invalid status %d is unexpected', (status) => {
    const logger = record()
    expect(errorReply(new HttpError(status, 'x'), compileErrorSettings({ logger })).status).toBe(500)
    expect(logger.error).toHaveBeenCalledOnce()
  })
})

describe('6. the generic 500', () => {
  test('outside debug mode has the status 500 and the title Internal Server Error, and nothing else', () => {
    const thrown = Object.assign(new Error('password=hunter2'), { code: 'E_SECRET' })
    expect(JSON.stringify(errorReply(thrown, quiet))).toBe(
      '{"status":500,"errors":[{"status":"500","title":"Internal Server Error"}],"headers":[]}',
    )
  })

  test('in debug mode has the message, the code of the exception, and meta with exception, file, line and trace', () => {
    class StoreOffline extends Error {
      readonly code = 57
    }
    const [error] = errorReply(new StoreOffline('The store is offline.'), debug).errors
    expect(error).toMatchObject({
      status: '500',
      code: '57',
      title: 'Internal Server Error',
      detail: 'The store is offline.',
      meta: {
        exception: 'StoreOffline',
        file: expect.stringContaining('error-reply.test.ts'),
        line: expect.any(Number),
      },
    })
    const trace = error?.meta?.['trace'] as readonly object[]
    expect(trace.length).toBeGreaterThan(0)
    for (const frame of trace) expect(Object.keys(frame)).toEqual(['function', 'file', 'line'])
  })

  test.each([0, '', undefined, {}, Number.NaN])('in debug mode has no code if that of the exception is %j', (code) => {
    expect(errorReply(Object.assign(new Error('x'), { code }), debug).errors[0]).not.toHaveProperty('code')
  })

  test('does not take lines of the message for frames of the trace', () => {
    const thrown = new Error('failed\n    at secret (/etc/passwd:1:1)')
    const [error] = errorReply(thrown, debug).errors
    expect(JSON.stringify(error?.meta)).not.toContain('/etc/passwd')
  })

  test('reads every form of a frame', () => {
    const thrown = new Error('x')
    thrown.stack = `Error: x
    at /srv/app/anonymous.js:1:2
    at async Album.load [as read] (file:///srv/app (new)/album.js:30:4)
    at Array.map (<anonymous>)`
    expect(errorReply(thrown, debug).errors[0]?.meta).toEqual({
      exception: 'Error',
      file: '/srv/app/anonymous.js',
      line: 1,
      trace: [
        { function: null, file: '/srv/app/anonymous.js', line: 1 },
        { function: 'async Album.load [as read]', file: 'file:///srv/app (new)/album.js', line: 30 },
        { function: 'Array.map', file: null, line: null },
      ],
    })
  })
})

describe('7. logging', () => {
  test('the generic 500 is logged once, with the exception attached', () => {
    const logger = record()
    const exception = new Error('boom')
    errorReply(exception, compileErrorSettings({ logger }))
    expect(logger.error.mock.calls).toEqual([[{ err: exception }, 'boom']])
    const [entry] = logger.error.mock.calls[0] ?? []
    expect(entry).toHaveProperty('exception', exception)
    expect(Object.keys(entry as object)).toEqual(['err'])
  })

  test('an exception without a message is logged under its class', () => {
    const logger = record()
    errorReply(new RangeError(), compileErrorSettings({ logger }))
    expect(logger.error.mock.calls[0]?.[1]).toBe('RangeError')
  })

  test('nothing else is logged: errors of the service (500 too), HTTP errors, mapped exceptions', () => {
    const logger = record()
    const settings = compileErrorSettings({ logger, exceptionMap: [[RangeError, 500]] })
    errorReply(new JsonApiError([problem('APPLICATION_ERROR')]), settings)
    errorReply(new HttpError(503), settings)
    errorReply(new RangeError('x'), settings)
    expect(logger.error).not.toHaveBeenCalled()
  })

  test('a missing, throwing or rejecting logger does not affect the response', () => {
    const expected = errorReply(new Error('x'), quiet)
    const throwing = {
      error: () => {
        throw new Error('disk full')
      },
    }
    const rejecting = { error: () => Promise.reject(new Error('disk full')) }
    for (const logger of [null, undefined, throwing, rejecting]) {
      expect(errorReply(new Error('x'), compileErrorSettings({ logger }))).toEqual(expected)
    }
  })
})

describe('9. the code member', () => {
  test('is on errors of the service only', () => {
    const settings = compileErrorSettings({ exceptionMap: [[RangeError, 409]] })
    expect(errorReply(new JsonApiError([problem('RESOURCE_NOT_FOUND')]), settings).errors[0]).toHaveProperty('code')
    for (const thrown of [new HttpError(404), new RangeError('x'), new Error('x')]) {
      const [error] = errorReply(thrown, settings).errors
      expect(error).toHaveProperty('title')
      expect(error).not.toHaveProperty('code')
    }
  })
})
