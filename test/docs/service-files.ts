import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fence } from './fences.js'
import { sourcesIn } from './sandbox.js'

const starter = fileURLToPath(new URL('../../examples/starter/src', import.meta.url))

/** The sources of a service, by their paths in its folder. */
export type ServiceFiles = Readonly<Record<string, string>>

/** The sources that `ashlar init` writes for SQLite. */
export function freshService(): ServiceFiles {
  const sources = sourcesIn(starter).filter(({ name }) => !name.startsWith('postgres'))
  return Object.fromEntries(sources.map(({ name, text }) => [join('src', name), text]))
}

/**
 * Returns the files after a step of a page: `ts file=…` is a new file, or replaces one if it is marked `replaces`, `diff file=…` changes an existing one. The lines that
 * a `diff` leaves or removes must be in the file, together and once, so that a reader finds them.
 */
export function afterStep(files: ServiceFiles, { language, info, text, location }: Fence): ServiceFiles {
  const { file = '' } = info
  const before = files[file]
  if (language === 'ts') {
    if (before !== undefined && !('replaces' in info))
      throw new Error(`${location}: ${file} is there already: show what changes in it`)
    return { ...files, [file]: text }
  }
  if (before === undefined) throw new Error(`${location}: there is no ${file} to change`)
  const lines = text.split('\n').filter((line) => line !== '')
  const parts = before.split(asWritten(lines, '-'))
  if (parts.length !== 2) {
    const times = parts.length === 1 ? 'not' : `${parts.length - 1} times`
    throw new Error(`${location}: the lines that it leaves and removes are ${times} in ${file}`)
  }
  return { ...files, [file]: parts.join(asWritten(lines, '+')) }
}

/** Returns the lines that a `diff` leaves, with the lines that have the mark. */
function asWritten(lines: readonly string[], mark: '-' | '+'): string {
  const written = lines.filter((line) => line.startsWith(' ') || line.startsWith(mark))
  return written.map((line) => `${line.slice(1)}\n`).join('')
}
