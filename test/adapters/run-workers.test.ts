import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { runWorkers } from 'ashlar/node'
import { afterAll, expect, inject, it } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { patience } from '../support/patience.js'
import { endPrograms, type Program, startProgram } from '../support/program.js'

const pollOptions = { timeout: patience(60_000) }
const folder = mkdtempSync(join(inject('runFolder'), 'workers-'))
afterAll(async () => {
  await endPrograms()
  rmSync(folder, { recursive: true, force: true })
})

/** Each process prints what it does. `/slow` has its response when the file exists, and `serve` fails if the file `broken` exists. */
const program = (node: string) => `
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { listen, runWorkers, WorkersError } from '${node}'
const { WORKERS, FOLDER } = process.env
const role = cluster.isWorker ? 'worker' : 'first'
const print = (text) => console.log(role + ' ' + text)
async function handle({ path }) {
  if (path === '/slow') {
    print('receives')
    while (!existsSync(FOLDER + '/open')) await pause(10)
  }
  return { status: 200, headers: [], body: String(process.pid) }
}
if (process.env.EPIPE) {
  cluster.once('listening', ({ process }) => cluster.once('listening', () => {
    // The error of a message to a worker that was killed a moment before.
    process.kill('SIGKILL')
    process.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  }))
}
try {
  await runWorkers({
    workers: WORKERS,
    prepare: () => print('prepares'),
    async serve() {
      if (existsSync(FOLDER + '/broken')) throw new Error('It is broken.')
      return listen(handle)
    },
    onListening: (url, workers) => print('listens with ' + workers + ' at ' + url),
    end: () => print('ends'),
  })
  print('returns')
} catch (error) {
  console.error(role + ' ' + (error instanceof WorkersError) + ' ' + error.message)
  process.exitCode = 1
}
`

/** Writes the program to a folder of its own. */
function written(variables: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(folder, 'program-'))
  const file = join(own, 'main.mjs')
  writeFileSync(file, program(pathToFileURL(join(builtPackage().folder, 'dist/node.js')).href))
  return { file, environment: { FOLDER: own, ...variables }, add: (name: string) => writeFileSync(join(own, name), '') }
}

function start(variables: Readonly<Record<string, string>>) {
  const { file, environment, add } = written(variables)
  const started = startProgram(file, { environment })
  return { started, add, url: () => urlOf(started) }
}

async function urlOf(started: Program): Promise<string> {
  const [, url = ''] = await started.printed(/listens with \d at (\S+)\n/)
  return url
}

/** Waits until that many processes have responded, and returns their ids. */
async function pidsAt(url: string, count: number): Promise<readonly number[]> {
  const pids = new Set<number>()
  while (pids.size < count) {
    const responses = Array.from({ length: 8 }, () => fetch(url, { headers: { Connection: 'close' } }))
    for (const response of await Promise.all(responses)) pids.add(Number(await response.text()))
  }
  return [...pids]
}

const lines = ({ stdout }: { readonly stdout: string }): readonly string[] =>
  stdout
    .replace(/ at http:\S+/, '')
    .trim()
    .split('\n')

it('runs a service in one process, and returns after the last response', async () => {
  const { started, add, url } = start({})
  const slow = fetch(`${await url()}/slow`)
  await started.printed(/receives/)
  started.process.kill('SIGTERM')
  add('open')
  expect(await (await slow).text()).toBe(String(started.process.pid))
  expect(await started.ended).toBe(0)
  expect(lines(started.output())).toEqual([
    'first prepares',
    'first listens with 1',
    'first receives',
    'first ends',
    'first returns',
  ])
})

it('runs a service in several processes, which finish their requests when the first one gets a signal', async () => {
  const { started, add, url } = start({ WORKERS: '2' })
  const pids = await pidsAt(await url(), 2)
  expect(pids).not.toContain(started.process.pid)
  const slow = fetch(`${await url()}/slow`)
  await started.printed(/receives/)
  started.process.kill('SIGINT')
  add('open')
  expect(pids).toContain(Number(await (await slow).text()))
  expect(await started.ended).toBe(0)
  const { stdout, stderr } = started.output()
  expect(stderr).toBe('')
  expect(lines({ stdout }).slice(0, 3)).toEqual(['first prepares', 'first listens with 2', 'worker receives'])
  expect(lines({ stdout }).filter((line) => line === 'worker returns')).toHaveLength(2)
  expect(lines({ stdout }).slice(-2)).toEqual(['first ends', 'first returns'])
})

it('replaces a worker that was killed, also if a message to it fails', async () => {
  const { started, url } = start({ WORKERS: '2', EPIPE: '1' })
  await expect.poll(() => started.output().stderr, pollOptions).toContain('has ended (SIGKILL)')
  expect(await pidsAt(await url(), 2)).toHaveLength(2)
  started.process.kill('SIGTERM')
  expect(await started.ended).toBe(0)
  expect(started.output().stderr).toMatch(/^Worker \d+ has ended \(SIGKILL\)\. Another one starts in 100 ms\.\n$/)
})

it('gives up when no worker is left and the replacements fail repeatedly', async () => {
  const { started, add, url } = start({ WORKERS: '2' })
  const pids = await pidsAt(await url(), 2)
  add('broken')
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  expect(await started.ended).toBe(1)
  const { stdout, stderr } = started.output()
  expect(stderr).toContain('first true No worker is left, and 5 in a row have failed. The last one has ended (1).\n')
  expect(stderr).toContain('worker false It is broken.\n')
  expect(lines({ stdout }).at(-1)).toBe('first ends')
})

it('rejects if a worker cannot start', async () => {
  const { started, add } = start({ WORKERS: '2' })
  add('broken')
  expect(await started.ended).toBe(1)
  const { stdout, stderr } = started.output()
  expect(stderr).toBe('worker false It is broken.\nfirst true A worker has ended before it served requests (1).\n')
  expect(lines({ stdout })).toEqual(['first prepares', 'worker ends', 'first ends'])
})

it('lets workers finish their requests when the first process is killed', async () => {
  const { file, environment, add } = written({ WORKERS: '2' })
  // Not with startProgram(): its programs end all their processes when they are killed.
  const first = spawn(execPath, [file], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(first, 'close')
  let stdout = ''
  first.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  const printed = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(stdout)) await once(first.stdout, 'data')
    return pattern.exec(stdout)?.[1] ?? ''
  }
  const url = await printed(/ at (\S+)\n/)
  const pids = await pidsAt(url, 2)
  try {
    const slow = fetch(`${url}/slow`)
    await printed(/receives/)
    first.kill('SIGKILL')
    await once(first, 'exit')
    add('open')
    expect(pids).toContain(Number(await (await slow).text()))
    // Their output ends when they end.
    await closed
    expect(lines({ stdout }).filter((line) => line === 'worker returns')).toHaveLength(2)
  } finally {
    for (const pid of pids) killIfRunning(pid)
  }
})

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

it.each([0, 1.5, 'many', '-1', 2000])('refuses %s workers', async (workers) => {
  await expect(runWorkers({ workers, serve: () => Promise.reject(new Error('It was started.')) })).rejects.toThrow(
    `The option 'workers' of runWorkers() is ${JSON.stringify(workers)}, and must be 'auto' or a whole number from 1 to 1024.`,
  )
})
