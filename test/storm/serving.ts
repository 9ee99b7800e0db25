import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

/** A process that serves a music database. */
export interface Serving {
  readonly url: string
  /** Ends it without a warning, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** @param place as `openMusic()` takes it */
export async function serving(script: string, place: string): Promise<Serving> {
  const child: ChildProcess = spawn(execPath, [script, place], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  if (child.stdout === null) throw new Error('The process says nothing.')
  const said = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const line = await Promise.race([said, gone.then(() => null)])
  if (line === null) throw new Error('The process has ended before it served.')
  const { port } = JSON.parse(line) as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
