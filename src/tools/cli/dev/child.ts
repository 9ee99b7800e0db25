/** A program: serves a module for `ashlar dev`, controlled by its host. Each version of the module has its own process. */
import { subscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { type Listening, listen } from '../../../serve/adapters/listen.js'
import { DEFAULT_LOG, type DefaultLogEntry } from '../../../core/errors/default-log.js'
import { importInstalled } from '../../../core/util/import-installed.js'
import { isOwnFile } from '../package-file.js'
import { registerTypeScript, type TakeLoadedFiles } from '../typescript/register-typescript.js'
import { loadFailure } from './load-failure.js'
import { loadService, type ServiceSource } from './load-service.js'
import type { FromChild, ToChild } from './messages.js'
import { reportedException } from './reported-exception.js'

/** How often to check for files that requests have loaded. */
const LOADED_LATER_MILLISECONDS = 500

// Ctrl+C reaches all processes of the terminal. The host ends this one when its requests have their responses.
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))

// Most services import it. A waiting process imports it in advance.
await importInstalled('ashlar/sql')
const takeLoaded = withoutPackage(await registerTypeScript())
subscribe(DEFAULT_LOG, (logged) => {
  const entry = logged as DefaultLogEntry
  if (entry.kind === 'warning') console.error(entry.message)
  else send({ kind: 'exception', exception: reportedException(entry) })
})
let listening: Listening | null = null
process.on('message', (message: ToChild) => {
  if (message.kind === 'load') void serve(message)
  else void close(message.deadline)
})

async function serve(source: ServiceSource): Promise<void> {
  try {
    const { server, database } = await loadService(source)
    listening = await listen(server, { port: 0 })
    const { port } = listening
    const routes = server.routes().map(({ method, path, name, server: own }) => ({ method, path, name, server: own }))
    send({ kind: 'serving', port, service: { types: server.types, routes, database }, files: takeLoaded() })
    setInterval(sendLoaded, LOADED_LATER_MILLISECONDS).unref()
  } catch (thrown) {
    const files = takeLoaded()
    send({ kind: 'failed', failure: await loadFailure(thrown, files), files })
  }
}

function sendLoaded(): void {
  const files = takeLoaded()
  if (files.length > 0) send({ kind: 'loaded', files })
}

async function close(deadline: number): Promise<void> {
  await listening?.close({ deadline })
  process.exit(0)
}

function send(message: FromChild): void {
  process.send?.(message)
}

function withoutPackage(take: TakeLoadedFiles): TakeLoadedFiles {
  return () => take().filter((file) => !isOwnFile(file))
}
