import { existsSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Returns the existing paths that conflict with new files, relative to the directory. */
export function clashes(directory: string, paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    const parts = path.split('/')
    const file = parts.slice(0, -1).findIndex((_, index) => isOther(join(directory, ...parts.slice(0, index + 1))))
    if (file !== -1) return [parts.slice(0, file + 1).join('/')]
    return existsSync(join(directory, path)) ? [path] : []
  })
  return [...new Set(found)]
}

/** Returns whether a path exists and is not a directory. */
function isOther(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
}

/** Writes new files. Rejects instead of overwriting a file. Only the user may read the file with the secrets. */
export async function writeStarter(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 })
  }
}
