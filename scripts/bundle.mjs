// @ts-check
/**
 * Bundles src/ into the JavaScript of the packages of packages.mjs: one file for each entry and program, and shared files. The packages
 * `ashlar` and `@ashlar/cli` are bundled together, so that each class and each cache exists once in a process: the command line imports the
 * shared files of `ashlar` as `ashlar/internal/…`. The other packages contain all modules that they need.
 * `node scripts/bundle.mjs <folder>` writes them to a folder, as they are in the repository: `dist`, `packages/cli/dist`, …
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix, resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { ashlar, cli, client, packages, verify } from './packages.mjs'
import { rawTexts } from './raw-texts.mjs'

/** @typedef {import('./packages.mjs').Package} Package */
/** @typedef {import('rolldown').OutputChunk} Chunk */
/** @typedef {Pick<Chunk, 'fileName' | 'code' | 'map' | 'imports' | 'dynamicImports'>} Written */

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that src/ may import. They are never bundled. */
const imports = new Set(packages.flatMap((each) => [...each.imports]))

/** @type {import('rolldown').OutputOptions} */
const common = {
  entryFileNames: '[name].js',
  chunkFileNames: 'shared/[name].js',
  // The code is not minified: it is what debuggers and stack traces show.
  minify: false,
  minifyInternalExports: false,
}

/** @type {import('rolldown').OutputOptions} */
const forNode = {
  ...common,
  // A function that the bundler renames has its original name in stack traces.
  keepNames: true,
}

/** @param {string} folder */
export async function bundle(folder) {
  const [server, commands] = await serverAndCommands()
  writeFiles(folder, ashlar, server)
  writeFiles(folder, cli, commands)
  writeFiles(folder, verify, await chunksOf([verify], { ...forNode, codeSplitting: false }))
  // Builds of web pages join the maps of packages to their own. They contain the sources, because the package has no src/.
  writeFiles(folder, client, await chunksOf([client], { ...common, sourcemap: true }))
}

/** @returns {Promise<[Chunk[], Written[]]>} the files of `ashlar`, and those of the command line */
async function serverAndCommands() {
  // Everything that src/index.ts needs is in one file, because every service loads all of it.
  const core = { name: 'core', test: (/** @type {string} */ file) => file === resolve(root, 'src/index.ts') }
  const chunks = await chunksOf([ashlar, cli], { ...forNode, codeSplitting: { groups: [core] } })
  expectEachOnce(chunks)
  const own = reachable(chunks, ashlar)
  const [server, commands] = [true, false].map((isOwn) => chunks.filter(({ fileName }) => own.has(fileName) === isOwn))
  return [server ?? [], (commands ?? []).map((chunk) => withInternalImports(chunk, own))]
}

/** Returns a file of the command line, which imports files of `ashlar` by its name. @param {Chunk} chunk @param {ReadonlySet<string>} own @returns {Written} */
function withInternalImports({ fileName, code, imports: found, dynamicImports }, own) {
  let text = code
  const specifiers = [...found, ...dynamicImports].map((imported) => {
    if (!own.has(imported)) return imported
    const [, name] = /^shared\/(.+)$/.exec(imported) ?? []
    if (name === undefined) throw new Error(`${fileName} of ${cli.name} imports ${imported}, which is not shared.`)
    const path = posix.relative(posix.dirname(fileName), imported)
    const specifier = `${ashlar.name}/internal/${name}`
    text = text.replaceAll(`"${path.startsWith('.') ? path : `./${path}`}"`, `"${specifier}"`)
    return specifier
  })
  return { fileName, code: text, map: null, imports: specifiers, dynamicImports: [] }
}

/** Returns the names of the files that the entries of a package import. @param {readonly Chunk[]} chunks @param {Package} from */
function reachable(chunks, { entries }) {
  const files = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set(entries.map((name) => `${name}.js`))
  for (const name of found) {
    const chunk = files.get(name)
    for (const imported of [...(chunk?.imports ?? []), ...(chunk?.dynamicImports ?? [])]) {
      if (files.has(imported)) found.add(imported)
    }
  }
  return found
}

/** @param {readonly Package[]} from @param {import('rolldown').OutputOptions} options @returns {Promise<Chunk[]>} */
async function chunksOf(from, options) {
  const names = from.flatMap(({ entries, programs }) => [...entries, ...programs])
  const input = Object.fromEntries(names.map((name) => [name, resolve(root, `src/${name}.ts`)]))
  const { output } = await bundled(input, (build) => build.generate(options))
  return output.filter((file) => file.type === 'chunk')
}

/** @param {string} folder @param {Package} into @param {readonly Written[]} chunks */
function writeFiles(folder, into, chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName))
  for (const { fileName, imports: found, dynamicImports, code, map } of chunks) {
    for (const specifier of [...found, ...dynamicImports]) expectDependency(into, specifier, own)
    const file = join(folder, into.folder, 'dist', fileName)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
    if (map) writeFileSync(`${file}.map`, map.toString())
  }
}

/** @param {Package} from @param {string} specifier @param {ReadonlySet<string>} own */
function expectDependency({ name, imports: allowed }, specifier, own) {
  if (own.has(specifier) || specifier.startsWith('shared/') || isBuiltin(specifier)) return
  if (allowed.has(packageOf(specifier))) return
  throw new Error(`${name} imports '${specifier}', which is neither a dependency nor a peer dependency of it.`)
}

/** @param {string} specifier */
function packageOf(specifier) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
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
  if (isBuiltin(specifier) || imports.has(packageOf(specifier))) return true
  throw new Error(`src/ imports '${specifier}', which is neither a dependency nor a peer dependency of a package.`)
}

/** @param {readonly Chunk[]} chunks */
function expectEachOnce(chunks) {
  /** @type {Map<string, string>} */
  const places = new Map()
  for (const { fileName, modules } of chunks) {
    for (const module of Object.keys(modules)) {
      const other = places.get(module)
      if (other !== undefined) throw new Error(`${module} is in two files: ${other} and ${fileName}.`)
      places.set(module, fileName)
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
