import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import process, { platform } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestOf } from '../docs/exchange.js'
import { patience } from '../support/patience.js'
import type { Program } from '../support/program.js'
import { serverAddress } from '../support/scratch-database.js'
import { type StartedExample, startedExample } from './started-example.js'

/** For background work of the example. */
const pollOptions = { timeout: patience(60_000) }
const testOptions = { timeout: patience(120_000) }

let example: StartedExample
beforeAll(() => {
  example = startedExample()
})
afterAll(() => example.remove())

/** The environment with a new database. */
const databases = [
  ['SQLite', async () => ({ DATA_DIR: join(example.folder, `data-${Math.random()}`) })],
  ['PostgreSQL', async () => ({ DATABASE_URL: await example.emptyDatabase() })],
] as const

const token = { Authorization: 'Bearer dev-alice' }
const mediaType = { 'Content-Type': 'application/vnd.api+json', ...token }

describe.each(databases)('the example on %s', testOptions, (engine, freshDatabase) => {
  test('creates its database at the first start, prints what to try, loses nothing when it ends, and continues at the second', async () => {
    const database = await freshDatabase()
    const first = await example.listening(database)
    const { stdout } = first.output()
    expect(stdout).toContain(`The music catalogue is served at ${first.url}, from ${engine}`)
    expect(stdout).toContain('\n\nalice  dev-alice\nbob  dev-bob\nadmin  dev-admin\n\n')
    if ('DATA_DIR' in database) expect(existsSync(join(database.DATA_DIR, 'music.db'))).toBe(true)
    const responses = await Promise.all((stdout.match(/curl .*/g) ?? []).map(runCurl))
    expect(responses).toMatchObject(responsesToFirst)
    await endInTheMiddle(first)

    const second = await example.listening(database)
    const { document } = await runCurl(`curl ${second.url}/artists/4`)
    expect(document.data).toMatchObject({ attributes: { name: 'Portishead', trackCount: 0 } })
    expect(await statusOf(`${second.url}/genres/trip-hop`)).toBe(200)
    expect(await statusOf(`${second.url}/health/ready`)).toBe(200)
    await importOf('portishead.tsv', second.url)
    for (const job of [1, 2]) {
      await expect.poll(() => statusOf(`${second.url}/jobs/${job}`), pollOptions).toBe(303)
    }
    for (const [slug, trackCount] of Object.entries({ portishead: 7, 'singer-0': 1, 'singer-99': 1 })) {
      const artist = await runCurl(`curl ${second.url}/artists?filter[slug]=${slug}`)
      expect(artist.document.data).toMatchObject({ attributes: { trackCount } })
    }
    expect(await ended(second, 'SIGTERM')).toEqual({ code: 0, stderr: '' })
  })
})

describe('the example with WORKERS=2', testOptions, () => {
  test('replaces a worker that is killed, and loses no request when it ends', async () => {
    const running = await example.listening({ DATA_DIR: join(example.folder, 'data-of-workers'), WORKERS: '2' })
    const { pid = 0 } = running.process
    expect(running.output().stdout).toContain(' by 2 processes')
    const [first = 0, second = 0] = await childrenOf(pid)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => running.output().stderr, pollOptions).toContain(`Worker ${first} has ended (SIGKILL).`)
    await expect.poll(async () => (await childrenOf(pid)).length, pollOptions).toBe(2)
    expect(await childrenOf(pid)).toContain(second)
    const statuses = Array.from({ length: 8 }, () => statusOf(`${running.url}/artists/1`))
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
    await endInTheMiddle(running, expect.stringMatching(/^Worker \d+ has ended \(SIGKILL\)\. Another .*\n$/) as string)
    expect(await childrenOf(pid)).toEqual([])
  })
})

// Its messages are those of start-error.test.ts; here one is found before anything else is started, and one after everything else.
describe('the example reports in one sentence, and exits with 1,', () => {
  test('that its port is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const { port } = occupant.address() as AddressInfo
    for (const WORKERS of ['1', '2']) {
      expect(await startErrorText({ PORT: String(port), WORKERS })).toBe(
        `Port ${port} is in use: stop the program that listens there, or choose another port with PORT=3001.`,
      )
    }
    occupant.close()
  })

  test('that there is no such database', async () => {
    const url = new URL(serverAddress({ pathname: '/nowhere' }))
    expect(await startErrorText({ DATABASE_URL: url.href })).toBe(
      `PostgreSQL at ${url.host} refuses the connection (database "nowhere" does not exist): ` +
        'check user, password and database of DATABASE_URL.',
    )
  })
})

