import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDirectory } from '../../../declare/discovery/declaration-files.js'

/** Files that are watched for changes. */
export interface FileWatch {
  /** Watches further files. */
  readonly add: (files: Iterable<string>) => void
  close(): void
}

/** Saving a file often causes several events: it is emptied, written, renamed. */
const DEBOUNCE_MILLISECONDS = 30

/** Returns whether a new file may be imported by a module, or contain declarations. */
const isSource = (name: string): boolean =>
  /\.(?:m?[jt]s|json)$/.test(name) && !/\.(?:d|test|spec)\.m?[jt]s$/.test(name)

/**
 * Watches files. It watches their directories, because editors replace files, and because new and removed files change how
 * imports are resolved.
 *
 * @param onChange gets the changed files, and the time of the first change, as `performance.now()`
 */
export function watchFiles(onChange: (files: readonly string[], since: number) => void): FileWatch {
  const watched = new Set<string>()
  const directories = new Map<string, FSWatcher>()
  let changed = new Set<string>()
  let since = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    const files = [...changed]
    changed = new Set()
    onChange(files, since)
  }
  const addChange = (file: string): void => {
    if (changed.size === 0) since = performance.now()
    changed.add(file)
    clearTimeout(timer)
    timer = setTimeout(flush, DEBOUNCE_MILLISECONDS)
  }
  const watchDirectory = (directory: string): void => {
    if (directories.has(directory) || !isDirectory(directory)) return
    const watcher = watch(directory, (event, name) => {
      const file = name === null ? directory : join(directory, name)
      if (name === null || watched.has(file) || (event === 'rename' && isSource(name))) addChange(file)
    })
    // The directory was removed. Changes of the modules that import from it are still reported.
    watcher.on('error', () => watcher.close())
    directories.set(directory, watcher)
  }
  return {
    add(files) {
      for (const file of files) {
        watched.add(file)
        watchDirectory(dirname(file))
      }
    },
    close() {
      clearTimeout(timer)
      for (const watcher of directories.values()) watcher.close()
    },
  }
}
