import type { Socket } from 'node:net'
import { listen } from 'ashlar/node'
import { describe, expect, it } from 'vitest'
import { expressHost } from './hosts/express.js'
import { fastifyHost } from './hosts/fastify.js'
import { honoHost } from './hosts/hono.js'
import type { Application, Hosted } from './hosts/host.js'
import { nestHost } from './hosts/nest.js'
import { fetchHost, nodeHost } from './hosts/plain.js'
import { patience } from '../support/patience.js'
import { BODY_LIMIT, type SuiteServer, suiteServer } from './hosts/server.js'
import { lastBody, open } from './raw-connection.js'
import { album, MEDIA_TYPE } from './send-to.js'

const PART = 100_000
const TIMEOUT = patience(20_000)

/** Room for three parts, and a bit more: new bodies would be refused if it was full. */
const MEMORY = BODY_LIMIT + 50_000

/** A body of almost the limit, which is sent in parts. */
const body = album('slow', 'x'.repeat(BODY_LIMIT - 1000))
const head = `POST /api/v1/albums HTTP/1.1\r\nHost: a\r\nContent-Type: ${MEDIA_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`

const listenHost = {
  name: 'listen',
  isFramework: false,
  open: async ({ server }: Pick<Application, 'server'>): Promise<Hosted> => {
    const { port, url, close } = await listen(server)
    return { port, url, close: async () => void (await close({ deadline: 0 })) }
  },
}

const heldBy = ({ server }: SuiteServer): number => server.stats().bodies.held

/** A client that has sent the first part of its body. The server has read it. */
async function slowClient(app: Hosted, suite: SuiteServer): Promise<{ socket: Socket; text: () => string }> {
  const before = suite.server.stats().bodies
  const socket = await open(app.port)
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.write(head + body.slice(0, PART))
  await expect
    .poll(() => heldBy(suite) + PART * (suite.server.stats().bodies.ended - before.ended), { timeout: TIMEOUT })
    .toBe(before.held + PART)
  return { socket, text: () => text }
}

describe.each([listenHost, nodeHost, fetchHost, expressHost, fastifyHost, honoHost, nestHost])('$name', (host) => {
  it('holds no more bytes of bodies than allowed, and ends the slowest first', async () => {
    const suite = suiteServer(host.isFramework ? {} : { prefix: '/api/v1' }, { bodyMemory: MEMORY })
    const app = await host.open({ server: suite.server })
    try {
      const clients = []
      for (let count = 0; count < 6; count += 1) {
        clients.push(await slowClient(app, suite))
        expect(heldBy(suite)).toBe(Math.min(count + 1, BODY_LIMIT / PART) * PART)
      }
      const [first, second, third] = clients
      for (const client of [first, second, third]) {
        await expect.poll(() => client?.text(), { timeout: TIMEOUT }).toMatch(/\}$/)
        const text = client?.text() ?? ''
        expect(text).toMatch(/^HTTP\/1.1 503 /)
        expect(text.toLowerCase()).toContain('\r\nretry-after: 1\r\n')
        expect(JSON.parse(lastBody(text)).errors[0].code).toBe('REQUEST_BODY_REFUSED')
      }
      expect(clients.map(({ text }) => text() === '')).toEqual([false, false, false, true, true, true])
      for (const { socket } of clients.slice(0, 5)) socket.destroy()
      await expect.poll(() => heldBy(suite), { timeout: TIMEOUT }).toBe(PART)
      const last = clients[5]
      last?.socket.write(body.slice(PART))
      await expect.poll(() => last?.text(), { timeout: TIMEOUT }).toMatch(/^HTTP\/1.1 201 /)
      last?.socket.destroy()
      expect(suite.server.stats().bodies).toMatchObject({ held: 0, receiving: 0, refused: 0, ended: 3 })
      expect(suite.logged).toEqual([])
    } finally {
      await app.close()
    }
  })
})
