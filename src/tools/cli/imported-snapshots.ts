import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { importSpecifiers } from '../../declare/discovery/import-specifiers.js'
import { readSnapshot, type Snapshot } from '../../declare/discovery/snapshot-module.js'

export interface ImportedSnapshot {
  readonly file: string
  readonly snapshot: Snapshot
}

/**
 * Returns the snapshots that a module imports, directly or through other modules of the application. It reads the text of the
 * modules, so that it also finds a snapshot that can no longer be imported. It does not follow imports of packages.
 */
export async function importedSnapshots(module: string): Promise<readonly ImportedSnapshot[]> {
  const found: ImportedSnapshot[] = []
  const files = new Set([resolve(module)])
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    const snapshot = readSnapshot(text)
    if (snapshot === null) {
      for (const specifier of importSpecifiers(text)) addExisting(files, importedFile(specifier, file))
    } else {
      found.push({ file, snapshot })
    }
  }
  return found
}

function addExisting(files: Set<string>, path: string | null): void {
  if (path === null) return
  // A loader for TypeScript finds the source by the name of the compiled file.
  const file = [path, path.replace(/\.(m?)js$/, '.$1ts')].find((candidate) => existsSync(candidate))
  if (file !== undefined && /\.[cm]?[jt]s$/.test(file) && statSync(file).isFile()) files.add(file)
}

/** Resolves a specifier to a path: a relative specifier, or one of the `imports` of package.json. */
function importedFile(specifier: string, importer: string): string | null {
  if (/^\.\.?\//.test(specifier)) return resolve(dirname(importer), specifier)
  if (!specifier.startsWith('#')) return null
  try {
    return createRequire(importer).resolve(specifier)
  } catch {
    // It cannot be resolved, or only by `import`. In the first case, the import of the server fails too.
    return null
  }
}
