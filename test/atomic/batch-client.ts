import type { HttpHandle } from '../../src/core/http/response.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import type { TestClientOptions } from '../../src/tools/testing/test-client.js'
import { client } from '../support/client.js'

export const atomicUri = 'https://jsonapi.org/ext/atomic'

/** The media type of batches and of their responses. */
const batchType = `application/vnd.api+json; ext="${atomicUri}"`

export const batchHeaders: Readonly<Record<string, string>> = { Accept: batchType, 'Content-Type': batchType }

/** An item of `atomic:results` of a response, one for each operation. */
export interface Result {
  readonly data?: unknown
  readonly meta?: unknown
}

export interface BatchClient extends TestClient {
  /** Sends operations to the endpoint at a path. */
  batch(operations: unknown, path?: string): Promise<TestResponse>
  /** Sends operations that must succeed, and returns their results. */
  results(operations: readonly unknown[], path?: string): Promise<readonly Result[]>
}

/** A client that also sends batches. */
export function batchClient(server: { readonly handle: HttpHandle }, options: TestClientOptions = {}): BatchClient {
  const api = client(server, options)
  const batch: BatchClient['batch'] = (operations, path = '/operations') =>
    api.post(path, { headers: batchHeaders, body: { 'atomic:operations': operations } })
  return {
    ...api,
    batch,
    async results(operations, path) {
      const response = await batch(operations, path)
      if (response.status !== 200) throw new Error(`The status of the batch is ${response.status}: ${response.text}`)
      return resultsOf(response)
    },
  }
}

export function resultsOf({ text }: TestResponse): readonly Result[] {
  return (JSON.parse(text) as { readonly 'atomic:results': readonly Result[] })['atomic:results']
}

/** The ids of resources among results; `null` if there is no single resource. */
export function idsOf(results: readonly Result[]): readonly (string | null)[] {
  return results.map(({ data }) =>
    typeof data === 'object' && data !== null && 'id' in data ? (data as { readonly id: string }).id : null,
  )
}

/** Operations in short, as most tests send them. */

export function add(type: string, attributes: object = {}, others: object = {}): object {
  return { op: 'add', data: { type, attributes, ...others } }
}

export function update(type: string, id: string, attributes: object = {}, others: object = {}): object {
  return { op: 'update', data: { type, id, attributes, ...others } }
}

export function remove(type: string, id: string): object {
  return { op: 'remove', ref: { type, id } }
}

/** A relationship of a resource in linkage: `{ data }`. */
export function linked(data: unknown): { readonly data: unknown } {
  return { data }
}
