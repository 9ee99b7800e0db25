import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { env } from 'node:process'
import { firstUsers } from './access/first-tokens.js'

const url = env['DATABASE_URL'] || undefined
const folder = resolve(env['DATA_DIR'] || 'data')

/** `1` and `true` switch a setting on, in any letters; so do `yes` and `on`. */
export function isOn(text = ''): boolean {
  return /^(?:1|true|yes|on)$/i.test(text.trim())
}

/** The items of a list with commas. */
function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** How many processes serve requests: a number, or `auto` for one on each core. */
function workerCount(text = ''): number {
  return text.trim() === 'auto' ? availableParallelism() : Math.max(1, Math.floor(Number(text)) || 1)
}

/** What the environment says: `DATABASE_URL`, `DATA_DIR`, `PORT`, `HOST`, `WORKERS`, `SHUTDOWN_DELAY`, `MAX_DELAY`, `BASE_URI`, `TRUST_PROXY`, `CORS_ORIGINS`, `VERSION_SECRET`, `TELEMETRY`, `ALICE_TOKEN` and so on. */
export const settings = {
  storage: url === undefined ? { folder } : { url, folder },
  listening: { port: Number(env['PORT'] || 3000), host: env['HOST'] || '127.0.0.1' },
  workers: workerCount(env['WORKERS']),
  /** How long a load balancer has to see that the service is about to end, in milliseconds. */
  closing: { delay: Number(env['SHUTDOWN_DELAY']) || 0 },
  /** How long the event loop may be busy, in milliseconds, before requests are refused with 503. */
  overload: { maxDelay: Number(env['MAX_DELAY']) || 100 },
  /** The base of all links: a fixed one, or the URL that a proxy names in its headers. */
  links: { baseUri: env['BASE_URI'] || '', trustProxy: isOn(env['TRUST_PROXY']) },
  /** The web pages of other origins that may use the service. Default: those of a development server. */
  cors: { origins: listed(env['CORS_ORIGINS'] || 'http://localhost:5173') },
  /** The secret of the hashes that resources have as versions. All processes need the same one. */
  versionSecret: env['VERSION_SECRET'] || 'for development only',
  /** Whether there are traces and metrics by OpenTelemetry. Its SDK has to be started before. */
  isMeasured: isOn(env['TELEMETRY']),
  firstUsers: firstUsers(env),
  /** Where the rows are, in words. */
  words: url === undefined ? `SQLite in ${folder}` : 'PostgreSQL',
} as const
