// @ts-check
/**
 * Bundles src/ into one JavaScript file for each entry of package.json: the subpaths of `exports`, and the program of `bin`.
 * Code that several entries need is in shared files, so that each class and each cache exists once in a process.
 * `node scripts/bundle.mjs <folder>` writes the files to a folder.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { rawTexts } from './raw-texts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The packages that src/ may import. They are never bundled. */
const packages = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))

/** The entries by their names in dist/, such as `sql` and `cli`. */
export const entryNames = [
  ...Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : [target.default])),
  ...Object.values(manifest.bin),
].map((/** @type {string} */ file) => file.replace(/^\.\/dist\/(.+)\.js$/, '$1'))

/** Modules that the command line runs in separate processes and threads. */
export const programNames = ['tools/cli/dev/child', 'tools/cli/typescript/hooks-thread']

/** Entries for browsers and other runtimes. They share no file with the entries for Node, which may import modules of Node. */
const browserNames = ['client', 'tanstack-query']

/** @param {string} folder */
export async function bundle(folder) {
  const nodeNames = [...entryNames, ...programNames].filter((name) => !browserNames.includes(name))
  /** @type {import('rolldown').OutputOptions} */
  const common = {
    dir: folder,
    entryFileNames: '[name].js',
    // The maps contain the sources: the package has no src/.
    sourcemap: true,
    // The code is not minified.
    minify: false,
    minifyInternalExports: false,
  }
  const forNode = await bundled(inputOf(nodeNames), (build) =>
    build.write({
      ...common,
      chunkFileNames: 'shared/[name].js',
      // Everything that src/index.ts needs is in one file, because every service loads all of it.
      codeSplitting: { groups: [{ name: 'core', test: (file) => file === resolve(root, 'src/index.ts') }] },
      // A function that the bundler renames has its original name in stack traces.
      keepNames: true,
    }),
  )
  const forBrowsers = await bundled(inputOf(browserNames), (build) =>
    build.write({ ...common, chunkFileNames: 'shared/browser/[name].js' }),
  )
  expectEachOnce([...forNode.output, ...forBrowsers.output])
}

/** @param {readonly string[]} names */
function inputOf(names) {
  return Object.fromEntries(names.map((name) => [name, resolve(root, `src/${name}.ts`)]))
}

/**
 * Imports a module of src/ that imports no packages.
 * @param {string} path @returns {Promise<Record<string, any>>}
 */
export async function importSource(path) {
  const { output } = await bundled(resolve(root, path), (build) => build.generate({ codeSplitting: false }))
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

/**
 * Imports a module of src/ that may import packages.
 * @param {string} path @returns {Promise<Record<string, any>>}
 */
export async function importSourceFile(path) {
  const { output } = await bundled(resolve(root, path), (build) => build.generate({ codeSplitting: false }))
  // Below the root, where packages are found.
  const folder = mkdtempSync(resolve(root, 'node_modules/.source-'))
  try {
    writeFileSync(resolve(folder, 'module.mjs'), output[0].code)
    return await import(pathToFileURL(resolve(folder, 'module.mjs')).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string | Record<string, string>} input
 * @param {(build: import('rolldown').RolldownBuild) => Promise<import('rolldown').RolldownOutput>} write
 */
async function bundled(input, write) {
  const build = await rolldown({ ...inputOptions, input })
  try {
    return await write(build)
  } finally {
    await build.close()
  }
}

/** @type {import('rolldown').InputOptions} */
const inputOptions = {
  cwd: root,
  platform: 'node',
  tsconfig: resolve(root, 'tsconfig.build.json'),
  external: isExternal,
  plugins: [rawTexts()],
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message)
  },
}

/** @param {string} specifier */
function isExternal(specifier) {
  if (/^[./]/.test(specifier) || resolve(specifier) === specifier) return false
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  if (isBuiltin(specifier) || (name !== undefined && packages.has(name))) return true
  throw new Error(`src/ imports '${specifier}', which is neither a dependency nor a peer dependency of the package.`)
}

/** @param {readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} output */
function expectEachOnce(output) {
  /** @type {Map<string, string>} */
  const places = new Map()
  for (const file of output) {
    if (file.type !== 'chunk') continue
    for (const module of Object.keys(file.modules)) {
      const other = places.get(module)
      if (other !== undefined) throw new Error(`${module} is in two files: ${other} and ${file.fileName}.`)
      places.set(module, file.fileName)
    }
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const folder = argv[2]
  if (folder === undefined) {
    console.error('Usage: node scripts/bundle.mjs <folder>')
    exit(2)
  }
  await bundle(resolve(folder))
}
