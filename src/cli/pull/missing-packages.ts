import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { isPostgresUrl } from '../../pull/read/is-postgres-url.js'
import { importInstalled } from '../../util/import-installed.js'
import { addCall, type PackageManager } from '../init/package-manager.js'

/** Returns which packages must be installed to read a database, with the command; null if none is missing. */
export async function missingPackages(address: string, manager: PackageManager): Promise<string | null> {
  const driver = isPostgresUrl(address) ? 'pg' : '@photostructure/sqlite'
  const isMissing = await Promise.all(['kysely', driver].map((name) => isAbsent(name)))
  const missing = ['kysely', driver].filter((_, index) => isMissing[index])
  if (missing.length === 0) return null
  // The command of npx may be a copy that does not find packages of the project.
  const packages = [...(isInstalledHere() ? [] : ['ashlar']), ...missing]
  const are = missing.length === 1 ? 'the package' : 'the packages'
  return `ashlar pull needs ${are} ${missing.join(' and ')}. Install with: ${addCall(manager, packages)}`
}

async function isAbsent(name: string): Promise<boolean> {
  // Any of the packages for SQLite will do, and one of them is in new versions of Node.
  const alternatives = name === '@photostructure/sqlite' ? [name, 'node:sqlite', 'better-sqlite3'] : [name]
  for (const alternative of alternatives) {
    try {
      if ((await importInstalled(alternative)) !== null) return false
    } catch {
      // It is installed, and does not load: opening the database reports why.
      return false
    }
  }
  return true
}

function isInstalledHere(): boolean {
  try {
    return existsSync(createRequire(resolve('package.json')).resolve('ashlar/package.json'))
  } catch {
    return false
  }
}
