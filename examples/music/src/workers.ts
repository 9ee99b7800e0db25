import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'

/** Processes that serve requests on one port. */
export interface Workers {
  /** The URL at which they listen. */
  readonly url: string
  /** Waits until all processes have finished their requests and ended. */
  end(): Promise<void>
}

/** A worker ended before it listened. It has printed the reason itself. */
export class FailedStart extends Error {}

/** A worker that runs for this time, in milliseconds, has started successfully. */
const stableAfter = 10_000

/**
 * Starts workers: processes that run this program. A worker that ends is replaced: immediately, or with exponential backoff if its
 * replacements fail, too.
 */
export async function startWorkers(count: number): Promise<Workers> {
  const workers = new Set<Worker>()
  const ending = new AbortController()

  function fork(): Worker {
    const worker = cluster.fork()
    workers.add(worker)
    // A message to a worker that was killed a moment before is such an error. The event `exit` follows.
    worker.on('error', () => undefined)
    worker.once('exit', () => workers.delete(worker))
    return worker
  }

  async function restartOnExit(first: Worker): Promise<void> {
    let failures = 0
    for (let worker = first; ; worker = fork()) {
      const start = performance.now()
      const [code, signal] = await exitOf(worker)
      if (ending.signal.aborted) return
      failures = performance.now() - start > stableAfter ? 0 : failures + 1
      const wait = failures === 0 ? 0 : Math.min(30_000, 100 * 2 ** failures)
      console.error(`Worker ${worker.process.pid} has ended (${signal ?? code}). Another one starts in ${wait} ms.`)
      await pause(wait, null, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
    }
  }

  async function end(): Promise<void> {
    ending.abort()
    for (const worker of workers) worker.process.kill('SIGTERM')
    await Promise.all([...workers].map(exitOf))
  }

  try {
    // Starts one worker first: if it cannot serve, the others cannot either.
    const first = fork()
    const url = await listening(first)
    const others = Array.from({ length: count - 1 }, fork)
    await Promise.all(others.map(listening))
    for (const worker of [first, ...others]) void restartOnExit(worker)
    return { url, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Waits until a worker listens. Returns its URL. */
async function listening(worker: Worker): Promise<string> {
  const reported = new Promise<string>((resolve) => {
    worker.once('message', ({ url }: ListeningMessage) => resolve(url))
  })
  const failed = exitOf(worker).then(() => {
    throw new FailedStart()
  })
  return Promise.race([reported, failed])
}

/** Waits until a worker has ended. `once` of `node:events` would reject if a message to it fails. */
async function exitOf(worker: Worker): Promise<readonly [code: number | null, signal: string | null]> {
  if (worker.isDead()) return [worker.process.exitCode, worker.process.signalCode]
  return new Promise((resolve) => void worker.once('exit', (code, signal) => resolve([code, signal])))
}

interface ListeningMessage {
  readonly url: string
}

/** Closes the channel to the primary process, so that this worker can end. */
export function disconnectFromPrimary(): void {
  if (process.connected) process.disconnect()
}

/** Reports to the primary process that this worker listens, and stops the worker when the primary process has ended. */
export function reportListening(url: string, end: () => Promise<void>): void {
  process.send?.({ url } satisfies ListeningMessage)
  process.once('disconnect', () => void end())
}
