import { startErrorText } from '../start-error.js'
import { settings } from '../settings.js'
import { openStorage } from '../storage/storage.js'
import { type AddedRows, generate, type GenerateOptions } from './generate.js'
import { readCommand } from './options.js'
import { progressBar } from './progress-bar.js'

/** Fills the database that the environment names. If it is interrupted, nothing is added. */
async function fill(options: GenerateOptions): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const bar = progressBar(process.stderr, options.tracks)
  const begin = performance.now()
  const storage = await openStorage(settings.storage)
  try {
    bar.show(0)
    const onProgress = (tracks: number): void => bar.show(tracks)
    const added = await generate(storage, { ...options, onProgress, signal: interrupted.signal })
    bar.clear()
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    console.log(`Added to ${settings.storageName} in ${seconds} s: ${summaryOf(added)}.`)
  } catch (error) {
    bar.clear()
    if (!interrupted.signal.aborted) throw error
    console.error('Interrupted: nothing was added.')
    process.exitCode = 130
  } finally {
    await storage.close()
  }
}

function summaryOf({ artists, albums, tracks, users, playlists, favorites, plays }: AddedRows): string {
  return Object.entries({ artists, albums, tracks, users, playlists, favorites, plays })
    .map(([name, count]) => `${count.toLocaleString('en-US')} ${count === 1 ? name.slice(0, -1) : name}`)
    .join(', ')
}

const command = readCommand(process.argv.slice(2))
switch (command.kind) {
  case 'help':
    console.log(command.text)
    break
  case 'refused':
    console.error(command.reason)
    process.exitCode = 2
    break
  case 'generate':
    try {
      await fill(command)
    } catch (error) {
      const reason = startErrorText(error)
      if (reason === null) throw error
      console.error(reason)
      process.exitCode = 1
    }
}
