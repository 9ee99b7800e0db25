import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a folder for files that are made once in a test run: see run-folder.ts. */
    runFolder: string
  }
}

/** Below the root of the repository, so that modules in it find the installed packages. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/ashlar/', import.meta.url))

/** Makes the folder of this test run. Also removes the folders of runs that were killed before they could do so. */
export function makeRunFolder(): string {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const [, owner] = /^run-(\d+)-/.exec(name) ?? []
    if (owner !== undefined && !isRunning(Number(owner))) removeFolder(join(cache, name))
  }
  return mkdtempSync(join(cache, `run-${pid}-`))
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

export function emptyFolder(path: string): void {
  removeFolder(path)
  mkdirSync(path)
}

function isRunning(processId: number): boolean {
  try {
    return kill(processId, 0)
  } catch (error) {
    // The process of another user may not be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
