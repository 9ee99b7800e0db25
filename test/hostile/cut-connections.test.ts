import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, killProgram, type Program, startProgram } from '../support/program.js'
import { isLong } from '../support/runs.js'
import { clientHello } from './client-hello.js'
import { cutMessages, endingMessages, type Message, wholeMessages } from './http1-messages.js'
import { servesHttp2ByHono } from './http2-by-hono.js'
import { http2Messages } from './http2-messages.js'
import { type Ending, type OpenHost, sendCut, sendUnsecured, statusOf } from './open-host.js'

let program: Program | undefined
let hosts: readonly OpenHost[]

/** Returns the process that serves. A test that has ended it does not make the others fail. */
async function served(): Promise<Program> {
  if (program !== undefined) return program
  const started = startProgram(builtPackage().pathOf('test/hostile/hosts-process.ts'))
  const [line] = await started.printed(/^\[.*\]\n/)
  hosts = JSON.parse(line)
  program = started
  return started
}
beforeEach(async () => void (await served()))
afterAll(endPrograms)

type Trial = () => Promise<void>

/** How many connections are open at the same time. */
const concurrency = 32

/** Returns every nth element of a list for `npm test`, and all of them for `npm run test:long`. */
function sampled<T>(list: readonly T[], every: number, start: number): readonly T[] {
  return isLong ? list : list.filter((_, index) => (index + start) % every === 0)
}

/** Runs the trials of a host. Then expects that the host responds, and that the process has reported nothing. */
async function expectAlive(host: OpenHost, trials: readonly Trial[]): Promise<void> {
  const serving = await served()
  const left = trials.values()
  const run = async (): Promise<void> => {
    for (const trial of left) if (serving.process.exitCode === null) await trial()
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  const status = await statusOf(host).catch(String)
  if (status !== 200) {
    await killProgram(serving)
    program = undefined
  }
  expect({ host, status, stderr: serving.output().stderr }).toEqual({ host, status: 200, stderr: '' })
}

/** Cuts a message at each byte. */
function cuts(bytes: Buffer): readonly Buffer[] {
  return Array.from(bytes, (_, index) => bytes.subarray(0, index))
}

const endings: readonly Ending[] = ['FIN', 'RST']
const allEndings: readonly Ending[] = [...endings, 'late RST']

function trialsOf(host: OpenHost, messages: readonly Buffer[], by: readonly Ending[]): readonly Trial[] {
  return messages.flatMap((bytes) => by.map((ending) => () => sendCut(host, bytes, ending)))
}

function bytesOf(messages: readonly Message[]): readonly Buffer[] {
  return messages.map(({ bytes }) => bytes)
}

/** Calls a function for the hosts of a protocol, one by one. */
async function forEachHost(
  protocol: OpenHost['protocol'],
  run: (host: OpenHost, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, host] of hosts.filter((each) => each.protocol === protocol).entries()) await run(host, index)
}

/** Handshakes take much more time than everything else. */
function interval(host: OpenHost, usual: number): number {
  return host.isSecure ? usual * 9 : usual
}

const exception = servesHttp2ByHono
  ? ''
  : ', but not with HTTP/2 by the server of Hono, which ends the process on this Node'

describe(`A process that serves by any adapter${exception} lives`, () => {
  it.each(endingMessages)('after $name', async ({ bytes }) => {
    await forEachHost('HTTP/1.1', (host) => expectAlive(host, trialsOf(host, [bytes, bytes], allEndings)))
  })

  it('after each method with each version and each shape of headers', async () => {
    await forEachHost('HTTP/1.1', (host, index) => {
      const messages = sampled(bytesOf(wholeMessages), interval(host, 47), index)
      return expectAlive(host, trialsOf(host, messages, endings))
    })
  })

  it('after requests of all kinds that are complete', async () => {
    const [http1, http2] = [bytesOf(cutMessages), bytesOf(http2Messages)]
    await forEachHost('HTTP/1.1', (host, index) =>
      expectAlive(host, trialsOf(host, host.isSecure ? sampled(http1, 5, index) : http1, allEndings)),
    )
    await forEachHost('HTTP/2', (host, index) =>
      expectAlive(host, trialsOf(host, host.isSecure ? sampled(http2, 5, index) : http2, endings)),
    )
  })

  it('after requests of all kinds that are cut at each byte', async () => {
    const [http1, http2] = [bytesOf(cutMessages).flatMap(cuts), bytesOf(http2Messages).flatMap(cuts)]
    await forEachHost('HTTP/1.1', (host, index) =>
      expectAlive(host, trialsOf(host, sampled(http1, interval(host, 251), index), endings)),
    )
    await forEachHost('HTTP/2', (host, index) =>
      expectAlive(host, trialsOf(host, sampled(http2, interval(host, 251), index), endings)),
    )
  })

  it('after a handshake of TLS that is cut at each byte', async () => {
    const hellos = cuts(await clientHello())
    for (const [index, host] of hosts.entries()) {
      const messages = sampled(hellos, 53, index)
      const trials = messages.flatMap((bytes) => endings.map((ending) => () => sendUnsecured(host, bytes, ending)))
      await expectAlive(host, trials)
    }
  })

  it('until it ends itself, when all connections are closed', async () => {
    const serving = await served()
    program = undefined
    serving.process.stdin?.write('end\n')
    expect([await serving.ended, serving.output().stderr]).toEqual([0, ''])
  })
})
