import { readFileSync } from 'node:fs'
import process from 'node:process'

/**
 * The CPU time that this thread has used, in milliseconds. Unlike the time of a clock it hardly grows while other processes
 * and other test files have the CPU. Where the system does not report it by thread, it is that of the whole process.
 */
export function cpuTime(): number {
  const used = threadUsage()
  if (used !== null) return used
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Usage = Readonly<Record<'user' | 'system', number>>

/** Newer versions of Node report it by a function, Linux by a file: "nanoseconds on a CPU, waiting for one, time slices". */
function threadUsage(): number | null {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => Usage }
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage()
    return (user + system) / 1000
  }
  try {
    const used = Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0])
    return used > 0 ? used / 1e6 : null
  } catch {
    return null
  }
}
