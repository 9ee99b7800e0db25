import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { engineAt } from '../../pull/read/pull-engines.js'
import { importInstalled } from '../../../core/util/import-installed.js'
import { addCall, type PackageManager } from '../init/package-manager.js'

/** Returns which packages must be installed to read a database, with the command; null if none is missing. */
export async function missingPackages(address: string, manager: PackageManager): Promise<string | null> {
  const needed = [['kysely'], engineAt(address).packages]
  const isMissing = await Promise.all(needed.map(areAbsent))
  const missing = needed.flatMap(([first = ''], index) => (isMissing[index] === true ? [first] : []))
  if (missing.length === 0) return null
  // The command of npx may be a copy that does not find packages of the project.
  const calls = [
    ...(isInstalledHere() ? [] : [addCall(manager, ['@ashlar/cli'], { isDev: true })]),
    addCall(manager, missing),
  ]
  const are = missing.length === 1 ? 'the package' : 'the packages'
  return `ashlar pull needs ${are} ${missing.join(' and ')}. Install with: ${calls.join(' && ')}`
}

/** Returns whether none of several packages is there, of which any will do. One for SQLite is in new versions of Node. */
async function areAbsent(alternatives: readonly string[]): Promise<boolean> {
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
    return existsSync(createRequire(resolve('package.json')).resolve('@ashlar/cli/package.json'))
  } catch {
    return false
  }
}
