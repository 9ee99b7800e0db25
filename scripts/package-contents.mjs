// @ts-check
/**
 * Checks the files that `npm publish` would upload for each package: every file must be expected, and the size must not exceed the
 * limits. Needs a build.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exit, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ashlar, cli, client, verify } from './packages.mjs'

/** @typedef {{ path: string, size: number }} PackedFile */
/** @typedef {{ name: string, size: number, unpackedSize: number, files: readonly PackedFile[] }} Packed */
/** @typedef {{ kilobytes: number, unpackedKilobytes: number, files: number }} Limits */
/** @typedef {Limits & { folder: string, required: readonly string[], isExpected: (path: string) => boolean }} Expected */

const root = fileURLToPath(new URL('..', import.meta.url))

const texts = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']
const notices = [...texts, 'THIRD-PARTY-NOTICES.md']

/**
 * The limits are 10 % above the current sizes. Increase a limit in the commit that needs it.
 * @type {readonly Expected[]}
 */
const packages = [
  expected(ashlar, [...notices, 'bin.mjs'], { kilobytes: 1_060, unpackedKilobytes: 3_850, files: 380 }),
  expected(cli, notices, { kilobytes: 230, unpackedKilobytes: 770, files: 30 }),
  expected(verify, notices, { kilobytes: 90, unpackedKilobytes: 320, files: 7 }),
  expected(client, texts, { kilobytes: 75, unpackedKilobytes: 260, files: 45 }),
  {
    folder: 'packages/create-ashlar',
    kilobytes: 4,
    unpackedKilobytes: 8,
    files: 5,
    required: [...texts, 'bin.mjs'],
    isExpected: () => false,
  },
]

/** @param {import('./packages.mjs').Package} of @param {readonly string[]} others @param {Limits} limits @returns {Expected} */
function expected({ folder, entries, programs }, others, limits) {
  const code = [...entries, ...programs].map((name) => `dist/${name}.js`)
  return {
    ...limits,
    folder,
    required: [...others, ...code],
    isExpected: (path) =>
      isSharedFile(path) || isDeclaration(path) || (folder === client.folder && isMapOf(path, code)),
  }
}

/** @param {string} path */
function isSharedFile(path) {
  return /^dist\/shared\/[\w-]+\.js$/.test(path)
}

/** Returns whether a declaration file belongs to a source file. @param {string} path */
function isDeclaration(path) {
  return path.endsWith('.d.ts') && existsSync(join(root, path.replace(/^dist\/(.+)\.d\.ts$/, 'src/$1.ts')))
}

/** @param {string} path @param {readonly string[]} code */
function isMapOf(path, code) {
  return code.some((file) => path === `${file}.map`)
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

/** Code of other packages would need their licenses in THIRD-PARTY-NOTICES.md. The bundler names each module before its code. @returns {readonly string[]} */
function bundledFaults() {
  return [ashlar, cli, verify, client].flatMap(({ name, folder }) =>
    readdirSync(join(root, folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) =>
        modulesIn(readFileSync(join(root, folder, 'dist', file), 'utf8')).map((module) => ({ file, module })),
      )
      .filter(({ module }) => !/^(?:src|examples\/starter\/src)\/|^\\0rolldown\/runtime\.js$/.test(module))
      .map(({ file, module }) => `${name}: dist/${file}: ${module} is bundled, and is not a source of the project`),
  )
}

/** @param {string} code @returns {readonly string[]} */
function modulesIn(code) {
  return [...code.matchAll(/^\/\/ ((?:\\0)?[\w@.-]+\/\S+\.[cm]?[jt]sx?(?:\?raw)?)$/gm)].map(([, module = '']) => module)
}

/** @param {string} folder @returns {Packed} */
function pack(folder) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const options = { cwd: join(root, folder), encoding: /** @type {const} */ ('utf8'), shell: platform === 'win32' }
  return JSON.parse(execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }))[0]
}
