import { versions } from 'node:process'

const [major = 0, minor = 0] = versions.node.split('.').map(Number)

/**
 * Whether the server of Hono for Node can serve HTTP/2. On Node before 20.20, it ends the process if a client resets a stream before its
 * response: `writeHead` throws there, also where Hono handles that error.
 */
export const servesHttp2ByHono: boolean = major > 20 || minor >= 20
