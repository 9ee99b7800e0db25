import { BuildError } from 'ashlar'
import { settings } from './settings.js'

interface Failure {
  readonly code: string
  readonly syscall: string
  readonly hostname: string
  readonly message: string
}

/** What the caller can mend, in one sentence; `null` for everything else, which is a fault of the program. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof BuildError) return ofLinks(error)
  for (const failure of failuresIn(error)) {
    const sentence = ofPort(failure) ?? ofFolder(failure) ?? ofSqlite(failure) ?? ofPostgres(failure)
    if (sentence !== null) return sentence
  }
  return null
}

/** The error, what caused it, and each of several that came together. */
function failuresIn(error: unknown): readonly Failure[] {
  if (!(error instanceof Error)) return []
  const { code = '', syscall = '', hostname = '' } = error as Partial<Failure>
  const others: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return [{ code, syscall, hostname, message: error.message }, ...[...others, error.cause].flatMap(failuresIn)]
}

function ofPort({ code, syscall, hostname }: Failure): string | null {
  const { port, host } = settings.listening
  if (code === 'EADDRINUSE') return `Port ${port} is in use: end what listens there, or choose another with PORT=3001.`
  if (code === 'ERR_SOCKET_BAD_PORT')
    return `PORT is '${process.env['PORT']}', which is no port: give a number up to 65535.`
  if (syscall !== 'listen' && hostname !== host && code !== 'EADDRNOTAVAIL') return null
  if (code === 'EACCES') return `Port ${port} needs more rights: choose one above 1023 with PORT=3001.`
  return `HOST is '${host}', which is no address of this machine (${code}).`
}

/** Of the faults of the server, only that of the base of its links comes from the environment. */
function ofLinks({ faults }: BuildError): string | null {
  if (!faults.every(({ member }) => member === 'baseUri')) return null
  return `BASE_URI is '${settings.links.baseUri}', which cannot be the base of links: write an absolute URL, https://music.example/api.`
}

function ofFolder({ code, syscall }: Failure): string | null {
  if (syscall !== 'mkdir') return null
  return `The folder ${settings.storage.folder} cannot be made (${code}): choose another with DATA_DIR=/path/to/folder.`
}

/** What SQLite says of a file that it cannot open, read or write. Anything else is a fault of the program. */
const unusable = /unable to open|readonly|not a database|malformed|locked|disk/

function ofSqlite({ code, message }: Failure): string | null {
  if (!/SQLITE/.test(code) || !unusable.test(message)) return null
  return `The database in ${settings.storage.folder} cannot be used (${message}): see that you may write there, or choose another folder with DATA_DIR=/path/to/folder.`
}

const unreachable = /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P0\d|53300)$/

function ofPostgres({ code, message }: Failure): string | null {
  if (!('url' in settings.storage)) return null
  const place = placeOf(settings.storage.url)
  if (place === null) return 'DATABASE_URL is no address: write postgres://user:password@host:5432/database.'
  if (unreachable.test(code) || /timeout|terminated/i.test(message)) {
    return `PostgreSQL at ${place} cannot be reached (${code || message}): see that it runs, and that DATABASE_URL is right.`
  }
  if (!/^(?:28|3D|42501|42P07)/.test(code)) return null
  return `PostgreSQL at ${place} refuses (${message}): see that user, password and database of DATABASE_URL are right.`
}

/** Without the password; `null` for what is no address of a PostgreSQL database. */
function placeOf(url: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return null
  return new URL(url).host || 'this machine'
}
