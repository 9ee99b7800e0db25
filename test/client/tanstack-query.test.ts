import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { CancelledError, MutationObserver, QueryClient } from '@tanstack/query-core'
import { type Client, createClient } from '@ashlar/client'
import { createQueries, type Queries } from '@ashlar/client/tanstack-query'
import { rolldown } from 'rolldown'
import { afterEach, describe, expect, test } from 'vitest'
import { signal } from '../support/signal.js'
import type { RecordApi } from './record-api.js'
import { failure, json, kidA } from './scripted-server.js'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Returns the queries of a client with its own `fetch`. */
const queriesWith = (fetch: Fetch, key?: string): Queries<RecordApi> => {
  const client: Client<RecordApi> = createClient<RecordApi>({
    url: 'https://music.example',
    paths: { albums: 'records', 'albums.tracks': 'songs' },
    atomic: '/batch',
    retry: { attempts: 1 },
    fetch,
  })
  return createQueries(client, key === undefined ? {} : { key })
}

describe('@ashlar/client/tanstack-query', () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  afterEach(() => queryClient.clear())

  /** Sends a write while one album is cached, and returns its error and whether the album is stale then. */
  async function written<Variables>(
    options: {
      readonly mutationFn: (variables: Variables, context: { readonly client: QueryClient }) => Promise<unknown>
    },
    variables: Variables,
  ): Promise<readonly [error: string | null, isStale: boolean | undefined]> {
    const { queryKey } = queriesWith(() => Promise.reject(new Error('unused'))).types.albums.get('1')
    queryClient.setQueryData(queryKey, { status: 200, data: kidA.data as never, meta: {}, links: {}, etag: null })
    const error = await new MutationObserver(queryClient, options).mutate(variables).then(
      () => null,
      (thrown: unknown) => String(thrown),
    )
    return [error, queryClient.getQueryState(queryKey)?.isInvalidated]
  }

  test('aborts the request of a query that is cancelled', async () => {
    const [sent, aborted] = [signal(), signal()]
    const { types } = queriesWith((_url, init) => {
      sent.give()
      return new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => {
          aborted.give()
          reject(init.signal?.reason as Error)
        })
      })
    })
    const options = types.albums.get('1')
    const reading = queryClient.fetchQuery(options).catch((error: unknown) => error)
    await sent.given
    await queryClient.cancelQueries({ queryKey: options.queryKey })
    await aborted.given
    expect(await reading).toBeInstanceOf(CancelledError)
  })

  test('has keys with the setting, the type, the verb, the id and the query', () => {
    const { albums } = queriesWith(() => Promise.reject(new Error('unused')), 'music').types
    expect(albums.key).toEqual(['music', 'albums'])
    expect(albums.get('1', { timeout: 5 }).queryKey).toEqual(['music', 'albums', 'get', '1', {}])
    expect(albums.infinite({ page: { number: 2 } }).queryKey).toEqual([
      'music',
      'albums',
      'infinite',
      { page: { number: 2 } },
    ])
    expect(albums.related('1', 'tracks').queryKey).toEqual(['music', 'albums', 'related', '1', 'tracks', {}])
    expect(albums.update().mutationKey).toEqual(['music', 'albums', 'update'])
    expect(albums.upsert().mutationKey).toEqual(['music', 'albums', 'upsert'])
    expect(albums.add('tracks').mutationKey).toEqual(['music', 'albums', 'add', 'tracks'])
  })

  test('invalidates after a write whose response is lost, since it may have happened', async () => {
    const { albums } = queriesWith(() => Promise.reject(new TypeError('fetch failed'))).types
    expect(await written(albums.update(), { id: '1', attributes: { title: 'x' } })).toEqual([
      'TypeError: fetch failed',
      true,
    ])
  })

  test('reads a resource again that could not be deleted', async () => {
    const { albums } = queriesWith(() => Promise.resolve(failure(412))).types
    expect(await written(albums.delete(), { id: '1', ifMatch: '"0"' })).toEqual([
      'ClientError: The server responded with 412.',
      true,
    ])
  })

  test('invalidates nothing after a write that changes nothing', async () => {
    const succeeding = queriesWith(() => Promise.resolve(json(kidA))).types.albums
    const changes = { id: '1', attributes: { title: 'x' } }
    expect(await written(succeeding.update({ dryRun: true }), changes)).toEqual([null, false])
    expect(await written(succeeding.act('show', { method: 'GET' }), { id: '1' })).toEqual([null, false])
    expect(await written(succeeding.update(), changes)).toEqual([null, true])
    const refusing = queriesWith(() => Promise.resolve(failure(403))).types.albums
    expect(await written(refusing.update(), changes)).toEqual(['ClientError: The server responded with 403.', false])
  })

  test('sends the version and the key of the variables', async () => {
    const sent: (readonly unknown[])[] = []
    const { albums } = queriesWith((url, { method, headers }) => {
      const given = new Headers(headers)
      sent.push([method, url, given.get('If-Match'), given.get('Idempotency-Key')])
      return Promise.resolve(json(kidA))
    }).types
    await written(albums.delete(), { id: '1', ifMatch: '"7"', idempotencyKey: 'k' })
    await written(albums.delete(), { id: '1', ifMatch: null })
    expect(sent).toEqual([
      ['DELETE', 'https://music.example/records/1', '"7"', '"k"'],
      ['DELETE', 'https://music.example/records/1', null, null],
    ])
  })

  test('adds less than 2 KB gzipped to the client, and imports nothing', async () => {
    const input = fileURLToPath(new URL('../../src/tanstack-query.ts', import.meta.url))
    const build = await rolldown({ input, platform: 'browser' })
    const { output } = await build.generate({ minify: true })
    await build.close()
    const [{ code, imports, dynamicImports, modules }, ...others] = output
    expect([...others, ...imports, ...dynamicImports]).toEqual([])
    expect(
      Object.keys(modules).filter((module) => !/\/src\/(?:client\/tanstack-query\/|tanstack-query\.ts$)/.test(module)),
    ).toEqual([])
    expect(gzipSync(code).length).toBeLessThan(2 * 1024)
  })
})
