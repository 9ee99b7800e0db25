import { createServer, defineResource, type Health, HttpError, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { listen } from 'ashlar/node'
import express from 'express'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { type Hosted, listening, listeningFetch } from './hosts/host.js'
import { exchange } from './raw-connection.js'

/** All callers are refused: health checks need no caller. */
const refuseAll = () => Promise.reject(new HttpError(403))

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
const server = createServer({ resources: [albums], data: memoryData({ albums: [] }), middleware: [refuseAll] })

type Opened = Pick<Hosted, 'url' | 'port'> & { readonly close: () => Promise<unknown> }

const hosts: readonly (readonly [name: string, open: (health: Health) => Promise<Opened>])[] = [
  ['listen()', (health) => listen(server, { health })],
  ['listen() of a handle', (health) => listen(server.handle, { health })],
  ['node', ({ serves, node }) => listening((...sent) => (serves(sent[0].url ?? '') ? node : server.node)(...sent))],
  ['Express', ({ node }) => listening(express().get('/health/{*check}', node).use(server.node))],
  [
    'Hono',
    (health) => {
      const app = new Hono().get('/health/*', ({ req }) => health.fetch(req.raw))
      return listeningFetch(app.all('*', ({ req }) => server.fetch(req.raw)).fetch)
    },
  ],
]

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')

it.each(hosts)('Health checks are served by %s, in front of the middleware of the server', async (_name, open) => {
  const host = await open(server.health())
  const { url, port } = host
  try {
    for (const path of ['/health/live', '/health/ready']) {
      const [got, head] = [await fetch(url + path), await fetch(url + path, { method: 'HEAD' })]
      expect([got.status, await got.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })])
      expect([head.status, await head.text()]).toEqual([200, ''])
    }
    expect((await fetch(`${url}/albums`)).status).toBe(403)
    const { text } = await exchange(
      port,
      get('/albums') + get('/health/live') + get('/albums') + get('/health/ready', 'Connection: close'),
    )
    const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)
    expect(statuses).toEqual(['403', '200', '403', '200'])
  } finally {
    await host.close()
  }
})
