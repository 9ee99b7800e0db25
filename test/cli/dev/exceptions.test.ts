import { afterAll, expect, test } from 'vitest'
import { reportedException } from '../../../src/tools/cli/dev/reported-exception.js'
import { applicationFolder } from '../../support/application-folder.js'
import { endPrograms } from '../../support/program.js'

afterAll(endPrograms)

const server = (logger: string) => `
import { createServer } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { albums } from './albums.js'

const data = memoryData({ albums: [{ id: 1, title: 'Blue Train' }] })
export const server = createServer({ access: 'open', resources: [albums], data${logger} })
`

const albums = `import { defineResource, id, model } from 'ashlar'

interface Album {
  id: number
  title: string
}

export const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    initial: a.string().computed(initialOf),
  }),
})

function initialOf(row: Album): string {
  throw new TypeError(row.title + ' has no initial')
}
`

const frame = `  16 |
  17 | function initialOf(row: Album): string {
> 18 |   throw new TypeError(row.title + ' has no initial')
     |         ^
  19 | }`

/** Serves with `ashlar dev`, causes an exception and an error without one, ends, and returns the output after the start. */
async function printedBy(args: readonly string[], logger = '') {
  const folder = applicationFolder({ 'src/server.ts': server(logger), 'src/albums.ts': albums })
  const dev = folder.start(['dev', '--port', '0', ...args])
  const [, url = ''] = await dev.printed(/(http:\/\/[\d.:]+)[^]*\n/)
  const start = dev.output().stdout.length
  expect((await fetch(`${url}/albums/2`)).status).toBe(404)
  const failed = await fetch(`${url}/albums/1?include=`)
  expect({ status: failed.status, body: await failed.json() }).toEqual({
    status: 500,
    body: { errors: [{ status: '500', title: 'Internal Server Error' }], jsonapi: { version: '1.1' } },
  })
  await expect.poll(() => dev.output().stderr).toContain('src/albums.ts:18:9')
  dev.process.kill('SIGINT')
  expect(await dev.ended).toBe(0)
  const { stdout, stderr } = dev.output()
  return { stdout: stdout.slice(start), stderr }
}

test('an unexpected exception is an event and a text if the server has no logger', async () => {
  const { stdout, stderr } = await printedBy(['--json'])
  expect(stdout.match(/\n/g)).toHaveLength(1)
  expect(JSON.parse(stdout)).toEqual({
    event: 'exception',
    method: 'GET',
    path: '/albums/1',
    status: 500,
    error: 'Blue Train has no initial',
    place: 'src/albums.ts:18:9',
    frame,
    stack: expect.stringMatching(/^TypeError: Blue Train has no initial\n {4}at initialOf \(src\/albums\.ts:18:9\)\n/),
  })
  const lines = stderr.split('\n')
  expect(lines.slice(0, 8).join('\n')).toBe(`Exception: GET /albums/1 500, src/albums.ts:18:9
${frame}
TypeError: Blue Train has no initial
    at initialOf (src/albums.ts:18:9)`)
  expect(lines.slice(8)).toEqual([...Array<unknown>(9).fill(expect.stringMatching(/^ {4}at /)), ''])
})

test('an exception that a logger gets is not printed again', async () => {
  const { stdout, stderr } = await printedBy([], ', logger: { error: ({ err }) => console.error(err) }')
  expect(stderr).toMatch(/^TypeError: Blue Train has no initial\n/)
  expect(stderr.match(/Blue Train/g)).toHaveLength(1)
  expect(stdout).toBe('')
})

test('the exception that a mapper threw is shown with the one that it got', () => {
  const { stack } = reportedException({
    kind: 'exception',
    thrown: new Error('Mapping failed'),
    original: new RangeError('Too long'),
    request: null,
    status: 500,
  })
  expect(stack).toMatch(/^Error: Mapping failed\n {4}at [^]*\nWhile handling: RangeError: Too long\n {4}at /)
})

test('everything that can be thrown is described', () => {
  const circular = new Error('circular')
  circular.cause = circular
  const unreadable = new Proxy(new Error('unreadable'), {
    get() {
      throw new Error('unreadable')
    },
  })
  const described = [circular, unreadable, 'text', null, { toString: null }].map((thrown) => {
    const { message, stack } = reportedException({ kind: 'exception', thrown, request: null, status: 500 })
    return [message, stack.split('\n')[0]]
  })
  expect(described).toEqual([
    ['circular', '<ref *1> Error: circular'],
    // Node 26 marks proxies.
    ['The thrown value cannot be shown.', expect.stringMatching(/^(?:Proxy\()?Error: unreadable$/)],
    ['text', "'text'"],
    ['null', 'null'],
    ['The thrown value cannot be shown.', '{ toString: null }'],
  ])
})
