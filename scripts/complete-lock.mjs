// @ts-check
/**
 * Completes package-lock.json after `npm install`. npm drops an optional package for another platform from the lock when
 * the registry at hand does not have it, and `npm ci` then refuses the lock as out of step. This adds the entries that
 * are missing, with the platform that the package's name states and without an integrity value, which nobody has seen.
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

/** The folder whose node_modules holds the package at `place`, with a closing slash. @param {string} place */
function parentOf(place) {
  return place.slice(0, place.lastIndexOf('node_modules/'))
}

/** Looks where node would: in the package itself, then in every folder above it. @param {string} place @param {string} name */
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
    throw new Error(`${name}@${version} is missing from the lock, and its name does not say for which platform it is`)
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
