import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Below the root of the repository, and not below node_modules: its modules are loaded like those of tests. */
const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))

/** Makes a folder of files, which is removed when the test has finished. Returns its path. */
export function sourceFolder(files: Readonly<Record<string, string>>): string {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'sources-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
