// The package has one file for each entry and shared files, no module twice, and source maps that work without src/.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { execPath } from 'node:process'

const folder = 'node_modules/ashlar/dist'
const manifest = JSON.parse(readFileSync('node_modules/ashlar/package.json', 'utf8'))
const entries = [
  ...Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : [target.default])),
  ...Object.values(manifest.bin),
].map((file) => file.replace('./dist/', ''))

/** What the command line runs in processes and threads of their own: see scripts/bundle.mjs. */
const programs = ['tools/cli/dev/child.js', 'tools/cli/typescript/hooks-thread.js']

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
const scripts = files.filter((name) => name.endsWith('.js'))
assert.deepEqual(new Set(scripts.filter((name) => !name.startsWith('shared/'))), new Set([...entries, ...programs]))

/** The place of each source module, which the bundler names in a comment before its code. */
const places = new Map()
for (const name of scripts) {
  for (const [, module] of readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^\/\/ (src\/\S+\.ts)$/gm)) {
    assert.equal(places.get(module), undefined, `${module} is in ${places.get(module)} and in ${name}`)
    places.set(module, name)
  }
}
assert.ok(places.size > 100)

for (const name of files.filter((file) => file.endsWith('.js.map'))) {
  const { sources, sourcesContent } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))
  assert.equal(sourcesContent.filter((text) => typeof text === 'string').length, sources.length, name)
}

const failing = "import { fail } from 'ashlar'; fail('RESOURCE_NOT_FOUND', {})"
const words = ['--enable-source-maps', '--input-type=module', '--eval', failing]
const { stderr } = spawnSync(execPath, words, { encoding: 'utf8', timeout: 300_000 })
assert.match(stderr, /\bat fail \(.*[\\/]src[\\/]core[\\/]errors[\\/]json-api-error\.ts:\d+:\d+\)/)
