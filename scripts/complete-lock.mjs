// @ts-check
/**
 * Completes package-lock.json after `npm install`. npm removes an optional package for another platform from the lock if
 * the registry does not have it, and `npm ci` then rejects the lock. This adds the missing entries, with the platform in
 * the name of the package, and without an integrity value, which is unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs'

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

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const path = new URL('../package-lock.json', import.meta.url)
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(path, 'utf8'))

let added = 0
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (found(place, name)) continue
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

/** Returns the folder whose node_modules contains the package at a path, with a slash at the end. @param {string} place */
function parentOf(place) {
  return place.slice(0, place.lastIndexOf('node_modules/'))
}

/** Searches as Node does: in the package itself, then in each parent folder. @param {string} place @param {string} name */
function found(place, name) {
  for (let folder = place; ; folder = parentOf(folder).replace(/\/$/, '')) {
    if (lock.packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

/** @param {string} name @param {string} version @param {boolean} dev @returns {Entry} */
function missingEntry(name, version, dev) {
  const words = name.split(/[/-]/)
  const os = systems.filter((word) => words.includes(word))
  const cpu = processors.filter((word) => words.includes(word))
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version) || os.length + cpu.length === 0) {
    throw new Error(`${name}@${version} is missing in the lock, and its name does not contain its platform`)
  }
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : null
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc !== null && { libc: [libc] }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}
