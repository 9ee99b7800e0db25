// @ts-check
/**
 * `npm run test:nodes`: uses the packed package with each supported version of Node, the lowest one among them. The programs
 * come from the npm registry, for the platform of this machine, about 60 MB each, and stay in .cache/nodes.
 * `npm run test:nodes -- 24` takes one version only. With each of them it imports all entry points, starts new services and
 * the music catalogue on SQLite and PostgreSQL, reads and writes by the typed client, runs commands, and runs the tests that
 * depend most on Node: of adapters, cut connections, the command line and clients, and of the service in memory. Needs `npm run build` and
 * `npm run build:example`.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arch, argv, exit, platform } from 'node:process'
import { Client } from 'pg'
import { startTestServer } from '../bench/temporary-schema.mjs'
import { missingBindingsText } from '../scripts/missing-bindings.mjs'
import { nodeVersions } from './node-versions.mjs'
import {
  commandLine,
  compiler,
  linkFromRoot,
  makeProject,
  npm,
  peers,
  root,
  runErrors,
  specifiers,
} from './project.mjs'
import { starterErrors, whileServed } from './starter.mjs'

/** @typedef {{ node: string, major: string, project: string, emptyDatabase: (name: string) => Promise<string> }} Run */

/** Runs of tests, each with its name and the words of its command. Tests of the command line and clients belong to the project `postgres`. */
const tests = /** @type {const} */ ([
  ['test/spec, memory', '--project', 'memory', 'test/spec'],
  ['test/adapters and test/client', '--project', 'memory', 'test/adapters/', 'test/client/'],
  ['cut connections', '--project', 'memory', 'test/hostile/cut-connections'],
  ['test/cli and test/clients', '--project', 'postgres', 'test/cli/', 'test/clients/'],
])

const wanted = argv.length > 2 ? argv.slice(2) : Object.keys(nodeVersions)
const unknown = wanted.filter((major) => nodeVersions[major] === undefined)
if (unknown.length > 0) {
  console.error(`No such version: ${unknown.join(', ')}. The versions are ${Object.keys(nodeVersions).join(', ')}.`)
  exit(2)
}

const missing = missingBindingsText()
if (missing !== null) {
  console.error(missing)
  exit(1)
}

let failures = 0
/** @type {(() => unknown)[]} */
const ending = []
const work = mkdtempSync(join(tmpdir(), 'nodes-'))
ending.push(() => rmSync(work, { recursive: true, force: true }))
try {
  const nodes = installNodes()
  const project = makeProject(work)
  linkFromRoot(project, [...peers, '@types/express', '@types/pg', 'graphile-worker'])
  cpSync(join(root, 'examples/music'), join(project, 'music'), { recursive: true })
  const emptyDatabase = databasesOf(await startTestServer(ending))
  for (const major of wanted) {
    await tryWith({ node: join(nodes, `node-${major}`, 'bin/node'), major, project, emptyDatabase })
  }
} finally {
  for (const end of ending.toReversed()) await end()
}
exit(failures === 0 ? 0 : 1)

/** @returns {string} the folder with the packages */
function installNodes() {
  const folder = join(root, '.cache/nodes')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const program = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const packages = wanted.map((major) => `node-${major}@npm:${program}@${nodeVersions[major]}`)
  npm(folder, 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...packages)
  return join(folder, 'node_modules')
}

/** @param {string} url */
function databasesOf(url) {
  return async (/** @type {string} */ name) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return Object.assign(new URL(url), { pathname: `/${name}` }).href
  }
}

/** @param {Run} run */
async function tryWith({ node, major, project, emptyDatabase }) {
  const report = reporter(major)
  report(
    'is this version',
    runErrors(project, ['-e', `if (!process.version.startsWith('v${major}.')) process.exit(1)`], node),
  )
  const imports = specifiers.map((specifier) => `await import('${specifier}')`).join('\n')
  report('imports', runErrors(project, ['--input-type=module', '--eval', imports], node))
  for (const script of ['serves.mjs', 'stores.mjs']) {
    rmSync(join(project, 'music.db'), { force: true })
    report(script, runErrors(project, [script], node))
  }
  for (const words of [['--version'], ['check', 'music/dist/described.js'], ['openapi', 'music/dist/described.js']]) {
    report(`ashlar ${words.join(' ')}`, runErrors(project, [commandLine, ...words], node))
  }
  const url = await emptyDatabase(`starter_${major}`)
  for (const [engine, databaseUrl] of /** @type {const} */ ([['sqlite'], ['postgres', url]])) {
    const place = databaseUrl === undefined ? {} : { databaseUrl }
    report(`create-ashlar, ${engine}`, await starterErrors({ project, engine, compiler, node, ...place }))
  }
  const sqlite = { DATA_DIR: join(work, `data-${major}`) }
  report('music, SQLite', await musicErrors({ project, node, environment: sqlite }))
  const postgres = { DATABASE_URL: await emptyDatabase(`music_${major}`) }
  report('music, PostgreSQL', await musicErrors({ project, node, environment: postgres }))
  for (const [name, ...words] of tests) {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter', 'dot', ...words]
    report(name, runErrors(root, vitest, node))
  }
}

/** @param {{ project: string, node: string, environment: Readonly<Record<string, string>> }} options */
async function musicErrors({ project, node, environment }) {
  const words = ['music/dist/main.js']
  try {
    let errors = ''
    await whileServed({ node, cwd: project, words, environment, printed: /is served at (\S+),/ }, async (url) => {
      errors = runErrors(project, ['uses-music.mjs', url], node)
    })
    return errors
  } catch (error) {
    return String(error)
  }
}

/** @param {string} major @returns {(name: string, errors: string) => void} */
function reporter(major) {
  return (name, errors) => {
    console.log(`${errors === '' ? '✓' : '✗'} Node ${major}: ${name}`)
    if (errors === '') return
    failures += 1
    console.error(errors)
  }
}
