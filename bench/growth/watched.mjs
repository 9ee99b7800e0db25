// @ts-check
/** Lets a process that knows nothing of it be asked for its CPU time and memory: `node --import watched.mjs main.js`, forked. */
import { cpuUsage, memoryUsage } from 'node:process'

process.on('message', (asked) => {
  if (asked !== 'usage') return
  const { user, system } = cpuUsage()
  process.send?.({ cpu: user + system, resident: memoryUsage.rss() })
})
// Being watched is no reason to stay.
process.channel?.unref()
