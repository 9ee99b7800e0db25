// @ts-check
/** The processes of the benchmark: servers run on one core, the load and PostgreSQL on another. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { execPath, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * Times in microseconds, sizes in bytes. `heap` is the heap after a garbage collection, if the process has `--expose-gc`.
 * @typedef {{ port: number, pid?: number, usage(): Promise<{ cpu: number, resident: number }>, heap?(): Promise<{ heap: number }> }} ServerProcess
 */
/** @typedef {{ cpu: number, seconds: number, p50: number, p99: number }} Measured `cpu` in microseconds per request */

const serverCore = '0'
const otherCore = '1'

/**
 * Pins this process to the second core. Its child processes inherit it, except servers.
 * @returns {boolean} whether there are two cores and `taskset`
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
 * @param {readonly string[]} args
 * @param {{ pinned: boolean, cleanups: (() => unknown)[], flags?: readonly string[] }} options
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(script, args, { pinned, cleanups, flags = [] }) {
  const child = pinned
    ? fork(fileURLToPath(script), args, {
        execPath: 'taskset',
        execArgv: ['-c', serverCore, execPath, ...flags],
      })
    : fork(fileURLToPath(script), args, { execArgv: [...flags] })
  stopWith(child, cleanups)
  const { port } = await messageOf(child)
  return {
    port,
    ...(child.pid === undefined ? {} : { pid: child.pid }),
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
 * @param {(() => unknown)[]} cleanups
 * @returns {(server: ServerProcess, order: Omit<import('./load.mjs').Order, 'port'>) => Promise<Measured>} sends one round
 */
export function startLoad(cleanups) {
  const child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)))
  stopWith(child, cleanups)
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

/** @param {ChildProcess} child @param {(() => unknown)[]} cleanups */
function stopWith(child, cleanups) {
  const gone = once(child, 'exit')
  cleanups.push(async () => {
    if (child.connected) child.disconnect()
    await gone
  })
}

/** Waits for the next message. Fails if the process ends before. @param {ChildProcess} child @returns {Promise<any>} */
function messageOf(child) {
  return new Promise((resolve, reject) => {
    const onMessage = (/** @type {unknown} */ message) => {
      child.off('exit', ended)
      resolve(message)
    }
    const ended = () => {
      child.off('message', onMessage)
      reject(new Error(`A process ended too early: ${child.spawnargs.join(' ')}`))
    }
    child.once('message', onMessage)
    child.once('exit', ended)
  })
}
