import { resolve } from 'node:path'
import { env } from 'node:process'

const url = env['DATABASE_URL'] || undefined
const folder = resolve(env['DATA_DIR'] || 'data')

/** What the environment says: `DATABASE_URL`, `DATA_DIR`, `PORT`, `HOST`. */
export const settings = {
  storage: url === undefined ? { folder } : { url, folder },
  listening: { port: Number(env['PORT'] || 3000), host: env['HOST'] || '127.0.0.1' },
  /** Where the rows are, in words. */
  words: url === undefined ? `SQLite in ${folder}` : 'PostgreSQL',
} as const
