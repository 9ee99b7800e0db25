// The server and the command line have one file for each entry and shared files, no module twice, and readable stack traces without maps.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { execPath } from 'node:process'

/** The place of each source module, which the bundler names in a comment before its code. */
const places = new Map()
for (const folder of ['node_modules/ashlar/dist', 'node_modules/@ashlar/cli/dist']) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  assert.deepEqual(
    files.filter((name) => name.endsWith('.map')),
    [],
  )
  for (const name of files.filter((file) => file.endsWith('.js'))) {
    const code = readFileSync(`${folder}/${name}`, 'utf8')
    assert.doesNotMatch(code, /\n\/\/# sourceMappingURL=\S+\s*$/)
    for (const [, module] of code.matchAll(/^\/\/ (src\/\S+\.ts)$/gm)) {
      assert.equal(places.get(module), undefined, `${module} is in ${places.get(module)} and in ${folder}/${name}`)
      places.set(module, `${folder}/${name}`)
    }
  }
}
assert.ok(places.size > 100)

/** The source module whose code contains a line of a file. */
const moduleAt = (file, line) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, line)
    .findLast((text) => /^\/\/ src\/\S+\.ts$/.test(text))

const failing = "import { fail } from 'ashlar'; fail('RESOURCE_NOT_FOUND', {})"
const { stderr } = spawnSync(execPath, ['--input-type=module', '--eval', failing], {
  encoding: 'utf8',
  timeout: 300_000,
})
const [, file, line] = /\bat fail \(file:\/\/(\/.*[\\/]dist[\\/]shared[\\/]core\.js):(\d+):\d+\)/.exec(stderr) ?? []
assert.ok(file !== undefined, stderr)
assert.equal(moduleAt(file, Number(line)), '// src/core/errors/json-api-error.ts')
