import { expect, test } from 'vitest'
import { errorReply } from '../../src/core/errors/error-reply.js'
import { compileErrorSettings } from '../../src/core/errors/error-settings.js'
import { HttpError } from '../../src/core/errors/http-error.js'
import { JsonApiError, problem } from '../../src/core/errors/json-api-error.js'
import { isStoreConflict, storeConflict } from '../../src/declare/resource/capabilities/store-conflict.js'

/** A module loaded once more, as a second copy of the package in the process would have it. */
async function secondCopy(file: string, folder = 'core/errors'): Promise<Record<string, never>> {
  return import(/* @vite-ignore */ new URL(`../../src/${folder}/${file}.ts?copy`, import.meta.url).href)
}

const settings = compileErrorSettings({ exceptionMap: [[RangeError, 409]] })

test('an HttpError of another copy of the package keeps its status and headers', async () => {
  const { HttpError: Other } = (await secondCopy('http-error')) as unknown as { HttpError: typeof HttpError }
  const thrown = new Other(401, 'secret', { headers: ['WWW-Authenticate', 'Bearer'] })
  expect(thrown).not.toBeInstanceOf(HttpError)
  expect(HttpError.is(thrown)).toBe(true)
  expect(JsonApiError.is(thrown)).toBe(false)
  expect(errorReply(thrown, settings)).toEqual({
    status: 401,
    errors: [{ status: '401', title: 'Unauthorized', detail: '' }],
    headers: ['WWW-Authenticate', 'Bearer'],
  })
})

test('an error of the catalogue that another copy of the package threw keeps its codes and sources', async () => {
  const other = (await secondCopy('json-api-error')) as unknown as { JsonApiError: typeof JsonApiError }
  const thrown = new other.JsonApiError([
    problem('CURSOR_STALE', { parameter: 'page[after]' }, { source: { parameter: 'page[after]' } }),
  ])
  expect(thrown).not.toBeInstanceOf(JsonApiError)
  expect(JsonApiError.is(thrown)).toBe(true)
  expect(errorReply(thrown, settings)).toMatchObject({
    status: 400,
    errors: [{ code: 'CURSOR_STALE', source: { parameter: 'page[after]' } }],
  })
})

test('a conflict of a store that another copy of the package made is one, and nothing else is', async () => {
  const other = (await secondCopy('store-conflict', 'declare/resource/capabilities')) as unknown as {
    storeConflict: typeof storeConflict
  }
  expect(other.storeConflict).not.toBe(storeConflict)
  expect(isStoreConflict(other.storeConflict({ kind: 'inUse', type: 'albums' }))).toBe(true)
  for (const thrown of [new Error('x'), new HttpError(409), { conflicts: [] }, null, 'x']) {
    expect(isStoreConflict(thrown)).toBe(false)
  }
})

test('the result of a mapper may come from another copy too', async () => {
  const { HttpError: Other } = (await secondCopy('http-error')) as unknown as { HttpError: typeof HttpError }
  const mappers = [{ map: () => new Other(423) }]
  expect(errorReply(new Error('x'), compileErrorSettings({ mappers })).status).toBe(423)
})

test('the mark of an error is not enumerable', () => {
  const error = new HttpError(404)
  expect(Reflect.ownKeys(error).filter((key) => Object.prototype.propertyIsEnumerable.call(error, key))).toEqual([
    'name',
    'status',
    'headers',
  ])
})
