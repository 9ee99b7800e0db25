// @ts-check
/**
 * Native packages that are not installed. npm installs a package without its binding, and without a message, if the registry
 * does not have the binding for the platform. Programs then fail late, and with errors that do not name the reason.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { platformInName, searchedPlaces } from './package-platform.mjs'

/** @typedef {import('./package-platform.mjs').Platform} Platform */
/** @typedef {{ os: string, cpu: string, libc: string | null }} Machine */
/** @typedef {Platform & { version?: string, optionalDependencies?: Record<string, string> }} Entry an entry of package-lock.json */

/** Packages that contain their bindings for all platforms, instead of one package for each. */
const bundled = ['@photostructure/sqlite']

/** Returns a text with each native package that this machine lacks, and with the remedy. Null if there are all. */
export function missingBindingsText(root = fileURLToPath(new URL('..', import.meta.url)), machine = thisMachine()) {
  const missing = [...missingPackages(root, machine), ...unloadable(root)]
  if (missing.length === 0) return null
  const platform = [machine.os, machine.cpu, machine.libc].filter((word) => word !== null).join(' ')
  return [
    `Native packages are missing for this platform (${platform}):`,
    ...missing.map((text) => `  - ${text}`),
    "Remedy: run 'npm ci'. If that does not help, the registry does not have the package: 'npm view <package> versions' lists what it has.",
    "Set a version in package.json that exists for all platforms, and run 'npm install' and 'node scripts/complete-lock.mjs'.",
  ].join('\n')
}

/** @returns {Machine} */
function thisMachine() {
  const { platform: os, arch: cpu } = process
  return { os, cpu, libc: os === 'linux' ? libcOfProcess() : null }
}

/** Detects the C library as npm does. */
function libcOfProcess() {
  const { report } = process
  if (report === undefined) return null
  // Otherwise the report looks up the names of hosts.
  Object.assign(report, { excludeNetwork: true })
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (report.getReport())
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}

/** @param {string} root @param {Machine} machine @returns {string[]} */
function missingPackages(root, machine) {
  /** @type {{ packages: Record<string, Entry> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = []
  for (const [place, entry] of Object.entries(packages)) {
    for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
      const places = searchedPlaces(place, name)
      const locked = packages[places.find((found) => packages[found] !== undefined) ?? '']
      const platform = { ...platformInName(name), ...locked }
      // Other optional packages have no platform, and nothing fails without them.
      if (platform.os === undefined && platform.cpu === undefined) continue
      if (!fits(platform, machine) || !existsSync(join(root, place))) continue
      if (places.some((found) => existsSync(join(root, found, 'package.json')))) continue
      missing.push(`${name} ${locked?.version ?? wanted}, which ${nameOf(place)} ${entry.version ?? ''} needs`)
    }
  }
  return missing
}

/** @param {Platform} platform @param {Machine} machine */
function fits({ os, cpu, libc }, machine) {
  return (
    (os?.includes(machine.os) ?? true) &&
    (cpu?.includes(machine.cpu) ?? true) &&
    (libc === undefined || machine.libc === null || libc.includes(machine.libc))
  )
}

/** @param {string} place */
function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** @param {string} root @returns {string[]} */
function unloadable(root) {
  const require = createRequire(join(root, 'package.json'))
  return bundled.flatMap((name) => {
    try {
      require(name)
      return []
    } catch (error) {
      return [`${name}, which does not load: ${String(error).split('\n', 1).join('')}`]
    }
  })
}
