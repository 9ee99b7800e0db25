import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiKeys, authenticate, createApiKey, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

const sources = fileURLToPath(new URL('../../src', import.meta.url))

/**
 * Errors that an `HttpError` without a code remains: those of the application and its framework, and those of clients that have
 * disconnected, which no client gets.
 */
const uncoded = [
  'core/errors/exception-mapping.ts',
  'core/errors/stated-error.ts',
  'serve/adapters/lost-body.ts',
  'stores/sql/driver/rethrow-fault.ts',
]

test('the service refuses nothing without a code, so that no response of its own has an empty detail', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
  const found = files.filter((file) => /^(?! *\*).*new HttpError\(/m.test(readFileSync(`${sources}/${file}`, 'utf8')))
  expect(found.toSorted()).toEqual(uncoded)
})

const albums = defineResource('albums', {
  model: model<{ readonly id: number }>('albums'),
  id: id(),
  policy: (p) => ({ viewAny: p.signedIn(), view: true, delete: false }),
})

function serve(required: boolean, debug = false) {
  const { id: key, hash } = createApiKey('music')
  const middleware = [
    authenticate({ challenge: 'Test', required, caller: (request) => request.header('authorization') ?? null }),
    apiKeys({ find: (sought) => (sought === key ? { hash, caller: 'keeper' } : null) }),
  ]
  return client(createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1 }] }), middleware, debug }))
}

const unauthenticated = {
  status: '401',
  code: 'UNAUTHENTICATED',
  title: 'Unauthorized',
  detail: 'This request needs credentials, and has none that the server accepts.',
}
const forbidden = { status: '403', code: 'FORBIDDEN', title: 'Forbidden', detail: 'You are not allowed to do this.' }

test('a refusal names neither the rule nor the row', async () => {
  expect((await serve(true).get('/albums/1')).errors).toEqual([unauthenticated])
  expect((await serve(false).get('/albums')).errors).toEqual([unauthenticated])
  expect((await serve(false).get('/albums', { headers: { 'X-API-Key': 'music_x_y' } })).errors).toEqual([
    unauthenticated,
  ])
  expect((await serve(false).delete('/albums/1', { headers: { Authorization: 'someone' } })).errors).toEqual([
    forbidden,
  ])
})

test('debug mode shows the reason', async () => {
  const reason = "The policy of 'albums' denies 'delete'."
  const { errors } = await serve(false, true).delete('/albums/1', { headers: { Authorization: 'someone' } })
  expect(errors).toEqual([{ ...forbidden, meta: { reason } }])
})
