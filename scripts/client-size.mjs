// Prints how many bytes `@ashlar/client` has with several bundlers, minified and gzipped. Needs bundlers that the package does not:
// npm install --no-save esbuild terser webpack
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const entry = fileURLToPath(new URL('../src/client.ts', import.meta.url))

async function withRolldown(minify) {
  const build = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await build.generate({ minify, format: 'es' })
  await build.close()
  return output[0].code
}

async function withEsbuild(target = 'esnext') {
  const { build } = await installed('esbuild')
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', target, write: false }
  return (await build({ entryPoints: [entry], ...options })).outputFiles[0].text
}

/** Minifies one module, as Rollup writes it too. */
async function withTerser() {
  const { minify } = await installed('terser')
  return (await minify(await withRolldown(false), { module: true })).code
}

/** Bundles one module, because webpack reads no TypeScript. */
async function withWebpack() {
  const { default: webpack } = await installed('webpack')
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-client-'))
  try {
    writeFileSync(join(folder, 'client.mjs'), await withRolldown(false))
    const output = { path: folder, filename: 'bundle.mjs', library: { type: 'module' } }
    const options = {
      mode: 'production',
      entry: join(folder, 'client.mjs'),
      experiments: { outputModule: true },
      output,
    }
    await new Promise((resolve, reject) => {
      webpack(options, (error) => (error === null ? resolve(null) : reject(error)))
    })
    return readFileSync(join(folder, 'bundle.mjs'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The name is not in an import, because these packages are not dependencies. */
const installed = (name) => import(name)

for (const [name, bundle] of Object.entries({
  Rolldown: () => withRolldown(true),
  esbuild: withEsbuild,
  'esbuild, for ES2020': () => withEsbuild('es2020'),
  Terser: withTerser,
  webpack: withWebpack,
})) {
  const size = await bundle()
    .then((code) => gzipSync(code).length)
    .catch((error) => (error.code === 'ERR_MODULE_NOT_FOUND' ? 'not installed' : error.message))
  console.log(`${name}: ${size}`)
}
