// @ts-check
/**
 * `npm test`, `npm run verify` and `npm run test:long`: run checks in turn, stop at the first that fails and show its output.
 * `npm test -- lint layers` runs only the named steps.
 */
import { spawn } from 'node:child_process'
import { argv, env, exit, platform, stdout } from 'node:process'

/**
 * `script` is a script of package.json; `live` shows the output as it comes instead of only on failure; `variables` are
 * added to the environment.
 * @typedef {{ name: string, script: string, live?: boolean, variables?: Readonly<Record<string, string>> }} Step
 */

/** All steps of `verify` read what it leaves in dist/. The tests build what they need. @type {Step} */
const build = { name: 'build', script: 'build' }

/** Where the property tests of the long run start from. */
const seed = env['SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))

/** @type {Readonly<Record<string, readonly Step[]>>} */
const sets = {
  test: [
    build,
    { name: 'types', script: 'check:types' },
    { name: 'lint', script: 'check:lint' },
    { name: 'format', script: 'check:format' },
    { name: 'layers', script: 'check:layers' },
    { name: 'unused', script: 'check:unused' },
    { name: 'tests', script: 'check:tests', live: true },
    { name: 'provoked', script: 'check:provoked' },
  ],
  // What is shipped, as its users have it.
  verify: [
    build,
    { name: 'example', script: 'build:example' },
    { name: 'package', script: 'check:package' },
    { name: 'integration', script: 'check:integration' },
    // Fails where two servers respond differently, and never because of a time.
    { name: 'bench', script: 'bench:short', live: true },
  ],
  long: [{ name: 'tests', script: 'check:tests', live: true, variables: { ASHLAR_LONG: '1', SEED: seed } }],
}

const [set = 'test', ...wanted] = argv.slice(2)
const steps = sets[set]
if (steps === undefined) throw new Error(`No such set of checks: ${set}. The sets are ${Object.keys(sets).join(', ')}.`)
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are ${steps.map((step) => step.name).join(', ')}.`)
  exit(2)
}

if (set === 'long') console.log(`Property tests start from the seed ${seed}: SEED=${seed} repeats them.`)
const chosen = steps.filter((step) => wanted.length === 0 || wanted.includes(step.name))
/** @type {string[]} */
const summary = []
let failed = false
for (const step of chosen) {
  if (failed) {
    summary.push(line('-', step.name, 'not run'))
    continue
  }
  if (step.live) console.log(`\n> ${step.name}`)
  const { code, output, seconds } = await run(step)
  failed = code !== 0
  if (failed && !step.live) stdout.write(`\n${output}\n`)
  const result = line(failed ? '✗' : '✓', step.name, `${seconds.toFixed(1)} s`)
  console.log(result)
  summary.push(result)
}

console.log(`\n${summary.join('\n')}`)
console.log(failed ? '\nFailed: the first ✗ above says where.' : '\nEverything passed.')
exit(failed ? 1 : 0)

/** @param {string} mark @param {string} name @param {string} note */
function line(mark, name, note) {
  return `${mark} ${name.padEnd(12)} ${note.padStart(8)}`
}

/**
 * @param {Step} step
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
function run({ script, live = false, variables = {} }) {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', script], {
    env: { ...env, ...variables },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output, seconds: (performance.now() - start) / 1000 }))
  })
}
