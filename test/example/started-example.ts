import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database.js'

type Environment = Readonly<Record<string, string>>

/** The example in a process of its own. */
export interface Running {
  readonly process: ChildProcess
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string }
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** The example, built, to be started as its users do. */
export interface BuiltExample {
  /** For files that tests need; `inbox` in it is that of imports. */
  readonly folder: string
  /** On a free port unless told. */
  start(environment: Environment): Running
  /** Starts it, and waits until it says where it listens. */
  listening(environment: Environment): Promise<Running & { readonly url: string }>
  /** The address of an empty PostgreSQL database. */
  emptyDatabase(): Promise<string>
  /** Ends what still runs and removes everything. */
  remove(): Promise<void>
}

export function builtExample(): BuiltExample {
  const built = builtPackage(['examples/music/src'])
  const folder = built.pathOf('examples/music')
  cpSync('examples/music/inbox', join(folder, 'inbox'), { recursive: true })
  const started: Running[] = []
  const databases: ScratchDatabase[] = []

  function start(environment: Environment): Running {
    const running = run(join(folder, 'src/main.js'), { PORT: '0', ...environment })
    started.push(running)
    return running
  }

  return {
    folder,
    start,
    async listening(environment) {
      const running = start(environment)
      const told = () => /served at (\S+),[^]*Ctrl\+C/.exec(running.output().stdout)?.[1]
      while (told() === undefined && running.process.exitCode === null) {
        await Promise.race([once(running.process.stdout as NodeJS.ReadableStream, 'data'), running.ended])
      }
      expect(running.output().stderr).toBe('')
      return { ...running, url: told() ?? '' }
    },
    async emptyDatabase() {
      const database = await scratchDatabase()
      databases.push(database)
      return database.url
    },
    async remove() {
      for (const { process } of started) if (process.exitCode === null) process.kill('SIGKILL')
      await Promise.all(started.map(({ ended }) => ended))
      for (const database of databases) await database.drop()
      built.remove()
    },
  }
}

/** The environment holds nothing of the tests' own but the path. */
function run(file: string, environment: Environment): Running {
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(() => child.exitCode)
  return { process: child, output: () => ({ stdout, stderr }), ended }
}
