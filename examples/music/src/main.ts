import { fileURLToPath } from 'node:url'
import { listen } from 'ashlar/node'
import { acceptTokens, tokenLines } from './access/first-tokens.js'
import { withArtwork } from './artwork.js'
import { startCleanUp } from './clean-up.js'
import { startWorker } from './jobs/worker.js'
import { refusalOf } from './refusal.js'
import { requestsToTry } from './requests-to-try.js'
import { musicServer } from './service.js'
import { settings } from './settings.js'
import { pendingMigrations } from './storage/migrate.js'
import { openStorage } from './storage/storage.js'

/** Starts everything, in the order in which it is needed, and answers how to end it. */
async function start(): Promise<() => Promise<void>> {
  const storage = await openStorage(settings.storage)
  const ends = [() => storage.close()]
  let ending: Promise<void> | undefined
  // Once, however many signals come: npm passes on the Ctrl+C that the terminal has sent to everybody.
  const end = () => (ending ??= inReverse(ends))
  try {
    const users = await acceptTokens(storage.db, settings.firstUsers)
    // Who measures nothing loads nothing of it.
    const telemetry = settings.isMeasured ? (await import('ashlar/opentelemetry')).openTelemetry() : null
    const server = musicServer(storage, telemetry)
    await server.ready()
    const worker = await startWorker(storage, fileURLToPath(new URL('../inbox', import.meta.url)))
    ends.push(() => worker.stop())
    ends.push(startCleanUp(server))
    const health = server.health({ migrations: () => pendingMigrations(storage) })
    const listening = await listen(withArtwork(server.handle, storage.db), { ...settings.listening, health })
    ends.push(async () => {
      const { cutOff } = await listening.close(settings.closing)
      if (cutOff > 0) console.error(`${cutOff} requests took too long to end.`)
    })
    console.log(`The music catalogue is served at ${listening.url}, from ${settings.words}. Tokens:\n`)
    for (const line of tokenLines(users)) console.log(line)
    console.log('\nTry:\n')
    for (const request of requestsToTry(listening.url, users)) console.log(`  ${request}`)
    console.log('\nCtrl+C ends it.')
    return end
  } catch (error) {
    await end()
    throw error
  }
}

/** Each of them, also where one before it fails. */
async function inReverse(steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps.toReversed()) await step().catch((error: unknown) => console.error(error))
}

try {
  const end = await start()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
} catch (error) {
  const reason = refusalOf(error)
  if (reason === null) throw error
  console.error(reason)
  process.exitCode = 1
}
