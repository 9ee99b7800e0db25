// @ts-check
/**
 * Completes package-lock.json after `npm install`. npm removes an optional package for another platform from the lock if
 * the registry does not have it, and `npm ci` then rejects the lock. This adds the missing entries, with the platform in
 * the name of the package, and without an integrity value, which is unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parentOf, platformInName, searchedPlaces } from './package-platform.mjs'

/**
 * @typedef {object} Entry
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */

const path = new URL('../package-lock.json', import.meta.url)
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(path, 'utf8'))

let added = 0
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (searchedPlaces(place, name).some((found) => lock.packages[found] !== undefined)) continue
    lock.packages[`${parentOf(place)}node_modules/${name}`] = missingEntry(name, version, entry.dev === true)
    added += 1
  }
}

if (added > 0) {
  const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => one.localeCompare(other, 'en'))
  lock.packages = Object.fromEntries(sorted)
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(added === 0 ? 'The lock is complete.' : `Added ${added} optional packages for other platforms to the lock.`)

/** @param {string} name @param {string} version @param {boolean} dev @returns {Entry} */
function missingEntry(name, version, dev) {
  const { os, cpu, libc } = platformInName(name)
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version) || (os === undefined && cpu === undefined)) {
    throw new Error(`${name}@${version} is missing in the lock, and its name does not contain its platform`)
  }
  return {
    version,
    ...(cpu !== undefined && { cpu }),
    ...(dev && { dev }),
    ...(libc !== undefined && { libc }),
    optional: true,
    ...(os !== undefined && { os }),
  }
}
