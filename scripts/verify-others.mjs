// @ts-check
/**
 * Runs `ashlar verify --write` on servers of other projects, and prints the reports: `node scripts/verify-others.mjs [name]`.
 * It needs a build. Each server is installed in a temporary folder, started on a free port with rows in memory, and removed.
 * docs/guide/verify.md has the results.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../packages/verify/dist/verify.js', import.meta.url))

/**
 * @typedef {object} Other
 * @property {string} name
 * @property {readonly string[]} packages  with exact versions
 * @property {string} path  the path of its resources
 * @property {string} source  a program of CommonJS that listens on the port of the environment
 */

/** @type {readonly Other[]} */
const others = [
  {
    name: 'jsonapi-server',
    packages: ['jsonapi-server@4.2.0'],
    path: '/rest/',
    // The example of the package, without the type that is broken on purpose for its own tests.
    source: `
      const { readdirSync } = require('node:fs')
      const { dirname, join } = require('node:path')
      const jsonApi = require('jsonapi-server')
      const port = Number(process.env.PORT)
      jsonApi.setConfig({ swagger: { title: 'Example', version: '1' }, protocol: 'http', hostname: 'localhost', port, base: 'rest', meta: {} })
      const folder = join(dirname(require.resolve('jsonapi-server/package.json')), 'example/resources')
      for (const file of readdirSync(folder)) if (/^(?!broken)[a-z].*[.]js$/.test(file)) require(join(folder, file))
      jsonApi.onUncaughtException(() => undefined)
      jsonApi.start()
    `,
  },
  {
    name: 'fortune',
    packages: ['fortune@5.5.19', 'fortune-http@1.2.28', 'fortune-json-api@2.3.1'],
    path: '/',
    source: `
      const http = require('node:http')
      const fortune = require('fortune')
      const serializer = require('fortune-json-api')
      const store = fortune({
        user: { name: String, age: Number, posts: [Array('post'), 'author'], friends: [Array('user'), 'friends'] },
        post: { title: String, published: Date, author: ['user', 'posts'] },
      })
      const listener = require('fortune-http')(store, { serializers: [[serializer]] })
      const at = (day) => new Date(day + 'T00:00:00Z')
      const start = async () => {
        await store.create('user', [{ id: 1, name: 'Ann', age: 31 }])
        await store.create('user', [{ id: 2, name: 'Bob', age: 27, friends: [1] }, { id: 3, name: 'Cleo', age: 45 }])
        await store.create('post', [
          { id: 1, title: 'First', published: at('2024-01-01'), author: 1 },
          { id: 2, title: 'Second', published: at('2024-02-01'), author: 1 },
          { id: 3, title: 'Third', published: at('2024-03-01') },
        ])
        http.createServer((request, response) => listener(request, response).catch(() => undefined)).listen(Number(process.env.PORT))
      }
      start()
    `,
  },
]

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** @param {string} url */
async function untilListening(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await fetch(url)
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`Nothing listens at ${url}.`)
}

/** @param {Other} other */
async function verify({ name, packages, path, source }) {
  console.log(`\n=== ${name}: ${packages.join(', ')}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-others-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  writeFileSync(join(folder, 'server.cjs'), source)
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (installed.status !== 0) throw new Error(installed.stderr)
  const port = await freePort()
  const server = spawn(execPath, ['server.cjs'], { cwd: folder, env: { ...env, PORT: String(port) }, stdio: 'ignore' })
  try {
    const url = `http://localhost:${port}${path}`
    await untilListening(url)
    spawnSync(execPath, [program, url, '--write'], { stdio: 'inherit' })
  } finally {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const wanted = argv[2]
const chosen = others.filter(({ name }) => wanted === undefined || name === wanted)
if (chosen.length === 0) {
  console.error(`There is no '${wanted}'. Servers: ${others.map(({ name }) => name).join(', ')}.`)
  exit(2)
}
for (const other of chosen) await verify(other)
