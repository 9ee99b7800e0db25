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

test('the example serves the four requests that it prints, and ends cleanly on SIGTERM', async () => {
  const running = folder.run('music/main.ts', { PORT: '0' })
  await running.address
  await expect.poll(() => running.output().stdout).toContain('Ctrl+C')
  const commands = running.output().stdout.match(/curl .*/g) ?? []
  const answers = await Promise.all(commands.map(ask))
  const [jazz, tour] = [titled(['1. So What', '2. Jóga', '1. Hunter']), placed(['2', '5', '9'])]
  expect(answers).toMatchObject([
    {
      status: 200,
      document: {
        data: { type: 'albums', id: '1', attributes: { title: 'OK Computer' } },
        included: { length: 5, 0: { type: 'artists', attributes: { name: 'Radiohead' } } },
      },
    },
    { status: 200, document: { data: jazz, meta: { page: { perPage: 3 } }, links: { next: expect.any(String) } } },
    { status: 200, document: { data: tour } },
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

function titled(titles: readonly string[]): readonly unknown[] {
  return titles.map((displayTitle) => ({ type: 'tracks', attributes: { displayTitle }, meta: { served_by: 'music' } }))
}

function placed(ids: readonly string[]): readonly unknown[] {
  return ids.map((id, index) => ({ type: 'tracks', id, meta: { pivot: { position: index + 1 } } }))
}
