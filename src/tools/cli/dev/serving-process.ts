import { fork } from 'node:child_process'
import { once } from 'node:events'
import { programUrl } from '../package-file.js'
import type { LoadFailure } from './load-failure.js'
import type { ServiceSource } from './load-service.js'
import type { FromChild, ServedService, ToChild } from './messages.js'
import type { ReportedException } from './reported-exception.js'

/** The result of loading a module. */
export type LoadResult =
  | { readonly kind: 'serving'; readonly port: number; readonly service: ServedService }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }

/** A process that serves one version of a module. It is started before its module is known, because the start takes most of the time. */
export interface ServingProcess {
  load(source: ServiceSource): Promise<LoadResult>
  /** Ends the process when its requests have their responses, or after the deadline. */
  close(deadline: number): Promise<void>
  kill(): void
  /** Resolves when the process has ended, with the reason: `exit code 1`. */
  readonly ended: Promise<string>
}

export interface ProcessOptions {
  /** Called with the files of the application that the process has loaded. */
  readonly onFiles: (files: readonly string[]) => void
  /** Called with each unexpected exception of a server that has no logger. */
  readonly onException: (exception: ReportedException) => void
  /** Whether the standard output belongs to the host. Then the process writes to the standard error instead. */
  readonly hasEvents: boolean
}

/** How long a process may take to end after its deadline. */
const END_MILLISECONDS = 1000

export function startProcess({ onFiles, onException, hasEvents }: ProcessOptions): ServingProcess {
  const child = fork(programUrl('tools/cli/dev/child.js'), {
    // Node options of this process, such as --inspect, would conflict with those of other processes.
    execArgv: [],
    stdio: ['ignore', hasEvents ? 2 : 'inherit', 'inherit', 'ipc'],
  })
  // The process may have ended already.
  const send = (message: ToChild): void => void (child.connected && child.send(message, () => undefined))
  const ended = once(child, 'exit').then(([code, signal]) => (code === null ? `signal ${signal}` : `exit code ${code}`))
  const result = new Promise<LoadResult>((resolve) => {
    child.on('message', (message: FromChild) => {
      if (message.kind === 'exception') {
        onException(message.exception)
        return
      }
      onFiles(message.files)
      if (message.kind !== 'loaded') resolve(message)
    })
    void ended.then((end) => resolve({ kind: 'failed', failure: endedWhileLoading(end) }))
  })
  return {
    load(source) {
      send({ kind: 'load', ...source })
      return result
    },
    async close(deadline) {
      send({ kind: 'close', deadline })
      const timer = setTimeout(() => child.kill('SIGKILL'), deadline + END_MILLISECONDS)
      await ended
      clearTimeout(timer)
    },
    kill: () => void child.kill('SIGKILL'),
    ended,
  }
}

function endedWhileLoading(end: string): LoadFailure {
  return { message: `The process ended while the module was loaded, with ${end}.`, location: null, frame: null }
}
