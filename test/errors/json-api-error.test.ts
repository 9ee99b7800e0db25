import { expect, test } from 'vitest'
import { documentStatus, fail, failAll, JsonApiError, problem } from '../../src/core/errors/json-api-error.js'
import { HttpError } from '../../src/core/errors/http-error.js'

function thrownBy(run: () => never): unknown {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
}

test('fail throws the one error class, with one problem and the built-in English as its message', () => {
  const source = { parameter: 'page[after]' }
  const thrown = thrownBy(() =>
    fail('CURSOR_STALE', { parameter: 'page[after]' }, { source, headers: ['Retry-After', '1'] }),
  )
  expect(thrown).toBeInstanceOf(JsonApiError)
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown).toMatchObject({
    name: 'JsonApiError',
    message: "The cursor in 'page[after]' was issued for another type or sort order. Start again from the first page.",
    status: 400,
    headers: ['Retry-After', '1'],
    problems: [{ code: 'CURSOR_STALE', context: { parameter: 'page[after]' }, source }],
  })
})

test('an error has its cause', () => {
  const cause = new Error('duplicate key')
  expect(thrownBy(() => fail('RESOURCE_IN_USE', {}, { cause }))).toHaveProperty('cause', cause)
  expect(thrownBy(() => fail('RESOURCE_IN_USE'))).not.toHaveProperty('cause')
  expect(new HttpError(503, 'Down.', { cause }).cause).toBe(cause)
})

test('a problem is frozen, with its context, source and meta, and the objects it was made from are not changed', () => {
  const source = { pointer: '/data/id' }
  const meta = { original: '{' }
  const made = problem('RESOURCE_ID_UNDECODABLE', { id: 'x' }, { source, meta })
  for (const part of [made, made.context, made.source, made.meta]) expect(Object.isFrozen(part)).toBe(true)
  expect(Object.isFrozen(source)).toBe(false)
  expect(Object.isFrozen(meta)).toBe(false)
})

test('a problem without source and meta has neither member', () => {
  expect(Object.keys(problem('RESOURCE_NOT_FOUND', {}, { source: undefined, meta: undefined }))).toEqual([
    'code',
    'context',
  ])
})

test('failAll retains every problem in order, and the message is that of the first', () => {
  const problems = [problem('RESOURCE_NOT_FOUND'), problem('VALIDATION_FAILED', { message: 'Too long.' })]
  const thrown = thrownBy(() => failAll(problems))
  expect(thrown).toMatchObject({ problems, message: 'The requested resource does not exist.' })
})

test('an error without problems is an internal error', () => {
  expect(() => failAll([])).toThrow('This is a bug in Ashlar')
})

test.each([
  [[404], 404],
  [[422, 422], 422],
  [[404, 422], 400],
  [[404, 500], 500],
  [[422, 503], 500],
  [[409, 403, 409], 400],
])('1h: errors of statuses %j make a document of status %i', (statuses, status) => {
  expect(documentStatus(statuses)).toBe(status)
})

test('1h: the status of an error follows from its problems', () => {
  const missing = problem('RESOURCE_NOT_FOUND')
  const invalid = problem('VALIDATION_FAILED', { message: 'Too long.' })
  expect(new JsonApiError([invalid, invalid]).status).toBe(422)
  expect(new JsonApiError([missing, invalid]).status).toBe(400)
  expect(new JsonApiError([missing, problem('APPLICATION_ERROR')]).status).toBe(500)
})

test('the class check knows its own instances and subclasses, and nothing that only looks like one', () => {
  class Refined extends HttpError {}
  expect(JsonApiError.is(new JsonApiError([problem('RESOURCE_NOT_FOUND')]))).toBe(true)
  expect(HttpError.is(new Refined(404))).toBe(true)
  expect(JsonApiError.is(new HttpError(404))).toBe(false)
  expect(HttpError.is({ status: 404, message: '', headers: [] })).toBe(false)
  expect(HttpError.is(Object.create(HttpError.prototype))).toBe(false)
  expect(HttpError.is(null)).toBe(false)
})
