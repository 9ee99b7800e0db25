// @ts-check
/**
 * `node scripts/check-release.mjs v0.2.0`: fails unless a tag, the packages, the lock and the changelogs have the same version, and all
 * changesets are in a changelog. Without a tag it checks the rest.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { argv, exit } from 'node:process'

const [, , tag] = argv
const { version } = read('package.json')
const { packages } = read('package-lock.json')
const folders = readdirSync(path('packages')).map((name) => `packages/${name}`)

/** @type {readonly (readonly [string, unknown])[]} */
const versions = [
  ['package-lock.json', packages[''].version],
  ['CHANGELOG.md', newestIn('CHANGELOG.md')],
  ...folders.flatMap(versionsIn),
  ...(tag === undefined ? [] : [/** @type {const} */ (['the tag', tag.replace(/^v/, '')])]),
]
const faults = versions
  .filter(([, found]) => found !== version)
  .map(([place, found]) => `${place} has the version ${String(found)}`)
const waiting = tag === undefined ? [] : readdirSync(path('.changeset')).filter((file) => file.endsWith('.md'))
faults.push(...waiting.map((file) => `.changeset/${file} is in no changelog`))
if (faults.length > 0) {
  console.error(`The version of package.json is ${version}, but\n  ${faults.join('\n  ')}`)
  console.error('Run npm run release:version, commit its changes, and tag that commit.')
  exit(1)
}

/** Returns the versions of a package and of its dependencies on the others. @param {string} folder @returns {(readonly [string, unknown])[]} */
function versionsIn(folder) {
  const manifest = read(`${folder}/package.json`)
  const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) => /^(?:@ashlar\/|ashlar$)/.test(name))
  return [
    [`${folder}/package.json`, manifest.version],
    ...own.map(([name, found]) => /** @type {const} */ ([`'${name}' in ${folder}/package.json`, found])),
    [`'${folder}' in package-lock.json`, packages[folder]?.version],
    [`${folder}/CHANGELOG.md`, newestIn(`${folder}/CHANGELOG.md`)],
  ]
}

/** @param {string} file */
function path(file) {
  return new URL(`../${file}`, import.meta.url)
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(path(file), 'utf8'))
}

/** @param {string} file */
function newestIn(file) {
  return existsSync(path(file)) ? /^## (\S+)/m.exec(readFileSync(path(file), 'utf8'))?.[1] : undefined
}
