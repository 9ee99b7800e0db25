import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { acceptQueued } from '../../src/serve/adapters/accept-queue.js'

const CLIENTS = 20

/** Connects many clients, and reports how many are connected after a while. */
const clients = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, counted } } = require('node:worker_threads')
let connected = 0
for (let client = 0; client < ${CLIENTS}; client += 1) {
  connect(port, '127.0.0.1', () => (connected += 1)).on('error', () => undefined)
}
setTimeout(() => {
  Atomics.store(counted, 0, 1 + connected)
  Atomics.notify(counted, 0)
}, 500)
`

it('lets few clients connect after it has accepted all others, however long the process waits before it closes the server', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const counted = new Int32Array(new SharedArrayBuffer(4))
  const accepted = await new Promise<readonly Socket[]>((resolve) => {
    acceptQueued(server, 64, (sockets) => {
      const worker = new Worker(clients, { eval: true, workerData: { port, counted } })
      worker.unref()
      // Blocks the event loop, which accepts nothing.
      Atomics.wait(counted, 0, 0)
      server.close()
      resolve(sockets)
    })
  })
  expect(accepted).toEqual([])
  // Two on Linux. Without the limit all of them would connect, and be reset.
  expect(Atomics.load(counted, 0) - 1).toBeLessThan(CLIENTS / 2)
})
