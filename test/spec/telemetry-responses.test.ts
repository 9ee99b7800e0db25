import { atomic, type HttpResponse } from 'ashlar'
import type { HttpHandle } from '../../src/core/http/response.js'
import { expect, test } from 'vitest'
import { seeds } from '../../examples/music/src/seeds.js'
import { batchHeaders } from '../atomic/batch-client.js'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordedTelemetry, withOpenTelemetry } from '../support/telemetry.js'

/** Telemetry does not change the responses. */

withOpenTelemetry()

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const [roadTrip = ''] = seeds.playlists.map(({ id }) => id)

const linkage = (...ids: readonly string[]): object => ({ data: ids.map((id) => ({ type: 'tracks', id })) })

/** Requests of each kind, successful ones and others. */
const requests: readonly Sent[] = [
  ...[
    '/',
    '/albums?include=artist,tracks&fields[tracks]=title&sort=-title',
    '/albums?filter[title]=o&page[size]=1',
    '/albums/1?include=tracks.playlists',
    '/albums/99',
    '/albums?sort=nothing',
    '/albums/1/tracks',
    '/albums/1/relationships/artist',
    '/albums/1/relationships/nothing',
    '/playlists?include=tracks',
    '/admin/users?sort=nothing',
    '/countries/is',
    '/nothing',
  ].map((path) => ({ method: 'GET', path })),
  { method: 'HEAD', path: '/albums/1' },
  { method: 'OPTIONS', path: '/albums' },
  { method: 'PUT', path: '/albums' },
  { method: 'GET', path: '/albums', headers: { Accept: 'application/vnd.api+json; charset=utf-8' } },
  { method: 'POST', path: '/genres', body: resourceBody('genres', { name: '' }, 'noise') },
  { method: 'PATCH', path: '/albums/1', body: resourceBody('albums', { title: 'Another title' }, '1') },
  { method: 'PATCH', path: '/albums/1', body: resourceBody('albums', { title: null }, '1') },
  { method: 'PATCH', path: '/albums/1', body: resourceBody('albums', {}, '2') },
  { method: 'POST', path: `/playlists/${roadTrip}/relationships/tracks`, body: linkage('1', '2') },
  { method: 'DELETE', path: `/playlists/${roadTrip}/relationships/tracks`, body: linkage('99') },
  { method: 'DELETE', path: '/devices/99' },
  ...[
    [{ op: 'update', data: { type: 'albums', id: '2', attributes: { title: 'In a batch' } } }],
    [
      { op: 'update', data: { type: 'albums', id: '2', attributes: { title: 'Undone' } } },
      { op: 'remove', ref: { type: 'albums', id: '99' } },
    ],
    [],
  ].map((operations) => ({
    method: 'POST',
    path: '/operations',
    headers: batchHeaders,
    body: { 'atomic:operations': operations },
  })),
  { method: 'GET', path: '/albums' },
]

/** Sends all of them, and returns the responses with all headers and all bytes. */
async function responsesOf(server: { readonly handle: HttpHandle }): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = []
  const handle: HttpHandle = async (request) => {
    const response = await server.handle(request)
    responses.push(response)
    return response
  }
  const api = client({ handle })
  for (const { method, path, headers = {}, body } of requests) {
    await api.request(method, path, { headers, ...(body === undefined ? {} : { body }) })
  }
  return responses
}

test('Responses are the same with and without telemetry', async () => {
  const settings = { extensions: [atomic()], requestIds: false, logger: null }
  const { telemetry, spans } = recordedTelemetry()
  const plain = await responsesOf(catalogueServer(settings))
  const followed = await responsesOf(catalogueServer({ ...settings, telemetry }))
  expect(plain).toHaveLength(requests.length)
  expect(new Set(plain.map(({ status }) => status)).size).toBeGreaterThan(5)
  for (const [index, response] of followed.entries()) {
    const { method, path } = requests[index] as Sent
    expect({ method, path, ...response }).toEqual({ method, path, ...plain[index] })
  }
  // All but the path of the application have spans.
  expect(spans().filter(({ name }) => name === 'parse')).toHaveLength(requests.length - 1)
})
