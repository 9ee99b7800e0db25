import { type Host, listening, listeningFetch } from './host.js'

export const nodeHost: Host = {
  name: 'node',
  isFramework: false,
  open: ({ server }) => listening(server.node),
}

/** `server.fetch` on a socket, by the server of Hono for Node. */
export const fetchHost: Host = {
  name: 'fetch',
  isFramework: false,
  endsUnreadBodies: true,
  open: ({ server }) => listeningFetch(server.fetch),
}