/** The responses to the requests that the example prints. */
const responsesToFirst = [
  { status: 200, document: { data: { type: 'artists', id: '2', attributes: { name: 'Björk' } } } },
  {
    status: 200,
    document: {
      data: { type: 'albums', id: '1', attributes: { title: 'OK Computer' } },
      included: [
        { type: 'artists', attributes: { name: 'Radiohead' } },
        { attributes: { displayTitle: '1. Airbag' } },
        { attributes: { displayTitle: '2. Paranoid Android' } },
        { attributes: { displayTitle: '6. Karma Police' } },
      ],
    },
  },
  {
    status: 200,
    document: {
      data: [
        { attributes: { title: 'So What' } },
        { attributes: { title: 'Jóga' } },
        { attributes: { title: 'Idioteque' } },
      ],
      links: { next: expect.any(String) },
    },
  },
  { status: 201, document: { data: { id: '4', attributes: { name: 'Portishead', slug: 'portishead' } } } },
]

/** Ends it during a request and an import; the request gets its response before. */
async function endInTheMiddle(running: Program & { readonly url: string }, stderr = ''): Promise<void> {
  writeFileSync(join(example.inbox, 'long.tsv'), manySongs)
  const genre = { type: 'genres', id: 'trip-hop', attributes: { name: 'Trip hop' } }
  const request = await halfSent(`${running.url}/genres`, { data: genre })
  await importOf('long.tsv', running.url)
  await expect.poll(() => hasBegun(`${running.url}/jobs/1`), pollOptions).toBe(true)
  const end = ended(running, 'SIGINT')
  // npm passes on the signal that the terminal has sent already. Without a pause the system may merge both.
  await pause(50)
  running.process.kill('SIGINT')
  expect(await request.finish()).toContain('201 Created')
  expect(await end).toEqual({ code: 0, stderr })
}

/** The ids of the processes that a process has started. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const ids = platform === 'linux' ? await childrenInProc(pid) : childrenByPs(pid)
  return ids.map(Number)
}

async function childrenInProc(pid: number): Promise<readonly string[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.split(' ').filter((each) => each !== '')
}

function childrenByPs(pid: number): readonly string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/))
  return pairs.flatMap(([parent, child = '']) => (Number(parent) === pid ? [child] : []))
}

/** Starts it where it cannot serve, and returns the one line that it prints. */
async function startErrorText(environment: Readonly<Record<string, string>>): Promise<string> {
  const running = example.start({ DATA_DIR: join(example.folder, 'data'), ...environment })
  const code = await running.ended
  const { stdout, stderr } = running.output()
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 })
  return stderr.trimEnd()
}

/** Enough to take a while. */
const manySongs = Array.from({ length: 100 }, (_, index) => `Singer ${index}\tAlbum\tSong\t100`).join('\n')

/** Sends a signal, and returns how the process has ended. */
async function ended(running: Program, signal: NodeJS.Signals) {
  running.process.kill(signal)
  return { code: await running.ended, stderr: running.output().stderr }
}

interface CurlResponse {
  readonly status: number
  readonly document: { readonly data: unknown }
}

async function runCurl(command: string): Promise<CurlResponse> {
  const { url, init } = requestOf(command)
  const response = await fetch(url, init)
  expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
  return { status: response.status, document: (await response.json()) as CurlResponse['document'] }
}

async function importOf(source: string, url: string): Promise<void> {
  const body = JSON.stringify({ data: { type: 'imports', attributes: { source } } })
  const { status } = await fetch(`${url}/imports`, { method: 'POST', headers: mediaType, body })
  expect(status).toBe(202)
}

/** Whether a worker has started a job, or finished it. */
async function hasBegun(job: string): Promise<boolean> {
  const response = await fetch(job, { redirect: 'manual', headers: token })
  return response.status === 303 || !(await response.text()).includes('queued')
}

async function statusOf(url: string): Promise<number> {
  const { status } = await fetch(url, { redirect: 'manual', headers: token })
  return status
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

/** Sends a document except for its last bytes, after the service has read the rest. */
async function halfSent(url: string, document: object) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let reply = ''
  socket.on('data', (text: string) => {
    reply += text
  })
  const body = JSON.stringify(document)
  const head = [`POST ${pathname} HTTP/1.1`, `Host: ${hostname}`, ...headerLines(mediaType)]
  socket.write([...head, `Content-Length: ${body.length}`, 'Expect: 100-continue', '', ''].join('\r\n'))
  await expect.poll(() => reply, pollOptions).toContain('100 Continue')
  socket.write(body.slice(0, -10))
  return {
    async finish(): Promise<string> {
      socket.write(body.slice(-10))
      if (!socket.closed) await once(socket, 'close')
      return reply
    },
  }
}
