// @ts-check
/** One server in a process of its own: `node server.mjs together postgres <address>`. */
import { once } from 'node:events'
import { argv, cpuUsage, exit } from 'node:process'
import { serverByHand } from './by-hand.mjs'
import { serverWithAshlar } from './with-ashlar.mjs'

const [name, engine, place = ''] = argv.slice(2)
if (engine !== 'postgres' && engine !== 'sqlite') throw new Error(`There is no database '${engine}'.`)
const server =
  name === 'by hand'
    ? await serverByHand(engine, place)
    : await serverWithAshlar(engine, place, { goesTogether: name === 'together' })
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()

process.on('message', () => {
  const { user, system } = cpuUsage()
  process.send?.((user + system) / 1000)
})
process.on('disconnect', () => exit())
process.send?.({ port: typeof address === 'object' ? address?.port : null })
