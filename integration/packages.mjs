// @ts-check
/**
 * Installs each packed package by itself in an empty folder, and uses it there: the client compiles and reads from a server, `ashlar-verify` checks
 * a server of Ashlar and one that is written by hand, `ashlar` serves the README's service from SQLite, and the command line writes a service
 * and an OpenAPI document. Reads the `dist` of the packages: build first.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath, exit } from 'node:process'
import { ashlar, cli, client, verify } from '../scripts/packages.mjs'
import { plainServer } from './plain-server.mjs'
import { compiler, install, linkFromRoot, pack, root } from './project.mjs'
import { readmeService } from './readme-service.mjs'
import { whileServed } from './starter.mjs'

/** The most bytes that the files of the installed server may have. */
const MOST_BYTES = 4_000_000

const clientProgram = `
import { createClient } from '@ashlar/client'
import type { Api } from './api.js'

declare const process: { readonly argv: readonly string[] }
const { albums } = createClient<Api>({ url: process.argv[2] ?? '', headers: { Authorization: 'Bearer dev-alice' } }).types
const page = await albums.list({ include: ['artist'], page: { size: 2 } })
const names: readonly (string | undefined)[] = page.data.map((album) => album.artist?.name)
// @ts-expect-error -- albums have no such relation
export const refused = () => albums.list({ include: ['artst'] })
console.log(\`\${page.data.length} albums, \${names.every((name) => name !== '') ? 'each' : 'not each'} with an artist\`)
`

const queriesProgram = `
import { QueryClient } from '@tanstack/query-core'
import { createClient } from '@ashlar/client'
import { createQueries } from '@ashlar/client/tanstack-query'
import type { Api } from './api.js'

const { albums } = createQueries(createClient<Api>({ url: 'https://music.example' })).types
const page = await new QueryClient().fetchQuery(albums.list({ sort: ['title'] }))
export const titles: readonly string[] = page.data.map(({ title }) => title)
`

const work = mkdtempSync(join(tmpdir(), 'packages-'))
let failures = 0
try {
  const [server, commands, verifier, browser] = [ashlar, cli, verify, client].map(({ folder }) => pack(folder, work))
  const serverFolder = folderWith('server', [server])
  const music = musicIn(serverFolder)
  await report('ashlar has less than 4 MB, and needs only what it uses', () => serverIsSmall(serverFolder))
  await report('ashlar serves the service of the README from SQLite', () => readmeIsServed(serverFolder))
  await report('the command ashlar names the package of the commands', () => commandIsNamed(serverFolder))
  await report('@ashlar/client compiles without other packages, and reads from a server', () =>
    music((url) => clientReads(folderWith('client', [browser]), url)),
  )
  const verifierFolder = folderWith('verify', [verifier])
  await report('@ashlar/verify installs nothing of the server', () => verifierIsSmall(verifierFolder))
  await report('@ashlar/verify checks the music catalogue', () =>
    music((url) => expectVerified(verifierFolder, url, ['--token', 'dev-alice'], { code: 0, failed: [] })),
  )
  await report('@ashlar/verify checks a server that is written by hand', () => plainIsVerified(verifierFolder))
  const commandFolder = folderWith('cli', [commands, server])
  await report('@ashlar/cli writes a service', () => serviceIsWritten(commandFolder))
  await report('@ashlar/cli prints an OpenAPI document', () => documentIsPrinted(commandFolder))
} finally {
  rmSync(work, { recursive: true, force: true })
}
exit(failures === 0 ? 0 : 1)

/** Installs packages in an empty folder. @param {string} name @param {readonly (string | undefined)[]} tarballs @returns {string} its path */
function folderWith(name, tarballs) {
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  install(
    folder,
    tarballs.filter((path) => path !== undefined),
  )
  return folder
}

/** The names of the packages of a folder, such as `ajv` and `@ashlar/client`. @param {string} folder @returns {readonly string[]} */
function installedIn(folder) {
  const modules = join(folder, 'node_modules')
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  return names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  )
}

/** @param {string} folder @param {string} name */
function bytesOf(folder, name) {
  const own = join(folder, 'node_modules', name)
  const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name: file }) => sum + statSync(join(parentPath, file)).size, 0)
}

/** @param {string} folder */
function serverIsSmall(folder) {
  const bytes = bytesOf(folder, ashlar.name)
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  const needless = installedIn(folder).filter((name) => name.startsWith('@ashlar/'))
  assert.deepEqual(needless, [])
}

/** @param {string} folder */
async function readmeIsServed(folder) {
  linkFromRoot(folder, ['@photostructure/sqlite', 'kysely'])
  const source = join(folder, 'server.ts')
  writeFileSync(source, readmeService(readFileSync(join(root, 'README.md'), 'utf8')))
  compile(folder, [source], ['--noCheck', '--outDir', join(folder, 'dist')])
  await whileServed(
    {
      node: execPath,
      cwd: folder,
      words: ['dist/server.js'],
      environment: {},
      printed: /^(http:\S+)$/,
    },
    async (url) => {
      const response = await fetch(`${url}/albums?include=artist`)
      assert.equal(response.status, 200)
      const { data, included } = /** @type {any} */ (await response.json())
      assert.deepEqual([data[0].attributes.title, included[0].attributes.name], ['OK Computer', 'Radiohead'])
    },
  )
}

