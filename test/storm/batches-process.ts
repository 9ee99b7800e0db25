import { argv, pid, stdin, stdout } from 'node:process'
import { atomic } from 'ashlar'
import { listen } from 'ashlar/node'
import { musicServer, openMusic } from '../support/sql-music.js'

/** Serves a music database, batches too, until it is killed, or until whoever started it is gone. */

const { database } = openMusic(argv[2] ?? ':memory:')
const server = musicServer(database, { isCounted: true, settings: { extensions: [atomic()] } })
await server.ready()
const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
stdin.on('end', () => process.exit()).resume()
stdout.write(`${JSON.stringify({ port, pid })}\n`)
