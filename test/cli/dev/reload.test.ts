import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { applicationFolder } from '../../support/application-folder.js'
import { endPrograms, type Program } from '../../support/program.js'

afterAll(endPrograms)

/** Responses have the version of the module that they come from. The first version responds only after its host has told it to close. */
const server = `
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { createServer, type Middleware } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { albums } from './resources/albums.js'
import { version } from './version.js'

const closing = new Promise<void>((resolve) => {
  process.on('message', ({ kind }: { kind: string }) => {
    if (kind === 'close') resolve()
  })
})

const versioned: Middleware = async (_context, next) => {
  if (version === 1) {
    console.log('held')
    await closing
    // A process that did not wait for its requests would end in the meantime.
    await setTimeout(50)
  }
  const response = await next()
  return { ...response, headers: [...response.headers, 'X-Version', String(version)] }
}

export const server = createServer({ resources: [albums], data: memoryData(), middleware: [versioned] })
`

const albums = `
import { defineResource, id, model } from 'ashlar'

export const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})
`

const versionText = (version: number) => `/** The version. */\nexport const version: number = ${version}\n`

/** Waits for the event of this number, counted from 1, and returns it. */
async function event(program: Program, name: string, number: number): Promise<Record<string, unknown>> {
  const [text] = await program.printed(new RegExp(`(?:\\{"event":"${name}"[^\\n]*\\n[^]*?){${number}}(?=\\{|$)`))
  const lines = text.split('\n').filter((line) => line.startsWith(`{"event":"${name}"`))
  return JSON.parse(lines[number - 1] ?? '') as Record<string, unknown>
}

test('a change is served at the same address, while requests to the last version finish', async () => {
  const folder = applicationFolder({
    'src/server.ts': server,
    'src/resources/albums.ts': albums,
    'src/version.ts': versionText(1),
  })
  const write = (path: string, text: string) => writeFileSync(join(folder.path, path), text)
  const dev = folder.start(['dev', '--port', '0', '--json'])
  const first = await event(dev, 'serving', 1)
  expect(first).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    module: 'src/server.ts',
    database: null,
    viewers: [],
    types: ['albums'],
    milliseconds: expect.any(Number),
  })
  const url = `${String(first['url'])}/albums`
  const version = async () => (await fetch(url)).headers.get('X-Version')

  const running = version()
  await expect.poll(() => dev.output().stderr).toContain('held')
  write('src/version.ts', versionText(2))
  expect(await event(dev, 'serving', 2)).toMatchObject({ url: first['url'], files: ['src/version.ts'] })
  expect(await running).toBe('1')
  expect(await version()).toBe('2')

  write('src/version.ts', 'export const version: number = {\n')
  expect(await event(dev, 'failed', 1)).toMatchObject({
    place: 'src/version.ts:2:1',
    frame: expect.stringContaining('^'),
  })
  const broken = await fetch(url)
  expect({ status: broken.status, type: broken.headers.get('Content-Type'), body: await broken.json() }).toEqual({
    status: 503,
    type: 'application/vnd.api+json',
    body: {
      errors: [
        {
          status: '503',
          title: 'Service Unavailable',
          detail: expect.stringMatching(
            /^src\/version\.ts:2:1: .*\n {2}1 \| export const version: number = \{\n> 2 \|\n/,
          ),
        },
      ],
      jsonapi: { version: '1.1' },
    },
  })

  write('src/version.ts', versionText(3))
  expect(await event(dev, 'serving', 3)).toMatchObject({ files: ['src/version.ts'] })
  expect(await version()).toBe('3')

  dev.process.kill('SIGINT')
  expect(await dev.ended).toBe(0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
