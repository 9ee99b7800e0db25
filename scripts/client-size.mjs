// Prints how many bytes `ashlar/client` has with several bundlers, minified and gzipped. Needs bundlers that the package does not:
// npm install --no-save esbuild terser
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

async function withEsbuild() {
  const { build } = await installed('esbuild')
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false }
  return (await build({ entryPoints: [entry], ...options })).outputFiles[0].text
}

/** Minifies one module, as Rollup writes it too. */
async function withTerser() {
  const { minify } = await installed('terser')
  return (await minify(await withRolldown(false), { module: true })).code
}

/** The name is not in an import, because these packages are not dependencies. */
const installed = (name) => import(name)

for (const [name, bundle] of Object.entries({
  Rolldown: () => withRolldown(true),
  esbuild: withEsbuild,
  Terser: withTerser,
})) {
  const size = await bundle()
    .then((code) => gzipSync(code).length)
    .catch(() => 'not installed')
  console.log(`${name}: ${size}`)
}
