import { type AttributeKit, createServer, defineResource, id, model } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { expect } from 'vitest'
import { client, resourceBody } from './client.js'
import { storedData } from './stored-data.js'

export type ThingRow = Record<string, unknown> & { id: number }

interface Settings {
  readonly limits?: { readonly errors: number }
  /** The values of the only stored thing. */
  readonly stored?: Readonly<Record<string, unknown>>
}

/** Things whose attributes a test declares; there is one, without a value by default. */
export function thingsWith(
  attributes: (kit: AttributeKit<ThingRow>) => Record<never, never>,
  { stored = {}, ...settings }: Settings = {},
): TestClient {
  const things = defineResource('things', { model: model<ThingRow>('things'), id: id(), attributes })
  return client(
    createServer({ resources: [things], data: storedData({ things: [{ id: 1, ...stored }] }), ...settings }),
  )
}

interface Sending {
  readonly method?: 'POST' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
}

/** The errors of a write of a thing: paths below its attributes, and sentences. */
export async function violationsOf(
  api: TestClient,
  attributes: Readonly<Record<string, unknown>>,
  { method = 'POST', headers = {} }: Sending = {},
): Promise<readonly string[]> {
  const isPost = method === 'POST'
  const body = resourceBody('things', attributes, isPost ? undefined : '1')
  const response = await api.request(method, isPost ? '/things' : '/things/1', { body, headers })
  expect(response.status).toBe(response.errors.length > 0 ? 422 : isPost ? 201 : 200)
  return response.errors.map(({ source, detail }) => `${source?.pointer?.slice('/data/attributes/'.length)}: ${detail}`)
}
