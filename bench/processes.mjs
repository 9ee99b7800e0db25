// @ts-check
/** The processes of the benchmark: servers on one core, the load and PostgreSQL on another, so that they do not take turns. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { execPath, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * In microseconds and bytes. `heap` is what a garbage collection leaves, if the process has `--expose-gc`.
 * @typedef {{ port: number, usage(): Promise<{ cpu: number, resident: number }>, heap?(): Promise<{ heap: number }> }} ServerProcess
 */
/** @typedef {{ cpu: number, seconds: number, p50: number, p99: number }} Measured `cpu` in microseconds a request */

const serverCore = '0'
const otherCore = '1'

/**
 * Pins this process to the other core; what it starts stays there too, but for servers.
 * @returns {boolean} whether there are two cores and a tool to choose one
 */
export function pin() {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-a', '-p', '-c', otherCore, String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * @param {URL} script
 * @param {readonly string[]} given
 * @param {{ pinned: boolean, ending: (() => unknown)[], flags?: readonly string[] }} how
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(script, given, { pinned, ending, flags = [] }) {
  const child = pinned
    ? fork(fileURLToPath(script), given, {
        execPath: 'taskset',
        execArgv: ['-c', serverCore, execPath, ...flags],
      })
    : fork(fileURLToPath(script), given, { execArgv: [...flags] })
  endsWith(child, ending)
  const { port } = await messageOf(child)
  return {
    port,
    usage() {
      child.send('usage')
      return messageOf(child)
    },
    heap() {
      child.send('heap')
      return messageOf(child)
    },
  }
}

/**
 * @param {(() => unknown)[]} ending
 * @returns {(server: ServerProcess, order: Omit<import('./load.mjs').Order, 'port'>) => Promise<Measured>} sends one round
 */
export function startLoad(ending) {
  const child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)))
  endsWith(child, ending)
  return async (server, order) => {
    child.send({ port: server.port, ...order })
    const ready = await messageOf(child)
    if (ready !== 'ready') throw new Error(ready.fault)
    const before = await server.usage()
    child.send('go')
    const { fault, ...round } = await messageOf(child)
    if (fault !== undefined) throw new Error(fault)
    const after = await server.usage()
    return { cpu: (after.cpu - before.cpu) / order.count, ...round }
  }
}

/** @param {ChildProcess} child @param {(() => unknown)[]} ending */
function endsWith(child, ending) {
  const gone = once(child, 'exit')
  ending.push(async () => {
    if (child.connected) child.disconnect()
    await gone
  })
}

/** The next message, unless the process ends before. @param {ChildProcess} child @returns {Promise<any>} */
function messageOf(child) {
  return new Promise((resolve, reject) => {
    const heard = (/** @type {unknown} */ message) => {
      child.off('exit', ended)
      resolve(message)
    }
    const ended = () => {
      child.off('message', heard)
      reject(new Error(`A process ended too early: ${child.spawnargs.join(' ')}`))
    }
    child.once('message', heard)
    child.once('exit', ended)
  })
}
