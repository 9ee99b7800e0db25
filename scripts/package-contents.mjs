// @ts-check
/**
 * Checks the files that `npm publish` would upload for each package: every file must be expected, and the size must not exceed the
 * limits. Needs a build. The package has no sources: the source maps contain them, so that debuggers show TypeScript.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exit, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { entryNames, programNames } from './bundle.mjs'

/** @typedef {{ path: string, size: number }} PackedFile */
/** @typedef {{ name: string, size: number, unpackedSize: number, files: readonly PackedFile[] }} Packed */

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = new Set([...entryNames, ...programNames].map((name) => `dist/${name}.js`))

/**
 * The limits are 10 % above the current sizes. Increase a limit in the commit that needs it.
 * @type {readonly { folder: string, kilobytes: number, unpackedKilobytes: number, files: number, required: readonly string[], isExpected: (path: string) => boolean }[]}
 */
const packages = [
  {
    folder: '.',
    kilobytes: 3_100,
    unpackedKilobytes: 12_300,
    files: 450,
    required: ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.md', ...programs],
    isExpected: (path) => programs.has(path) || isSharedFile(path) || isDeclaration(path) || isMap(path),
  },
  {
    folder: 'packages/create-ashlar',
    kilobytes: 4,
    unpackedKilobytes: 8,
    files: 5,
    required: ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'bin.mjs'],
    isExpected: () => false,
  },
]

/** @param {string} path */
function isSharedFile(path) {
  return /^dist\/shared\/[\w-]+\.js$/.test(path)
}

/** Returns whether a declaration file belongs to a source file. @param {string} path */
function isDeclaration(path) {
  return path.endsWith('.d.ts') && existsSync(join(root, path.replace(/^dist\/(.+)\.d\.ts$/, 'src/$1.ts')))
}

/** @param {string} path */
function isMap(path) {
  return path.endsWith('.js.map') && existsSync(join(root, path.slice(0, -'.map'.length)))
}

const faults = [...packages.flatMap(faultsOf), ...bundledFaults()]
for (const fault of faults) console.error(fault)
if (faults.length > 0)
  console.error(
    "\nThe files come from 'files' of package.json and from the build; the limits are in scripts/package-contents.mjs.",
  )
exit(faults.length === 0 ? 0 : 1)

/** @param {typeof packages[number]} expected @returns {readonly string[]} */
function faultsOf({ folder, kilobytes, unpackedKilobytes, files, required, isExpected }) {
  const packed = pack(folder)
  const paths = packed.files.map(({ path }) => path)
  const [size, unpacked] = [Math.ceil(packed.size / 1000), Math.ceil(packed.unpackedSize / 1000)]
  console.log(`${packed.name}: ${paths.length} files, ${size} kB packed, ${unpacked} kB unpacked`)
  return [
    ...paths.filter((path) => !required.includes(path) && !isExpected(path)).map((path) => `unexpected: ${path}`),
    ...required.filter((path) => !paths.includes(path)).map((path) => `missing: ${path}`),
    ...(size > kilobytes ? [`${size} kB packed are more than ${kilobytes}`] : []),
    ...(unpacked > unpackedKilobytes ? [`${unpacked} kB unpacked are more than ${unpackedKilobytes}`] : []),
    ...(paths.length > files ? [`${paths.length} files are more than ${files}`] : []),
  ].map((fault) => `${packed.name}: ${fault}`)
}

/** Code of other packages would need their licenses in THIRD-PARTY-NOTICES.md. @returns {readonly string[]} */
function bundledFaults() {
  return readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => {
      /** @type {{ sources: readonly string[] }} */
      const { sources } = JSON.parse(readFileSync(join(root, 'dist', file), 'utf8'))
      const foreign = sources.filter((source) => !/^(?:\.\.\/)+(?:src|examples\/starter\/src)\//.test(source))
      return foreign.map((source) => `dist/${file}: ${source} is bundled, and is not a source of the project`)
    })
}

/** @param {string} folder @returns {Packed} */
function pack(folder) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const options = { cwd: join(root, folder), encoding: /** @type {const} */ ('utf8'), shell: platform === 'win32' }
  return JSON.parse(execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }))[0]
}
