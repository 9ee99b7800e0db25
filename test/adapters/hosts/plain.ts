import { serve } from '@hono/node-server'
import type { Server } from 'node:http'
import { type Host, hosted, listening } from './host.js'

export const nodeHost: Host = {
  name: 'node',
  isFramework: false,
  open: ({ server }) => listening(server.node),
}

/** `server.fetch` on a socket, which Node has no server for. */
export const fetchHost: Host = {
  name: 'fetch',
  isFramework: false,
  open: ({ server }) => hosted(serve({ fetch: server.fetch, port: 0, hostname: '127.0.0.1' }) as Server),
}
