import { statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the files below a directory that may hold declarations, as paths with slashes, relative to the directory. The order
 * depends only on the names, and is the same for sources and for compiled files.
 *
 * If a TypeScript file and the JavaScript file that it is compiled to are in the same directory, only the latter counts: both
 * declare the same.
 */
export async function declarationFiles(directory: string): Promise<readonly string[]> {
  const files = await filesBelow(directory, '')
  const byCompiledName = new Map<string, string>()
  for (const file of files) {
    const name = compiledName(file)
    if (file === name || !byCompiledName.has(name)) byCompiledName.set(name, file)
  }
  return [...byCompiledName].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, file]) => file)
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Returns the name that a TypeScript file is imported by: `albums.js` for `albums.ts`. */
export function compiledName(file: string): string {
  return file.replace(/\.(m?)ts$/, '.$1js')
}

/** Returns whether a path relative to a directory is that of a declaration file. */
export function isDeclarationFile(path: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return folders.every(isEntered) && isFound(name)
}

async function filesBelow(directory: string, path: string): Promise<readonly string[]> {
  const files: string[] = []
  for (const entry of await readdir(join(directory, path), { withFileTypes: true })) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) {
      if (isEntered(entry.name)) files.push(...(await filesBelow(directory, below)))
    } else if (isFound(entry.name) && (await isFile(entry, join(directory, below)))) {
      files.push(below)
    }
  }
  return files
}

/** Links to files count. Links to directories do not, because they can create cycles. */
async function isFile(entry: { isFile(): boolean; isSymbolicLink(): boolean }, path: string): Promise<boolean> {
  return entry.isFile() || (entry.isSymbolicLink() && (await stat(path)).isFile())
}

function isEntered(folder: string): boolean {
  return !/^[._]|^node_modules$/.test(folder)
}

function isFound(name: string): boolean {
  return /^[^._].*\.m?[jt]s$/.test(name) && !/\.(?:d|test|spec|snapshot)\.m?[jt]s$/.test(name)
}
