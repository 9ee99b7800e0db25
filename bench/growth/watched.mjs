// @ts-check
/** Lets a forked process report its CPU time and memory, without changes of its code: `node --import watched.mjs main.js`. */
import { cpuUsage, memoryUsage } from 'node:process'

process.on('message', (message) => {
  if (message !== 'usage') return
  const { user, system } = cpuUsage()
  process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
})
// The channel must not keep the process alive.
process.channel?.unref()
