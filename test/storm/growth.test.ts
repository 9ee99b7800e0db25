import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'

const scripts = ['bench/storage/growth.mjs', 'bench/storage/tracks-server.mjs']

let built: BuiltPackage
beforeAll(() => {
  built = builtPackage(scripts)
})
afterAll(() => built.remove())

/** In small: `node bench/storage/growth.mjs` takes a million tracks, and holds times against each other, too. */
test('pages deep in a table read no more than their rows, and the memory of the server stays', {
  timeout: 60_000,
}, async () => {
  const options = ['--rows', '20000', '--requests', '2000', '--pairs', '20', '--untimed']
  const child = spawn(execPath, [built.pathOf(scripts[0] ?? ''), ...options], {
    env: { ...env, DATABASE_URL: inject('databaseUrl') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  await once(child, 'close')
  expect(said.err).toBe('')
  expect(child.exitCode).toBe(0)
  expect(said.out.match(/rows read \d+/g)).toHaveLength(6)
})
