import { countableProfile } from '../../src/declare/profiles/profile.js'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { batchHeaders } from '../atomic/batch-client.js'
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
  /** Several operations that are committed together. */
  batch(operations: readonly object[]): Promise<TestResponse>
}

/** The header of a client that requests counts. */
export const counting = { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }

/** Opens the catalogue for the tests of a `describe`. */
export function musicClient(open: () => MusicService): MusicClient {
  const service = open()
  return {
    service,
    get: (path, headers = {}) => service.api.get(path, { headers }),
    post: (path, body) => service.api.post(path, { body }),
    patch: (path, body) => service.api.patch(path, { body }),
    delete: (path, body) => service.api.delete(path, { body }),
    request: (method, path, options) => service.api.request(method, path, options),
    batch: (operations) =>
      service.api.post('/operations', { headers: batchHeaders, body: { 'atomic:operations': operations } }),
  }
}