/** @param {string} folder */
function commandIsNamed(folder) {
  const { status, stderr } = spawnSync(execPath, [join(folder, 'node_modules/ashlar/bin.mjs'), 'init', 'music'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.equal(status, 2)
  assert.match(stderr, /npm install --save-dev @ashlar\/cli\n.*npx @ashlar\/cli init music\n$/)
}

/** Compiles the music catalogue in a folder. Returns a function that calls another one with its address. @param {string} folder */
function musicIn(folder) {
  linkFromRoot(folder, ['@photostructure/sqlite', 'graphile-worker', 'kysely', 'pg', 'swagger-ui-dist'])
  cpSync(join(root, 'examples/music/src'), join(folder, 'music/src'), { recursive: true })
  const sources = join(folder, 'music/src')
  const options = ['--noCheck', '--rootDir', sources, '--outDir', join(folder, 'music/dist')]
  compile(folder, [join(sources, 'main.ts')], options)
  /** @param {(url: string) => unknown} use */
  return (use) =>
    whileServed(
      {
        node: execPath,
        cwd: folder,
        words: ['music/dist/main.js'],
        environment: { DATA_DIR: mkdtempSync(join(work, 'data-')) },
        printed: /is served at (\S+),/,
      },
      async (url) => use(url),
    )
}

/** @param {string} folder @param {string} url */
function clientReads(folder, url) {
  assert.deepEqual(installedIn(folder), [client.name])
  cpSync(join(root, 'examples/web/src/api.d.ts'), join(folder, 'api.d.ts'))
  const source = join(folder, 'reads.ts')
  writeFileSync(source, clientProgram)
  const checks = ['--strict', '--exactOptionalPropertyTypes', '--types', '', '--lib', 'es2023,dom,dom.iterable']
  compile(folder, [source], checks)
  const printed = execFileSync(execPath, [join(folder, 'reads.js'), url], { cwd: folder, encoding: 'utf8' })
  assert.equal(printed, '2 albums, each with an artist\n')
  // TanStack Query has types that its users install.
  linkFromRoot(folder, ['@tanstack/query-core'])
  const queries = join(folder, 'queries.ts')
  writeFileSync(queries, queriesProgram)
  compile(folder, [queries], [...checks, '--noEmit', '--skipLibCheck'])
}

/** @param {string} folder */
function verifierIsSmall(folder) {
  const names = installedIn(folder)
  assert.deepEqual(
    names.filter((name) => name.includes('ashlar')),
    [verify.name],
  )
  assert.ok(
    !names.includes('ulid') && !names.includes('@standard-schema/spec') && names.includes('ajv'),
    names.join(' '),
  )
  assert.ok(bytesOf(folder, verify.name) < 400_000)
}

/** @param {string} folder @param {string} url @param {readonly string[]} words @param {{ code: number, failed: readonly string[] }} expected */
function expectVerified(folder, url, words, { code, failed }) {
  const program = join(folder, 'node_modules/@ashlar/verify/dist/verify.js')
  const { status, stdout, stderr } = spawnSync(execPath, [program, url, '--json', ...words], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    timeout: 600_000,
  })
  assert.equal(stderr, '')
  /** @type {{ counts: { passed: number }, statements: readonly { id: string, outcome: string }[] }} */
  const { counts, statements } = JSON.parse(stdout)
  assert.deepEqual(
    statements.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
    failed,
  )
  assert.equal(status, code)
  assert.ok(counts.passed > 20, stdout)
}

/** @param {string} folder */
async function plainIsVerified(folder) {
  const source = join(folder, 'plain.mjs')
  writeFileSync(source, plainServer)
  await whileServed(
    { node: execPath, cwd: folder, words: [source], environment: {}, printed: /^(http:\S+)$/ },
    async (url) => expectVerified(folder, `${url}/books`, [], { code: 1, failed: ['response-content-type'] }),
  )
}

/** @param {string} folder */
function serviceIsWritten(folder) {
  const program = join(folder, 'node_modules/ashlar/bin.mjs')
  execFileSync(execPath, [program, 'init', 'music', '--yes'], { cwd: folder, stdio: 'pipe' })
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'music/package.json'), 'utf8'))
  assert.equal(dependencies.ashlar, devDependencies['@ashlar/cli'])
  assert.match(readFileSync(join(folder, 'music/src/service.ts'), 'utf8'), /createServer/)
}

/** @param {string} folder */
function documentIsPrinted(folder) {
  cpSync(join(root, 'integration/consumer/catalogue.mjs'), join(folder, 'catalogue.mjs'))
  const program = join(folder, 'node_modules/@ashlar/cli/dist/cli.js')
  const printed = execFileSync(execPath, [program, 'openapi', 'catalogue.mjs'], { cwd: folder, encoding: 'utf8' })
  const { openapi, paths } = JSON.parse(printed)
  assert.match(openapi, /^3\.1\./)
  assert.ok('/albums/{id}' in paths)
}

/** @param {string} folder @param {readonly string[]} files @param {readonly string[]} options */
function compile(folder, files, options) {
  const common = ['--ignoreConfig', '--target', 'es2023', '--module', 'nodenext', '--pretty', 'false']
  execFileSync(execPath, [compiler, ...common, ...options, ...files], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
}

/** @param {string} name @param {() => unknown} check */
async function report(name, check) {
  try {
    await check()
    console.log(`✓ ${name}`)
  } catch (error) {
    failures += 1
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout = '' } = /** @type {Error & { stdout?: string }} */ (error)
    console.error(`✗ ${name}\n${message}\n${stdout}`)
  }
}
