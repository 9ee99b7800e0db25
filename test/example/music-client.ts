import { countableProfile } from 'ashlar'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { client } from '../support/client.js'
import type { MusicService } from '../support/music-service.js'

/** Speaks to the music catalogue of a `describe`. */
export interface MusicClient {
  readonly service: MusicService
  get(path: string, headers?: TestRequestOptions['headers']): Promise<TestResponse>
  post(path: string, body?: object): Promise<TestResponse>
  patch(path: string, body: object): Promise<TestResponse>
  delete(path: string, body?: object): Promise<TestResponse>
  /** Any other request. */
  request: TestClient['request']
  /** Several operations that happen together or not at all. */
  batch(operations: readonly object[]): Promise<TestResponse>
}

/** What a client sends that wants to count. */
export const counting = { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }

/** Opens the catalogue for the tests of a `describe`. After each test that has written it has its first rows again. */
export function musicClient(open: () => Promise<MusicService>): MusicClient {
  let service: MusicService
  let api: TestClient
  let isChanged = false

  beforeAll(async () => {
    service = await open()
    api = client(service.server, {
      onResponse({ status }, { method }) {
        isChanged ||= method !== 'GET' && status < 400
      },
    })
  })
  afterEach(async () => {
    if (isChanged) await service.reset()
    isChanged = false
  })
  afterAll(() => service.close())

  return {
    get service() {
      return service
    },
    get: (path, headers = {}) => api.get(path, { headers }),
    post: (path, body) => api.post(path, { body }),
    patch: (path, body) => api.patch(path, { body }),
    delete: (path, body) => api.delete(path, { body }),
    request: (method, path, options) => api.request(method, path, options),
    batch: (operations) =>
      api.post('/operations', { headers: batchHeaders, body: { 'atomic:operations': operations } }),
  }
}

/** The playlists of the first rows. */
export const roadTrip = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
export const rainyDay = '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62'
