import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fence } from './fences.js'
import { sourcesIn } from './sandbox.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = 'examples/music/src'

/** The files of a clone that a page changes, by their paths in the repository. */
export type CloneFiles = Readonly<Record<string, string>>

/** The sources of the example as they are. */
export function freshClone(): CloneFiles {
  const sources = sourcesIn(join(root, example))
  return Object.fromEntries(sources.map(({ name, text }) => [`${example}/${name}`, text]))
}

/**
 * The files after a step of a page: `ts file=…` is a new file, `diff file=…` changes one that is there. The lines of a
 * `diff` that it keeps or removes have to be in the file, together and once, so that a reader finds the same place.
 */
export function afterStep(files: CloneFiles, { language, info, text, place }: Fence): CloneFiles {
  const { file = '' } = info
  const before = files[file]
  if (language === 'ts') {
    if (before !== undefined) throw new Error(`${place}: ${file} is there already: show what changes in it`)
    return { ...files, [file]: text }
  }
  if (before === undefined) throw new Error(`${place}: there is no ${file} to change`)
  const lines = text.split('\n').filter((line) => line !== '')
  const parts = before.split(asWritten(lines, '-'))
  if (parts.length !== 2) {
    const times = parts.length === 1 ? 'not' : `${parts.length - 1} times`
    throw new Error(`${place}: what it keeps and removes is ${times} in ${file}`)
  }
  return { ...files, [file]: parts.join(asWritten(lines, '+')) }
}

/** The lines that a `diff` keeps, with those that it marks so. */
function asWritten(lines: readonly string[], mark: '-' | '+'): string {
  const kept = lines.filter((line) => line.startsWith(' ') || line.startsWith(mark))
  return kept.map((line) => `${line.slice(1)}\n`).join('')
}

/** Files on the disk, where they find the packages of the repository, and tests can import them. */
export interface CloneFolder {
  readonly path: string
  write(files: CloneFiles): void
  remove(): void
}

export function cloneFolder(): CloneFolder {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const path = mkdtempSync(join(cache, 'clone-'))
  return {
    path,
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), text)
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
