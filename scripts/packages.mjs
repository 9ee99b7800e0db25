// @ts-check
/**
 * The published packages that are built from src/. The `exports` and the `bin` of a package.json name the files of a package in its `dist`; each
 * is built from the source file of the same name.
 */
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} folder  relative to the root of the repository
 * @property {readonly string[]} entries  names of the files that can be imported, such as `index` and `sql`
 * @property {readonly string[]} programs  names of the files that are run: the program of `bin`, and those that it runs in processes and threads
 * @property {readonly string[]} specifiers  what can be imported, in the order of `entries`: `ashlar`, `ashlar/sql`
 * @property {ReadonlySet<string>} imports  the packages that its files may import
 */

export const ashlar = readPackage('.')
export const cli = readPackage('packages/cli', ['tools/cli/dev/child', 'tools/cli/typescript/hooks-thread'])
export const verify = readPackage('packages/verify')
export const client = readPackage('packages/client')

export const packages = [ashlar, cli, verify, client]

/** @param {string} folder @param {readonly string[]} [programs] @returns {Package} */
function readPackage(folder, programs = []) {
  const manifest = JSON.parse(readFileSync(new URL(`../${folder}/package.json`, import.meta.url), 'utf8'))
  /** Subpaths with types. The others, such as package.json, are not for applications. */
  const exported = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object')
  return {
    name: manifest.name,
    folder,
    entries: exported.map(([, target]) => nameOf(target.default)),
    specifiers: exported.map(([subpath]) => `${manifest.name}${subpath.slice(1)}`),
    programs: [
      ...Object.values(manifest.bin ?? {}).flatMap((file) => (file.includes('/dist/') ? [nameOf(file)] : [])),
      ...programs,
    ],
    imports: new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })),
  }
}

/** @param {string} file */
function nameOf(file) {
  return file.replace(/^\.\/dist\/(.+)\.js$/, '$1')
}
