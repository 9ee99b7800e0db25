import { env } from 'node:process'
import { createServer } from 'ashlar'
import { listen } from 'ashlar/node'
import { sqlData } from 'ashlar/sql'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { prepare } from './prepare.js'
import { Refusal, refusalOf } from './refusal.js'
import { resources } from './resources.js'

/** Serves the tables over the pool that Drizzle has, and answers how to end it. */
async function start(connectionString: string): Promise<() => Promise<void>> {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 5000 })
  // A connection that the server ends while nobody uses it: the pool opens another.
  pool.on('error', () => undefined)
  try {
    await prepare(drizzle(pool))
    const server = createServer({ resources, data: sqlData(pool) })
    await server.ready().catch((error: Error) => {
      // Tables of these names that are others: it says what they lack.
      throw new Refusal(error.message)
    })
    const listening = await listen(server, { port: Number(env['PORT'] || 3000) })
    console.log(`Served at ${listening.url}. Try:\n`)
    console.log(`  curl -g '${listening.url}/albums?include=artist&filter[format]=album&sort=title'`)
    console.log(`  curl -g '${listening.url}/playlists?include=albums'\n\nCtrl+C ends it.`)
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
    throw new Refusal('Say where PostgreSQL is: DATABASE_URL=postgres://user:password@host:5432/database.')
  return url
}

try {
  const end = await start(databaseUrl())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
} catch (error) {
  const reason = refusalOf(error)
  if (reason === null) throw error
  console.error(reason)
  process.exitCode = 1
}
