// Every value that the declarations promise is there, callable where they say so, and nothing is there unannounced.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const expected = JSON.parse(readFileSync('expected.json', 'utf8'))
const specifiers = JSON.parse(readFileSync('specifiers.json', 'utf8'))

assert.deepEqual(Object.keys(expected), specifiers)
for (const specifier of specifiers) {
  const module = await import(specifier)
  assert.deepEqual(
    Object.keys(module).toSorted(),
    Object.keys(expected[specifier]).toSorted(),
    `values of ${specifier}`,
  )
  for (const [name, callable] of Object.entries(expected[specifier])) {
    if (callable) assert.equal(typeof module[name], 'function', `${name} of ${specifier}`)
  }
}

const manifest = await import('ashlar/package.json', { with: { type: 'json' } })
assert.equal(manifest.default.name, 'ashlar')
await assert.rejects(import('ashlar/dist/index.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
