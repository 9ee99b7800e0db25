import { type AttributeKit, createServer, defineResource, id, model } from 'ashlar'
import type { TestClient, TestResponse } from 'ashlar/testing'
import type { ExpectedError } from '../../src/tools/testing/expect-errors.js'
import { client, resourceBody } from './client.js'
import { storedData } from './stored-data.js'

export type Row = Record<string, unknown> & { id: number }

/** Albums with one stored row, declared by the test, on a server that checks stored values too. */
export function albumsWith(
  attributes: (kit: AttributeKit<Row>) => Record<never, never>,
  stored: Readonly<Record<string, unknown>>,
  settings: { readonly validateStored?: boolean } = { validateStored: true },
): TestClient {
  const albums = defineResource('albums', { model: model<Row>('albums'), id: id(), attributes })
  return client(
    createServer({ ...settings, resources: [albums], data: storedData({ albums: [{ id: 1, ...stored }] }) }),
  )
}

export function patch(api: TestClient, attributes: Readonly<Record<string, unknown>>): Promise<TestResponse> {
  return api.patch('/albums/1', { body: resourceBody('albums', attributes, '1') })
}

/** One violation, at a path below the attributes. */
export function at(path: string, detail: string): readonly ExpectedError[] {
  return [{ status: 422, code: 'VALIDATION_FAILED', pointer: `/data/attributes/${path}`, detail }]
}
