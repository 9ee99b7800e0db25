import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { CloseServer, ShutdownOptions } from './graceful-shutdown.js'
import { endAfterDisconnect, isWorker, reportUrl, superviseWorkers } from './worker-processes.js'

/** The program that {@link runWorkers} runs, in one process or in several. */
export interface WorkersOptions {
  /**
   * How many processes serve requests: a number, or `auto` for one on each core. The text of an environment variable is fine. With 1, this
   * process serves, and starts no other. Default: 1, also for an empty text.
   */
  readonly workers?: number | string | undefined
  /** Runs once, in the first process, before requests are served: for migrations, and for jobs that only one process works on. */
  readonly prepare?: () => unknown
  /**
   * Starts to serve, in each process that serves requests. Returns the result of `listen`, or the URL of another server and what
   * `gracefulShutdown` returns for it.
   */
  readonly serve: () => Promise<ServingProcess>
  /** Called in the first process, when all processes listen. */
  readonly onListening?: (url: string, workers: number) => void
  /** How the processes close their servers. Default: without a delay. */
  readonly closing?: ShutdownOptions
  /** Runs in each process at its end, also if it could not start: closes the database. */
  readonly end?: () => unknown
  /** Gets a line for each process that has ended unexpectedly. Default: `console.error`. */
  readonly log?: (line: string) => void
}

/** A server that listens, such as the result of `listen`. */
export interface ServingProcess {
  readonly url: string
  readonly close: CloseServer
}

/**
 * Runs a service until SIGTERM or SIGINT, in one process or in several on one port. Call it once, at the end of the main program. Returns
 * after the last response, when all processes have ended.
 *
 * The first process starts workers, which run the same program, and serves no requests itself. A worker that ends is replaced: immediately,
 * or with exponential backoff if its replacements fail, too. Rejects with the error of `prepare` or `serve`; with a `WorkersError` if a
 * worker cannot start, or if no worker is left and replacements fail repeatedly.
 *
 * @example
 * ```ts
 * await runWorkers({
 *   workers: process.env['WORKERS'],
 *   serve: () => listen(server, { port: 3000, health: server.health() }),
 *   onListening: (url) => console.log(`Listening at ${url}`),
 * })
 * ```
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const workers = workerCount(options.workers)
  const ending = endOfProcess()
  const end = async (): Promise<unknown> => options.end?.()
  try {
    await run(options, workers, ending.signal).catch(async (error: unknown) => {
      // An error of `end` would hide the reason.
      await end().catch(() => undefined)
      throw error
    })
    await end()
  } finally {
    ending.remove()
  }
}

async function run(options: WorkersOptions, workers: number, ending: AbortSignal): Promise<void> {
  const { onListening, log = console.error } = options
  if (isWorker()) return serveUntil(ending, options, reportUrl)
  await options.prepare?.()
  if (ending.aborted) return
  if (workers === 1) return serveUntil(ending, options, (url) => onListening?.(url, 1))
  await superviseWorkers({ workers, ending, log, onListening: (url) => onListening?.(url, workers) })
}

async function serveUntil(
  ending: AbortSignal,
  { serve, closing, log = console.error }: WorkersOptions,
  onListening: (url: string) => void,
): Promise<void> {
  const { url, close } = await serve()
  onListening(url)
  if (!ending.aborted) await new Promise((resolve) => ending.addEventListener('abort', resolve))
  const { cutOff } = await close(closing)
  if (cutOff > 0) log(`${cutOff} requests took too long, and were cut off.`)
}

/** Returns a signal that is aborted when this process must end: by SIGINT or SIGTERM, and a worker when the first process has ended. */
function endOfProcess(): { readonly signal: AbortSignal; remove(): void } {
  const ending = new AbortController()
  // Further signals change nothing: on Ctrl+C both the terminal and npm send one.
  const end = (): void => ending.abort()
  const events = isWorker() ? ['SIGINT', 'SIGTERM', 'disconnect'] : ['SIGINT', 'SIGTERM']
  if (isWorker()) endAfterDisconnect()
  for (const event of events) process.on(event, end)
  return {
    signal: ending.signal,
    remove() {
      for (const event of events) process.off(event, end)
      // The channel to the first process would keep a worker running.
      if (isWorker() && process.connected) process.disconnect()
    },
  }
}

const MOST_WORKERS = 1024

function workerCount(given: number | string = ''): number {
  if (given === 'auto') return availableParallelism()
  const count = given === '' ? 1 : Number(given)
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS) {
    throw new TypeError(
      `The option 'workers' of runWorkers() is ${JSON.stringify(given)}, and must be 'auto' or a whole number from 1 to ${MOST_WORKERS}.`,
    )
  }
  if (count > 1 && cluster.isWorker && !isWorker()) {
    throw new TypeError("runWorkers() cannot start workers in a worker of another program: set 'workers' to 1.")
  }
  return count
}
