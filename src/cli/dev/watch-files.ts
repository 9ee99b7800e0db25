import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDirectory } from '../../discovery/declaration-files.js'

/** Files that are watched for changes. */
export interface FileWatch {
  /** Watches further files. */
  readonly add: (files: Iterable<string>) => void
  close(): void
}

/** A save is often more than one event: the file is emptied, written, renamed. */
const SETTLED_AFTER_MILLISECONDS = 30

/** Whether a new file may be one that a module imports, or one with declarations. */
const isSource = (name: string): boolean =>
  /\.(?:m?[jt]s|json)$/.test(name) && !/\.(?:d|test|spec)\.m?[jt]s$/.test(name)

/**
 * Watches files. It watches their directories, because editors replace files, and because a file that is new or gone may decide
 * whether an import leads anywhere.
 *
 * @param onChange gets the changed files, and when the first of them has changed, as `performance.now()`
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
  const note = (file: string): void => {
    if (changed.size === 0) since = performance.now()
    changed.add(file)
    clearTimeout(timer)
    timer = setTimeout(flush, SETTLED_AFTER_MILLISECONDS)
  }
  const watchDirectory = (directory: string): void => {
    if (directories.has(directory) || !isDirectory(directory)) return
    const watcher = watch(directory, (event, name) => {
      const file = name === null ? directory : join(directory, name)
      if (name === null || watched.has(file) || (event === 'rename' && isSource(name))) note(file)
    })
    // The directory is gone. The modules in it are missed by others.
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
