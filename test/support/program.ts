import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'

/** A process that a test has started. */
export interface Program {
  readonly process: ChildProcess
  /** Returns everything that it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string }
  /** Waits until its standard output matches, and returns the match. Rejects if the program ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Its exit code, when it has ended and all of its output was read; `null` if a signal has ended it. */
  readonly ended: Promise<number | null>
}

export interface ProgramOptions {
  readonly args?: readonly string[]
  /** The whole environment of the program, in addition to the path. */
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
}

const running = new Set<Program>()

const preload = new URL('end-with-parent.mjs', import.meta.url).href

/** Runs a JavaScript file with node. A file with tests that start programs calls `afterAll(endPrograms)`. */
export function startProgram(file: string, { args = [], environment = {}, cwd }: ProgramOptions = {}): Program {
  const child = spawn(execPath, ['--import', preload, file, ...args], {
    env: { PATH: env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  // The program may end before it has read the input of a test.
  child.stdin.on('error', () => undefined)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(() => {
    running.delete(program)
    return child.exitCode
  })
  const program: Program = {
    process: child,
    output: () => ({ stdout, stderr }),
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(stdout)
        if (match !== null) return match
        if (!running.has(program)) throw new Error(`${file} has ended without ${pattern}:\n${stdout}${stderr}`)
        await Promise.race([once(child.stdout, 'data'), ended])
      }
    },
    ended,
  }
  running.add(program)
  return program
}

/** Kills the running programs, and waits until they have ended. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map(killProgram))
}

/** Kills a program at any point, and waits until it has ended. */
export async function killProgram(program: Program): Promise<void> {
  program.process.kill('SIGKILL')
  await program.ended
}
