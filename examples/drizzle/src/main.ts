import { env } from 'node:process'
import { createServer } from 'ashlar'
import { listen } from 'ashlar/node'
import { sqlData } from 'ashlar/sql'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { prepare } from './prepare.js'
import { StartError, startErrorText } from './start-error.js'
import { resources } from './resources.js'

/** Serves the tables over the pool of Drizzle. Returns a function that stops the service. */
async function start(connectionString: string): Promise<() => Promise<void>> {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 5000 })
  // PostgreSQL may close an idle connection. The pool then opens a new one.
  pool.on('error', () => undefined)
  try {
    await prepare(drizzle(pool))
    // This example knows no callers: everybody may read and write.
    const server = createServer({ resources, data: sqlData(pool), access: 'open' })
    await server.ready().catch((error: Error) => {
      // The database has other tables with these names. The message lists the differences.
      throw new StartError(error.message)
    })
    const listening = await listen(server, { port: Number(env['PORT'] || 3000) })
    console.log(`Served at ${listening.url}. Try:\n`)
    console.log(`  curl -g '${listening.url}/albums?include=artist&filter[format]=album&sort=title'`)
    console.log(`  curl -g '${listening.url}/playlists?include=albums'\n\nPress Ctrl+C to stop.`)
    return async () => {
      await listening.close()
      await pool.end()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

function databaseUrl(): string {
  const url = env['DATABASE_URL'] || undefined
  if (url === undefined)
    throw new StartError('Set DATABASE_URL to a PostgreSQL database: postgres://user:password@host:5432/database.')
  return url
}

try {
  const end = await start(databaseUrl())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
} catch (error) {
  const reason = startErrorText(error)
  if (reason === null) throw error
  console.error(reason)
  process.exitCode = 1
}
