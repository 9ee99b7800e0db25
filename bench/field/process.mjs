// @ts-check
/** The process of every peer: reports its port and its CPU time, and ends with the process that started it. */
import { cpuUsage, env, exit, memoryUsage } from 'node:process'

// This module is imported before any framework, because frameworks read the variable when they are loaded.
env['NODE_ENV'] = 'production'

/** @param {number} port */
export function announce(port) {
  process.on('message', (message) => {
    if (message !== 'usage') return
    const { user, system } = cpuUsage()
    process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
  })
  process.on('disconnect', () => exit())
  process.send?.({ port })
}

/** Returns the port of a listening server. @param {import('node:net').Server} server */
export function portOf(server) {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
