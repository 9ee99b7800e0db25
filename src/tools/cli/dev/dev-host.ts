import { openFreeProxy, openProxy } from './connection-proxy.js'
import type { LoadFailure } from './load-failure.js'
import type { ServiceSource } from './load-service.js'
import type { ServedService } from './messages.js'
import { failureText } from './failure-text.js'
import type { ReportedException } from './reported-exception.js'
import { type ServingProcess, startProcess } from './serving-process.js'
import { watchFiles } from './watch-files.js'

export interface DevOptions extends ServiceSource {
  readonly host: string
  /** Null to take the first free port from 3000 on. */
  readonly port: number | null
}

/** Prints the events of the host. */
export interface DevReport {
  /** Whether only the report may write to the standard output. */
  readonly hasEvents: boolean
  changed(files: readonly string[]): void
  /** @param milliseconds how long it took since the change, or since the start */
  serving(served: { readonly service: ServedService; readonly port: number; readonly milliseconds: number }): void
  failed(failure: LoadFailure): void
  exception(exception: ReportedException): void
}

export interface DevHost {
  /** Loads the module again. */
  reload(): void
  /** Ends when the requests that are being served have their responses. */
  close(): Promise<void>
}

const FIRST_PORT = 3000

/** How long requests to the last version may take. */
const RETIRED_MILLISECONDS = 5000
const CLOSED_MILLISECONDS = 2000

/**
 * Serves a module, and loads it again when one of its files changes. Each version has its own process, so that nothing of the last one
 * remains: connections of pools, timers, modules. Responses always come from the newest version: requests wait while it is loaded,
 * and get 503 while it is broken.
 */
export async function startHost(options: DevOptions, report: DevReport): Promise<DevHost> {
  const { host, port } = options
  // If the user names a port, only that one is tried.
  const proxy = await (port === null ? openFreeProxy(host, FIRST_PORT) : openProxy(host, port))
  const watched = watchFiles((files, since) => {
    report.changed(files)
    void load(since)
  })
  const onException = (exception: ReportedException): void => report.exception(exception)
  const start = (): ServingProcess => startProcess({ onFiles: watched.add, onException, hasEvents: report.hasEvents })
  let spare: ServingProcess | null = start()
  let current: ServingProcess | null = null
  let isClosing = false

  async function load(since: number): Promise<void> {
    proxy.hold()
    void current?.close(RETIRED_MILLISECONDS)
    const process = spare ?? start()
    ;[current, spare] = [process, null]
    const result = await process.load(options)
    // Another change has happened in the meantime.
    if (current !== process || isClosing) return
    spare = start()
    if (result.kind === 'failed') {
      process.kill()
      fail(result.failure)
      return
    }
    proxy.pass(result.port)
    report.serving({ service: result.service, port: proxy.port, milliseconds: performance.now() - since })
    const end = await process.ended
    if (current !== process || isClosing) return
    fail({ message: `The process of the service has ended with ${end}.`, location: null, frame: null })
  }

  function fail(failure: LoadFailure): void {
    current = null
    proxy.refuse(failureText(failure))
    report.failed(failure)
  }

  watched.add([options.module])
  void load(performance.now())
  return {
    reload: () => void load(performance.now()),
    async close() {
      isClosing = true
      proxy.close()
      watched.close()
      spare?.kill()
      await current?.close(CLOSED_MILLISECONDS)
    },
  }
}
