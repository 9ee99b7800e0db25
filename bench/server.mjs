// @ts-check
/** One server in a process of its own, so that its CPU time is its own: `node server.mjs by-hand`. */
import { once } from 'node:events'
import { argv, cpuUsage, memoryUsage } from 'node:process'
import { serverByHand } from './by-hand.mjs'
import { serverWithAshlar } from './with-ashlar.mjs'

const server = argv[2] === 'by-hand' ? serverByHand() : serverWithAshlar()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()

process.on('message', () => {
  const { user, system } = cpuUsage()
  process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })
