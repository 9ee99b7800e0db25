import { readFileSync } from 'node:fs'
import process from 'node:process'

/**
 * The CPU time that this thread has used, in milliseconds. Unlike the time of a clock it hardly grows while other processes
 * and other test files have the CPU. Where the system does not tell it by thread, it is that of the whole process.
 */
export function cpuTime(): number {
  const ofThread = threadTime()
  if (ofThread !== null) return ofThread
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Linux alone has this file: "nanoseconds on a CPU, nanoseconds waiting for one, time slices". */
function threadTime(): number | null {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return null
  }
}
