// @ts-check
/**
 * A load balancer in its own process: it sends requests in turns to the ports whose `/health/ready` was 200 when it looked last, every 100 ms, on
 * connections that it reuses, and it never retries: `node balancer.mjs 3001 3002`.
 */
import { Agent, createServer, get, request } from 'node:http'
import { argv, exit } from 'node:process'

const ports = argv.slice(2).map(Number)
const ready = new Set(ports)
const agent = new Agent({ keepAlive: true })
let turn = 0

const probe = (/** @type {number} */ port) => {
  const probing = get({ port, host: '127.0.0.1', path: '/health/ready', agent: false }, (response) => {
    if (response.resume().statusCode === 200) ready.add(port)
    else ready.delete(port)
  })
  probing.on('error', () => ready.delete(port))
}
setInterval(() => ports.forEach(probe), 100)

const server = createServer((incoming, outgoing) => {
  const [port] = [...ready].slice(turn % Math.max(1, ready.size))
  turn += 1
  const { method, headers, url: path } = incoming
  const passed = request(
    { port, host: '127.0.0.1', method, path, headers: { host: headers.host }, agent },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, { 'content-length': response.headers['content-length'] })
      response.pipe(outgoing)
    },
  )
  passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
  incoming.pipe(passed)
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('disconnect', () => exit())
