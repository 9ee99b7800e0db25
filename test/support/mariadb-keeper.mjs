// @ts-check
/**
 * Keeps one MariaDB server alive for the process that started it: says the server's address on standard output as soon as it
 * answers, and ends it when standard input closes. A pipe closes however its owner ends, even when it is killed, so no server
 * outlives its test run. Ends with the status 3 if the programs are not installed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process, { env, exit, getuid, stdin, stdout } from 'node:process'

/** Durability costs time and buys nothing here. The time zone and the collation are far from what a store needs: nothing may depend on them. */
const settings = {
  'bind-address': '127.0.0.1',
  'innodb-flush-log-at-trx-commit': '0',
  'innodb-flush-method': 'nosync',
  'innodb-doublewrite': '0',
  'innodb-buffer-pool-size': '128M',
  'innodb-log-file-size': '64M',
  'innodb-lock-wait-timeout': '5',
  'max-connections': '200',
  'max-prepared-stmt-count': '100000',
  'default-time-zone': '-03:30',
  'character-set-server': 'utf8mb4',
  'collation-server': 'utf8mb4_general_ci',
  'table-open-cache': '4000',
  'table-definition-cache': '4000',
}

const [server, installer] = ['mariadbd', 'mariadb-install-db'].map(programAt)
if (server === undefined || installer === undefined) exit(3)

const scratch = mkdtempSync(join(roomyFolder(), 'ashlar-mariadb-'))
/** @type {{ uid?: number, gid?: number }} */
const person = getuid?.() === 0 ? nobody() : {}
/** @type {import('node:child_process').ChildProcess | undefined} */
let running

stdin.on('close', () => void end(0)).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))

try {
  stdout.write(`${JSON.stringify({ url: await start(server, installer) })}\n`)
} catch (error) {
  console.error(error)
  await end(1)
}

/**
 * @param {string} program
 * @param {string} install
 * @returns {Promise<string>}
 */
async function start(program, install) {
  const data = join(scratch, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (person.uid !== undefined && person.gid !== undefined) {
    for (const path of [scratch, data]) chownSync(path, person.uid, person.gid)
  }
  const common = ['--no-defaults', `--datadir=${data}`]
  const authentication = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
  execFileSync(install, [...common, ...authentication], { ...person, cwd: scratch, stdio: 'pipe' })
  const password = randomBytes(12).toString('hex')
  // The server runs these statements before it accepts connections.
  const init = `--init-file=${join(scratch, 'init.sql')}`
  writeFileSync(
    join(scratch, 'init.sql'),
    [
      `create user if not exists ashlar@'127.0.0.1' identified by '${password}';`,
      `grant all on *.* to ashlar@'127.0.0.1' with grant option;`,
      'create database if not exists ashlar;\n',
    ].join('\n'),
  )
  // Between finding a free port and taking it, another process may take it.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const socket = ['--socket', join(scratch, 'socket'), '--pid-file', join(scratch, 'pid'), '--skip-name-resolve']
    const complaint = await serve(program, [...common, ...socket, init, `--port=${port}`])
    if (complaint === undefined) return `mysql://ashlar:${password}@127.0.0.1:${port}/ashlar`
    if (attempt === 5) throw new Error(`MariaDB does not start: ${complaint}`)
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} options
 * @returns {Promise<string | undefined>} what the server said if it ended instead of starting
 */
function serve(program, options) {
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(program, [...options, ...flags], { ...person, cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
  running = child
  let said = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve(said))
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      if (said.length < 20_000) said += chunk
      if (said.includes('ready for connections')) resolve(undefined)
    })
  })
}

/** @param {number} code */
async function end(code) {
  if (running !== undefined && running.exitCode === null && running.signalCode === null) {
    const gone = once(running, 'exit')
    // Nothing in it is needed any more.
    running.kill('SIGKILL')
    await gone
  }
  rmSync(scratch, { recursive: true, force: true })
  exit(code)
}

/** @param {string} name @returns {string | undefined} */
function programAt(name) {
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** In memory where the system has such a folder, and enough of it. @returns {string} */
function roomyFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 * 1024 ** 3 ? memory : tmpdir()
}

/** The server refuses to run as root without an option. @returns {{ uid: number, gid: number }} */
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
