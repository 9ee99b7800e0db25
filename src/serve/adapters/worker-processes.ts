import cluster, { type Worker } from 'node:cluster'
import { env } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** The environment variable of workers. Other programs start processes with `node:cluster`, too, such as process managers. */
const WORKER_VARIABLE = 'ASHLAR_WORKER'

/** A worker that has listened for this time, in milliseconds, has started successfully. */
const STABLE_AFTER = 10_000

/** How many workers in a row may fail to start before the service ends, if no other worker serves requests. */
const MOST_FAILURES = 5

const FIRST_WAIT = 100
const LONGEST_WAIT = 30_000

/**
 * The error of a service without workers. The workers have printed their reasons themselves.
 *
 * @example
 * ```ts
 * try {
 *   await runWorkers({ workers: 'auto', serve: () => listen(server, { port: 3000 }) })
 * } catch (error) {
 *   if (!(error instanceof WorkersError)) console.error(error)
 *   process.exitCode = 1
 * }
 * ```
 */
export class WorkersError extends Error {
  override readonly name: string = 'WorkersError'
}

interface Supervision {
  readonly workers: number
  /** Ends the workers. */
  readonly ending: AbortSignal
  readonly log: (line: string) => void
  readonly onListening: (url: string) => void
}

/** The workers of this process. */
interface WorkerPool {
  readonly running: ReadonlySet<Worker>
  /** Those that serve requests. */
  readonly listening: ReadonlySet<Worker>
  fork(): Worker
  /** Waits until a worker listens, and returns its URL. */
  started(worker: Worker): Promise<string>
}

interface UrlMessage {
  readonly ashlarUrl: string
}

/** Whether this process is a worker that `superviseWorkers` has started. */
export function isWorker(): boolean {
  return cluster.isWorker && env[WORKER_VARIABLE] !== undefined
}

/** Lets this worker end by itself when it is disconnected from the first process. By default, it would exit immediately. */
export function endAfterDisconnect(): void {
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
}

/** Reports to the first process that this worker listens. */
export function reportUrl(url: string): void {
  process.send?.({ ashlarUrl: url } satisfies UrlMessage)
}

/** Starts workers, replaces those that end, and ends all of them at the signal. Returns when they have ended. */
export async function superviseWorkers({ workers, ending, log, onListening }: Supervision): Promise<void> {
  // Each worker accepts connections itself. Otherwise the first process would accept them, and a client would wait forever if the worker
  // that gets its connection is killed, or closes, at that moment.
  if (env['NODE_CLUSTER_SCHED_POLICY'] === undefined) cluster.schedulingPolicy = cluster.SCHED_NONE
  const failing = new AbortController()
  const stop = AbortSignal.any([ending, failing.signal])
  const pool = workerPool(stop)
  try {
    // Starts one worker first: if it cannot serve, the others cannot either.
    const first = pool.fork()
    const url = await pool.started(first)
    const others = Array.from({ length: workers - 1 }, () => pool.fork())
    await Promise.all(others.map((worker) => pool.started(worker)))
    if (!stop.aborted) onListening(url)
    await Promise.all([first, ...others].map((worker) => replaceOnExit(worker, pool, { stop, log })))
  } catch (error) {
    // A worker that gets the signal before it listens has not failed.
    if (!ending.aborted) throw error
  } finally {
    failing.abort()
    await Promise.all([...pool.running].map(exitOf))
  }
}

/** Creates a pool whose workers get SIGTERM at the signal. */
function workerPool(stop: AbortSignal): WorkerPool {
  const running = new Set<Worker>()
  const listening = new Set<Worker>()
  stop.addEventListener('abort', () => {
    for (const worker of running) worker.process.kill('SIGTERM')
  })
  return {
    running,
    listening,
    fork() {
      const worker = cluster.fork({ [WORKER_VARIABLE]: '1' })
      running.add(worker)
      // A message to a worker that was killed a moment before is such an error. The event `exit` follows.
      worker.on('error', () => undefined)
      worker.once('exit', () => {
        running.delete(worker)
        listening.delete(worker)
      })
      if (stop.aborted) worker.process.kill('SIGTERM')
      return worker
    },
    async started(worker) {
      const url = await urlOf(worker)
      listening.add(worker)
      return url
    },
  }
}

/**
 * Starts another worker each time that one ends, until the signal. Throws if too many have failed in a row.
 *
 * @param first a worker that has started
 */
async function replaceOnExit(
  first: Worker,
  pool: WorkerPool,
  { stop, log }: { readonly stop: AbortSignal; readonly log: (line: string) => void },
): Promise<void> {
  let failures = 0
  for (let worker = first; ; worker = pool.fork()) {
    const url = worker === first ? '' : await pool.started(worker).catch(() => null)
    const since = performance.now()
    const reason = await exitOf(worker)
    if (stop.aborted) return
    failures = url !== null && performance.now() - since > STABLE_AFTER ? 0 : failures + 1
    if (failures >= MOST_FAILURES && pool.listening.size === 0) {
      throw new WorkersError(
        `No worker is left, and ${failures} in a row have failed. The last one has ended (${reason}).`,
      )
    }
    const wait = failures === 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1))
    log(`Worker ${worker.process.pid} has ended (${reason}). Another one starts in ${wait} ms.`)
    await pause(wait, null, { signal: stop }).catch(() => undefined)
    if (stop.aborted) return
  }
}

/** Waits until a worker listens. */
async function urlOf(worker: Worker): Promise<string> {
  const reported = new Promise<string>((resolve) => {
    worker.on('message', (message: Partial<UrlMessage> | null) => {
      if (typeof message?.ashlarUrl === 'string') resolve(message.ashlarUrl)
    })
  })
  const ended = exitOf(worker).then((reason) => {
    throw new WorkersError(`A worker has ended before it served requests (${reason}).`)
  })
  return Promise.race([reported, ended])
}

/** Waits until a worker has ended. Returns its exit code, or the signal. `once` of `node:events` would reject if a message to it fails. */
async function exitOf(worker: Worker): Promise<string> {
  const { exitCode, signalCode } = worker.process
  if (worker.isDead()) return String(signalCode ?? exitCode)
  return new Promise(
    (resolve) => void worker.once('exit', (code, signal: string | null) => resolve(String(signal ?? code))),
  )
}
