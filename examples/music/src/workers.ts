import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Processes that serve requests on one port. */
export interface Workers {
  /** Where they listen. */
  readonly url: string
  /** Lets each of them end its requests, and waits until all have ended. */
  end(): Promise<void>
}

/** A worker that has not come so far. It has said itself why. */
export class FailedStart extends Error {}

/** A worker that has served for so long has not failed at its start. */
const soundAfter = 10_000

/**
 * Starts processes that run this program again, as workers. One that ends by itself is replaced: at once, and after longer and longer
 * pauses if its successors fail, too.
 */
export async function startWorkers(count: number): Promise<Workers> {
  const workers = new Set<Worker>()
  const ending = new AbortController()

  function fork(): Worker {
    const worker = cluster.fork()
    workers.add(worker)
    worker.once('exit', () => workers.delete(worker))
    return worker
  }

  async function keepAlive(first: Worker): Promise<void> {
    let failures = 0
    for (let worker = first; ; worker = fork()) {
      const start = performance.now()
      const [code, signal] = await exitOf(worker)
      if (ending.signal.aborted) return
      failures = performance.now() - start > soundAfter ? 0 : failures + 1
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
    // The first one alone: if it cannot serve, the others could not either.
    const first = fork()
    const url = await listening(first)
    const others = Array.from({ length: count - 1 }, fork)
    await Promise.all(others.map(listening))
    for (const worker of [first, ...others]) void keepAlive(worker)
    return { url, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Waits until a worker says where it listens. */
async function listening(worker: Worker): Promise<string> {
  const said = once(worker, 'message').then(([message]: unknown[]) => (message as ListeningMessage).url)
  const failed = exitOf(worker).then(() => {
    throw new FailedStart()
  })
  return Promise.race([said, failed])
}

async function exitOf(worker: Worker): Promise<readonly [code: number | null, signal: string | null]> {
  if (worker.isDead()) return [worker.process.exitCode, worker.process.signalCode]
  const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
  return [code, signal]
}

interface ListeningMessage {
  readonly url: string
}

/** Closes the channel to the first process, which keeps a worker alive. */
export function leaveFirst(): void {
  if (process.connected) process.disconnect()
}

/** Says to the first process that this worker listens, and ends it if the first process is gone. */
export function reportListening(url: string, end: () => Promise<void>): void {
  process.send?.({ url } satisfies ListeningMessage)
  process.once('disconnect', () => void end())
}
