import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestOf } from './exchange.js'
import { type Sandbox, sandbox, sourcesIn } from './sandbox.js'

const example = fileURLToPath(new URL('../../examples/music/src', import.meta.url))

let folder: Sandbox
beforeAll(() => {
  folder = sandbox()
  for (const { name, text } of sourcesIn(example)) folder.write(join('music', name), text)
})
afterAll(() => folder.remove())

test('the example serves the three requests that it prints, and ends cleanly on SIGTERM', async () => {
  const running = folder.run('music/main.ts', { PORT: '0' })
  await running.address
  await expect.poll(() => running.output().stdout).toContain('Ctrl+C')
  const commands = running.output().stdout.match(/curl .*/g) ?? []
  const answers = await Promise.all(commands.map(ask))
  expect(answers).toMatchObject([
    { status: 200, document: { data: { type: 'albums', id: '1', attributes: { title: 'OK Computer' } } } },
    {
      status: 200,
      document: { data: { length: 12, 0: { attributes: { displayTitle: '1. Airbag', durationSeconds: 284 } } } },
    },
    { status: 201, document: { data: { attributes: { name: 'Portishead', slug: 'portishead', bio: null } } } },
  ])

  running.process.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  expect(running.output().stderr).toBe('')
})

test('the example says in one sentence that its port is in use, and exits with 1', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const { port } = occupant.address() as AddressInfo
  const running = folder.run('music/main.ts', { PORT: String(port) })
  expect(await running.ended).toBe(1)
  occupant.close()
  expect(running.output()).toEqual({
    stdout: '',
    stderr: `Port ${port} is in use: end what listens there, or choose another with PORT=3001.\n`,
  })
})

test('the example says in one sentence that PORT is no port, and exits with 1', async () => {
  const running = folder.run('music/main.ts', { PORT: 'music' })
  expect(await running.ended).toBe(1)
  expect(running.output().stderr).toBe("PORT is 'music', which is no port: give a number up to 65535.\n")
})

async function ask(command: string): Promise<{ readonly status: number; readonly document: unknown }> {
  const { url, init } = requestOf(command)
  const response = await fetch(url, init)
  expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
  return { status: response.status, document: await response.json() }
}
