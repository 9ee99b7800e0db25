// @ts-check
/**
 * `npm test`, `npm run verify` and `npm run test:long`: run checks, stop at the first that fails and show its output.
 * `npm test -- lint layers` runs only the named steps. Before all of them, it fails if a native package is missing.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { argv, env, exit, platform, stdout } from 'node:process'
import { missingBindingsText } from './missing-bindings.mjs'

/**
 * `script` is a script of package.json; `live` shows the output as it comes instead of only on failure; `variables` are
 * added to the environment.
 * @typedef {{ name: string, script: string, live?: boolean, variables?: Readonly<Record<string, string>> }} Step
 */

/** Most steps of `verify` read dist/. The tests build what they need. @type {Step} */
const build = { name: 'build', script: 'build' }

/** The seed of the property tests of the long run. */
const seed = env['SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))

/** Programs written in Go collect garbage less often: a quarter less CPU time. */
const variables = { GOGC: '400' }

/** The compiler needs 2.7 GB without collecting any, and a quarter less CPU time again. */
const variablesOfTypes = { GOGC: 'off', GOMEMLIMIT: '4GiB' }

/** Groups of steps. The steps of a group run in parallel, one for each core. @type {Readonly<Record<string, readonly Step[][]>>} */
const sets = {
  test: [
    [
      { name: 'types', script: 'check:types', variables: variablesOfTypes },
      { name: 'lint', script: 'check:lint' },
      { name: 'format', script: 'check:format' },
      { name: 'layers', script: 'check:layers' },
    ],
    [{ name: 'tests', script: 'check:tests', live: true, variables: { ASHLAR_SHORT: '1' } }],
    [{ name: 'provoked', script: 'check:provoked' }],
  ],
  // Checks of what is published: the built package, the pages and the site. And the rules of oxlint that need types, which take three
  // times as long as the compiler.
  verify: [
    [build],
    [
      // The longest steps start first.
      { name: 'typed-lint', script: 'check:typed-lint', variables },
      // Programs, browsers, the example, pages and other clients.
      { name: 'published', script: 'check:tests', variables: { ASHLAR_PUBLISHED: '1' } },
      { name: 'site', script: 'docs:build' },
      // Fails if two servers respond differently, but never because of a time.
      { name: 'bench', script: 'check:bench' },
      // Fails if a request allocates more than before, or objects of new hidden classes.
      { name: 'allocations', script: 'check:allocations' },
      { name: 'integration', script: 'check:integration' },
      { name: 'package', script: 'check:package' },
      { name: 'example', script: 'build:example', variables },
      { name: 'openapi', script: 'check:openapi' },
      { name: 'unused', script: 'check:unused' },
      { name: 'api', script: 'check:api' },
    ],
  ],
  long: [[{ name: 'tests', script: 'check:tests', live: true, variables: { ASHLAR_LONG: '1', SEED: seed } }]],
}

/** The goal for the CPU time of all steps of `npm test`, in seconds. */
const budget = 480

const [set = 'test', ...wanted] = argv.slice(2)
const groups = sets[set]
if (groups === undefined)
  throw new Error(`No such set of checks: ${set}. The sets are ${Object.keys(sets).join(', ')}.`)
const names = groups.flat().map(({ name }) => name)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. The steps are ${names.join(', ')}.`)
  exit(2)
}

const missing = missingBindingsText()
if (missing !== null) {
  console.error(missing)
  exit(1)
}

if (set === 'long') console.log(`The seed of the property tests is ${seed}: SEED=${seed} repeats them.`)
/** @type {string[]} */
const summary = []
let failed = false
/** The CPU time of the steps so far, and of all processes that have ended. */
let [used, ended] = [0, 0]
for (const group of groups) {
  const waiting = group.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  await Promise.all(Array.from({ length: availableParallelism() }, () => runEach(waiting)))
}

console.log(`\n${summary.join('\n')}`)
if (used > 0) console.log(`\n${used.toFixed(0)} s of CPU time.${budgetNote()}`)
console.log(failed ? '\nFailed: the output of each failed step is above its ✗.' : '\nEverything passed.')
exit(failed ? 1 : 0)

/** Runs waiting steps one after the other. After a failure, the others are not run. @param {Step[]} waiting */
async function runEach(waiting) {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    if (failed) summary.push(line('-', step.name, 'not run'))
    else await runStep(step)
  }
}

/** @param {Step} step */
async function runStep(step) {
  if (step.live) console.log(`\n> ${step.name}`)
  const { code, output, seconds, cpu } = await run(step)
  used += cpu
  if (code !== 0) failed = true
  if (code !== 0 && !step.live) stdout.write(`\n${output}\n`)
  const result = line(code === 0 ? '✓' : '✗', step.name, `${seconds.toFixed(1)} s`, cpu)
  console.log(result)
  summary.push(result)
}

/** @param {string} mark @param {string} name @param {string} note @param {number} [cpu] in seconds */
function line(mark, name, note, cpu = 0) {
  return `${mark} ${name.padEnd(12)} ${note.padStart(8)}${cpu === 0 ? '' : `${cpu.toFixed(1).padStart(8)} s of CPU time`}`
}

/** Only informs: a busy machine takes more CPU time for the same work. */
function budgetNote() {
  if (set !== 'test' || wanted.length > 0) return ''
  return ` The goal of \`npm test\` is ${budget} s on a machine without other work: see "What a test may cost" in CONTRIBUTING.md.`
}

/** Returns the CPU time of all ended processes below this one, in seconds; 0 where the system does not tell. */
function cpuOfEnded() {
  const file = '/proc/self/stat'
  if (!existsSync(file)) return 0
  const text = readFileSync(file, 'utf8')
  // After the name of the program, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/**
 * @param {Step} step
 * @returns {Promise<{ code: number, output: string, seconds: number, cpu: number }>}
 */
function run({ script, live = false, variables: added = {} }) {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', script], {
    env: { ...env, ...added },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  }
  // The time of a process is added when it ends: what is new then is that of this step.
  let cpu = 0
  child.on('exit', () => {
    const all = cpuOfEnded()
    cpu = all - ended
    ended = all
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output, seconds: (performance.now() - start) / 1000, cpu }))
  })
}
