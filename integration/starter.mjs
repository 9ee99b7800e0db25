// @ts-check
/** The services that the packed packages write: they compile, pass their test, start, and are served by `ashlar dev`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'

/**
 * Writes a service below a project that has the packages installed, so that it finds them, and does what its README says.
 * @param {{ project: string, engine: string, compiler: string }} options
 * @returns {Promise<string>} what is wrong
 */
export async function starterErrors({ project, engine, compiler }) {
  const folder = join(project, `${engine}-service`)
  try {
    const create = join(project, 'node_modules/create-ashlar/bin.mjs')
    run(project, create, folder, '--engine', engine, '--yes')
    run(folder, compiler)
    // The test is the same for all engines, and there is no server of PostgreSQL here.
    if (engine === 'postgres') return ''
    run(join(folder, 'dist'), '--test')
    const command = join(project, 'node_modules/ashlar/dist/cli/bin.js')
    await serves(folder, ['dist/main.js'], /Listening at (\S+)/)
    await serves(folder, [command, 'dev', '--port', '0'], /is served at (\S+)/)
    await serves(folder, [command, 'dev', 'src/resources', '--port', '0'], /is served at (\S+)/)
    return ''
  } catch (error) {
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout = '' } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout].join('\n')
  }
}

/** @param {string} cwd @param {...string} words */
function run(cwd, ...words) {
  execFileSync(execPath, words, { cwd, encoding: 'utf8', stdio: 'pipe' })
}

/**
 * Starts a program, sends a request to the address that it prints, and ends it.
 * @param {string} cwd @param {readonly string[]} words @param {RegExp} printed
 */
async function serves(cwd, words, printed) {
  const child = spawn(execPath, words, { cwd, env: { ...env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = printed.exec(line) ?? []
      if (url === undefined) continue
      const { status } = await fetch(`${url}/albums?include=artist`)
      if (status !== 200) throw new Error(`${words.join(' ')} responds with ${status}`)
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
