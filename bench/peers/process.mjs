// @ts-check
/** What every peer does as a process: it says where it listens and what it has used, and ends with whoever started it. */
import { cpuUsage, env, exit, memoryUsage } from 'node:process'

// This module is imported before any framework, which looks at it when it is loaded.
env['NODE_ENV'] = 'production'

/** @param {number} port */
export function announce(port) {
  process.on('message', (asked) => {
    if (asked !== 'usage') return
    const { user, system } = cpuUsage()
    process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
  })
  process.on('disconnect', () => exit())
  process.send?.({ port })
}

/** The port of a server that listens. @param {import('node:net').Server} server */
export function portOf(server) {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}
