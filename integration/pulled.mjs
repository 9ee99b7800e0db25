// @ts-check
/** The service that the packed package writes for an existing database, in an empty folder: it compiles, is checked, starts, and is closed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { commandLine } from './project.mjs'
import { whileServed } from './starter.mjs'

const schema = `
  create table artists (id integer primary key, name text not null);
  create table users (id integer primary key, email text not null, password_hash text);
  insert into artists values (1, 'Radiohead');
`

/**
 * @param {{ project: string, compiler: string, node?: string }} options
 * @returns {Promise<string>} what is wrong
 */
export async function pulledErrors({ project, compiler, node = execPath }) {
  // Outside of the project, which has a package.json.
  const folder = mkdtempSync(join(tmpdir(), 'pulled-'))
  /** @param {...string} words */
  const run = (...words) => execFileSync(node, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  try {
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'make.mjs'), makeDatabase)
    run('make.mjs')
    const command = join(folder, commandLine)
    run(command, 'pull', 'music.db')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (scripts.start !== 'node dist/main.js') throw new Error('package.json has no script that starts the service')
    execFileSync(execPath, [compiler], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    run(command, 'check', 'dist/server.js', '--database')
    const [, token = ''] = /^API_TOKEN=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8')) ?? []
    const options = { node, cwd: folder, environment: {} }
    /** @param {string} url */
    const isClosed = async (url) => {
      await expectStatus(`${url}/artists`, 401)
      await expectStatus(`${url}/artists`, 200, { Authorization: `Bearer ${token}` })
    }
    await whileServed({ ...options, words: ['dist/main.js'], printed: /Listening at (\S+)/ }, isClosed)
    const dev = [command, 'dev', '--port', '0']
    await whileServed({ ...options, words: dev, printed: /is served at (\S+)/ }, isClosed)
    return ''
  } catch (error) {
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout = '' } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const makeDatabase = `
import { DatabaseSync } from '@photostructure/sqlite'
const database = new DatabaseSync('music.db')
database.exec(${JSON.stringify(schema)})
database.close()
`

/** @param {string} url @param {number} expected @param {Record<string, string>} [headers] */
async function expectStatus(url, expected, headers = {}) {
  const { status } = await fetch(url, { headers })
  if (status !== expected) throw new Error(`${url} responds with ${status}, not with ${expected}`)
}
