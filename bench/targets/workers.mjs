// @ts-check
/** Runs a server in several processes on one port: `node workers.mjs 2 ashlar postgres <address>`. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const [count, ...args] = argv.slice(2)
cluster.setupPrimary({ exec: fileURLToPath(new URL('serve.mjs', import.meta.url)), args: args })
const workers = Array.from({ length: Number(count) }, () => cluster.fork())
const [[started] = []] = await Promise.all(workers.map((worker) => once(worker, 'message')))

process.on('message', () => void sendUsage())
process.on('disconnect', () => exit())
process.send?.(started)

async function sendUsage() {
  const usages = await Promise.all(
    workers.map((worker) => {
      worker.send('usage')
      return once(worker, 'message')
    }),
  )
  const sum = (/** @type {'cpu' | 'resident'} */ of) => usages.reduce((total, [usage]) => total + usage[of], 0)
  process.send?.({ cpu: sum('cpu'), resident: sum('resident') })
}
