import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { listen } from 'ashlar/node'
import { acceptTokens, type FirstUser, tokenLines } from './access/first-tokens.js'
import { withArtwork } from './artwork.js'
import { startCleanUp } from './clean-up.js'
import { startWorker } from './jobs/worker.js'
import { startErrorText } from './start-error.js'
import { requestsToTry } from './requests-to-try.js'
import { musicServer } from './service.js'
import { settings } from './settings.js'
import { pendingMigrations } from './storage/migrate.js'
import { openStorage, type Storage } from './storage/storage.js'
import { FailedStart, disconnectFromPrimary, reportListening, startWorkers } from './workers.js'

type Step = () => Promise<void>

/** Starts all parts in order. Returns a function that stops them. */
async function start(): Promise<Step> {
  const ends: Step[] = []
  let ending: Promise<void> | undefined
  // Runs once, also after several signals: on Ctrl+C both the terminal and npm send one.
  const end = () => (ending ??= inReverse(ends))
  try {
    // Only the primary process runs migrations, before it starts workers.
    const storage = await openStorage(settings.storage, { migrates: cluster.isPrimary })
    ends.push(() => storage.close())
    if (cluster.isWorker) await serveAsWorker(storage, ends, end)
    else await serveAsPrimary(storage, ends)
    return end
  } catch (error) {
    await end()
    throw error
  }
}

/** Runs in the only process, or in the primary of several: runs jobs, starts workers, and prints requests to try. */
async function serveAsPrimary(storage: Storage, ends: Step[]): Promise<void> {
  const users = await acceptTokens(storage.db, settings.firstUsers)
  const server = musicServer(storage)
  await server.ready()
  const worker = await startWorker(storage, fileURLToPath(new URL('../inbox', import.meta.url)))
  ends.push(() => worker.stop())
  ends.push(startCleanUp(server))
  if (settings.workers === 1) {
    printStart(await serve(storage, ends), users)
    return
  }
  const workers = await startWorkers(settings.workers)
  ends.push(() => workers.end())
  printStart(workers.url, users)
}

async function serveAsWorker(storage: Storage, ends: Step[], end: Step): Promise<void> {
  ends.unshift(async () => disconnectFromPrimary())
  reportListening(await serve(storage, ends), end)
}

/** Serves requests. Returns the URL. */
async function serve(storage: Storage, ends: Step[]): Promise<string> {
  // Loaded only if telemetry is enabled.
  const telemetry = settings.hasTelemetry ? (await import('ashlar/opentelemetry')).openTelemetry() : null
  const server = musicServer(storage, telemetry)
  await server.ready()
  const health = server.health({ migrations: () => pendingMigrations(storage) })
  const listening = await listen(withArtwork(server.handle, storage.db), { ...settings.listening, health })
  ends.push(async () => {
    const { cutOff } = await listening.close(settings.closing)
    if (cutOff > 0) console.error(`${cutOff} requests took too long to end.`)
  })
  return listening.url
}

function printStart(url: string, users: readonly FirstUser[]): void {
  const by = settings.workers === 1 ? '' : ` by ${settings.workers} processes`
  console.log(`The music catalogue is served at ${url}, from ${settings.storageName}${by}. Tokens:\n`)
  for (const line of tokenLines(users)) console.log(line)
  console.log('\nTry:\n')
  for (const request of requestsToTry(url, users)) console.log(`  ${request}`)
  console.log('\nPress Ctrl+C to stop.')
}

/** Runs all steps, also after one has failed. */
async function inReverse(steps: readonly Step[]): Promise<void> {
  for (const step of steps.toReversed()) await step().catch((error: unknown) => console.error(error))
}

try {
  const end = await start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
} catch (error) {
  const reason = error instanceof FailedStart ? null : startErrorText(error)
  if (reason === null && !(error instanceof FailedStart)) throw error
  // The worker has printed its reason itself.
  if (reason !== null) console.error(reason)
  process.exitCode = 1
  disconnectFromPrimary()
}
