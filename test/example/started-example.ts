import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, type Program, startProgram } from '../support/program.js'
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database.js'

type Environment = Readonly<Record<string, string>>

/** The example, started as its users do. */
export interface StartedExample {
  /** For files that tests need. */
  readonly folder: string
  /** The folder of the files that the example imports. */
  readonly inbox: string
  /** Starts it, by default on a free port. */
  start(environment: Environment): Program
  /** Starts it, and waits until it prints its address. */
  listening(environment: Environment): Promise<Program & { readonly url: string }>
  /** Makes an empty PostgreSQL database, and returns its address. */
  emptyDatabase(): Promise<string>
  /** Ends running programs and removes everything. */
  remove(): Promise<void>
}

export function startedExample(): StartedExample {
  const built = builtPackage()
  const folder = mkdtempSync(join(inject('runFolder'), 'started-'))
  const databases: ScratchDatabase[] = []

  function start(environment: Environment): Program {
    // A busy machine is no reason to refuse the requests of a test.
    const defaults = { PORT: '0', MAX_DELAY: '60000' }
    return startProgram(built.pathOf('examples/music/src/main.ts'), { environment: { ...defaults, ...environment } })
  }

  return {
    folder,
    inbox: built.pathOf('examples/music/inbox'),
    start,
    async listening(environment) {
      const program = start(environment)
      const [, url = ''] = await program.printed(/served at (\S+),[^]*Ctrl\+C/)
      return { ...program, url }
    },
    async emptyDatabase() {
      const database = await scratchDatabase()
      databases.push(database)
      return database.url
    },
    async remove() {
      await endPrograms()
      for (const database of databases) await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
