// @ts-check
/** Runs the server of bench/allocations.mjs: `node counted.mjs <file of SQLite>`. It has room for all objects of a run. */
import { once } from 'node:events'
import { argv, exit, memoryUsage } from 'node:process'
import { serverWithAshlar } from './ashlar.mjs'

const [location = ''] = argv.slice(2)
const server = await serverWithAshlar('sqlite', location)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
/** An object with a new member has a new hidden class, which the log names. @type {Record<string, number>} */
const marks = {}

process.on('message', (/** @type {string} */ message) => {
  if (message === 'collect') globalThis.gc?.()
  else marks[message] = 1
  process.send?.({ heap: memoryUsage().heapUsed })
})
process.on('disconnect', () => exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })
