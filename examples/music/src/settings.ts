import { resolve } from 'node:path'
import { env } from 'node:process'
import { firstUsers } from './access/first-tokens.js'

const url = env['DATABASE_URL'] || undefined
const folder = resolve(env['DATA_DIR'] || 'data')

/** Returns whether a setting is enabled: `1`, `true`, `yes` or `on`, in upper or lower case. */
export function isOn(text = ''): boolean {
  return /^(?:1|true|yes|on)$/i.test(text.trim())
}

/** Splits a list that is separated by commas. */
function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The settings from the environment: `DATABASE_URL`, `DATA_DIR`, `PORT`, `HOST`, `WORKERS`, `SHUTDOWN_DELAY`, `MAX_DELAY`, `BASE_URI`, `TRUST_PROXY`, `CORS_ORIGINS`, `SECRET`, `TELEMETRY`, `ALICE_TOKEN` and so on. */
export const settings = {
  storage: url === undefined ? { folder } : { url, folder },
  listening: { port: Number(env['PORT'] || 3000), host: env['HOST'] || '127.0.0.1' },
  /** How many processes serve requests: a number, or `auto` for one on each core. */
  workers: env['WORKERS'],
  /** How long the service continues after SIGTERM, in milliseconds, so that a load balancer sees that it is not ready. */
  closing: { delay: Number(env['SHUTDOWN_DELAY']) || 0 },
  /** How long the event loop may be busy, in milliseconds, before requests are refused with 503. */
  overload: { maxDelay: Number(env['MAX_DELAY']) || 100 },
  /** The base of all links: a fixed one, or the URL that a proxy names in its headers. */
  links: { baseUri: env['BASE_URI'] || '', trustProxy: isOn(env['TRUST_PROXY']) },
  /** The origins whose web pages may use the service. Default: the development server of examples/web. */
  cors: { origins: listed(env['CORS_ORIGINS'] || 'http://localhost:5173') },
  /** The secret of cursors, and of the hashes in `ETag`s. All processes need the same one. */
  secret: env['SECRET'] || 'for development only',
  /** Whether traces and metrics are sent by OpenTelemetry. Start its SDK before the service. */
  hasTelemetry: isOn(env['TELEMETRY']),
  firstUsers: firstUsers(env),
  /** The database, as shown to users. */
  storageName: url === undefined ? `SQLite in ${folder}` : 'PostgreSQL',
} as const
