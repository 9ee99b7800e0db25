import { builtPackage } from '../support/built-package.js'
import { startProgram } from '../support/program.js'

/** When a server kills itself: right after it has run so many statements of an operation that begin with a text. */
export interface Death {
  readonly operation: string
  readonly statement: string
  readonly count: number
}

/** A process that serves a music database. */
export interface Serving {
  readonly url: string
  /** Makes it kill itself later, in the middle of a write. */
  dieAt(death: Death): void
  /** Waits until the process has ended, and returns the signal that has killed it. */
  ended(): Promise<NodeJS.Signals | null>
}

/** @param address as `openMusic()` takes it */
export async function serving(address: string): Promise<Serving> {
  const program = startProgram(builtPackage().pathOf('test/storm/music-process.ts'), { args: [address] })
  const [, url = ''] = await program.printed(/^(http.+)\n/)
  return {
    url,
    dieAt: (death) => void program.process.stdin?.write(JSON.stringify(death)),
    async ended() {
      await program.ended
      return program.process.signalCode
    },
  }
}
