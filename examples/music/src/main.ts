import { fileURLToPath } from 'node:url'
import { listen, type Listening, runWorkers, WorkersError } from 'ashlar/node'
import { acceptTokens, type FirstUser, tokenLines } from './access/first-tokens.js'
import { startCleanUp } from './clean-up.js'
import { startWorker } from './jobs/worker.js'
import { startErrorText } from './start-error.js'
import { requestsToTry } from './requests-to-try.js'
import { musicServer } from './service.js'
import { settings } from './settings.js'
import { pendingMigrations } from './storage/migrate.js'
import { openStorage, type Storage } from './storage/storage.js'

/** What this process has opened, and how to close it. */
const ends: (() => Promise<void>)[] = []
let opened: Storage | undefined
let users: readonly FirstUser[] = []

/** Opens the database, once in each process. */
async function openOnce(options: { readonly migrates: boolean }): Promise<Storage> {
  if (opened !== undefined) return opened
  const storage = await openStorage(settings.storage, options)
  ends.push(() => storage.close())
  opened = storage
  return storage
}

/** Runs once, before requests are served: migrations, tokens and jobs. */
async function prepare(): Promise<void> {
  const storage = await openOnce({ migrates: true })
  users = await acceptTokens(storage.db, settings.firstUsers)
  const server = musicServer(storage)
  await server.ready()
  const worker = await startWorker(storage, fileURLToPath(new URL('../inbox', import.meta.url)))
  ends.push(() => worker.stop())
  ends.push(startCleanUp(server))
}

/** Serves requests, in each process of `WORKERS`. */
async function serve(): Promise<Listening> {
  const storage = await openOnce({ migrates: false })
  // Loaded only if telemetry is enabled.
  const telemetry = settings.hasTelemetry ? (await import('ashlar/opentelemetry')).openTelemetry() : null
  const server = musicServer(storage, telemetry)
  await server.ready()
  const health = server.health({ migrations: () => pendingMigrations(storage) })
  return listen(server, { ...settings.listening, health })
}

/** Closes everything in reverse, also if one step fails. */
async function end(): Promise<void> {
  for (const step of ends.splice(0).toReversed()) await step().catch((error: unknown) => console.error(error))
}

function printStart(url: string, workers: number): void {
  const by = workers === 1 ? '' : ` by ${workers} processes`
  console.log(`The music catalogue is served at ${url}, from ${settings.storageName}${by}. Tokens:\n`)
  for (const line of tokenLines(users)) console.log(line)
  console.log('\nTry:\n')
  for (const request of requestsToTry(url, users)) console.log(`  ${request}`)
  console.log('\nPress Ctrl+C to stop.')
}

try {
  const { workers, closing } = settings
  await runWorkers({ workers, prepare, serve, onListening: printStart, closing, end })
} catch (error) {
  process.exitCode = 1
  // The worker has printed its reason itself.
  const reason = error instanceof WorkersError ? '' : startErrorText(error)
  if (reason === null) throw error
  if (reason !== '') console.error(reason)
}
