import { argv, kill, pid, stdin, stdout } from 'node:process'
import { atomic } from 'ashlar'
import { listen } from 'ashlar/node'
import { musicServer, openMusic } from '../support/sql-music.js'
import type { Death } from './serving.js'

/**
 * Serves a music database, batches and `Idempotency-Key` too. Prints its address. Reads from standard input after how many statements
 * to exit abruptly.
 */

let death: Death | null = null
let statements = 0

const { database } = openMusic(argv[2] ?? ':memory:')
const server = musicServer(database, {
  isCounted: true,
  isVersioned: true,
  // On a busy machine transactions meet more often: no request may fail because of that.
  retries: 8,
  onStatement({ sql, context }) {
    if (death === null || context?.operation !== death.operation || !sql.startsWith(death.statement)) return
    statements += 1
    if (statements === death.count) kill(pid, 'SIGKILL')
  },
  settings: { extensions: [atomic()], versions: 'hash', secret: 'The secret of the storm', idempotency: true },
})
await server.ready()
const { url } = await listen(server, { host: '127.0.0.1', port: 0 })
stdin.setEncoding('utf8').on('data', (line: string) => {
  death = JSON.parse(line) as Death
})
stdout.write(`${url}\n`)
