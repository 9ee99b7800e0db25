// @ts-check
/** The services that the packed packages write: they compile, pass their test, start, and are served by `ashlar dev`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { commandLine } from './project.mjs'

/**
 * Writes a service below a project that has the packages installed, so that it finds them, and does what its README says.
 * A service on PostgreSQL is started if there is a URL of a database.
 * @param {{ project: string, engine: string, compiler: string, node?: string, databaseUrl?: string }} options
 * @returns {Promise<string>} what is wrong
 */
export async function starterErrors({ project, engine, compiler, node = execPath, databaseUrl }) {
  const folder = join(project, `${engine}-service`)
  const environment = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  try {
    rmSync(folder, { recursive: true, force: true })
    const create = join(project, 'node_modules/create-ashlar/bin.mjs')
    run(node, project, create, folder, '--engine', engine, '--yes')
    run(execPath, folder, compiler)
    // The test is the same for all engines.
    if (engine === 'sqlite') run(node, join(folder, 'dist'), '--test')
    else if (databaseUrl === undefined) return ''
    const command = join(project, commandLine)
    const options = { node, cwd: folder, environment }
    await whileServed({ ...options, words: ['dist/main.js'], printed: /Listening at (\S+)/ }, readsAlbums)
    const dev = [command, 'dev', '--port', '0']
    await whileServed({ ...options, words: dev, printed: /is served at (\S+)/ }, readsAlbums)
    if (engine === 'postgres') return ''
    const declarations = [command, 'dev', 'src/resources', '--port', '0']
    await whileServed({ ...options, words: declarations, printed: /is served at (\S+)/ }, readsAlbums)
    return ''
  } catch (error) {
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout = '' } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout].join('\n')
  }
}

/** @param {string} url */
async function readsAlbums(url) {
  const { status } = await fetch(`${url}/albums?include=artist`)
  if (status !== 200) throw new Error(`${url}/albums responds with ${status}`)
}

/** @param {string} node @param {string} cwd @param {...string} words */
function run(node, cwd, ...words) {
  execFileSync(node, words, { cwd, encoding: 'utf8', stdio: 'pipe' })
}

/**
 * Starts a program, calls a function with the address that it prints, and ends the program, which must exit with 0.
 * @param {{ node: string, cwd: string, words: readonly string[], environment: Readonly<Record<string, string>>, printed: RegExp }} program
 * @param {(url: string) => Promise<unknown>} use
 */
export async function whileServed({ node, cwd, words, environment, printed }, use) {
  const child = spawn(node, words, {
    cwd,
    env: { ...env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = printed.exec(line) ?? []
      if (url === undefined) continue
      await use(url)
      child.stdout.resume()
      child.kill('SIGINT')
      const [code] = await ended
      if (code !== 0) throw new Error(`${words.join(' ')} ends with ${code}`)
      return
    }
    throw new Error(`${words.join(' ')} ends without an address`)
  } finally {
    child.kill('SIGKILL')
  }
}
