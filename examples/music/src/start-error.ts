import { BuildError } from 'ashlar'
import { settings } from './settings.js'

interface Failure {
  readonly code: string
  readonly syscall: string
  readonly hostname: string
  readonly message: string
}

/** Returns one sentence about an error that the user can fix; `null` for all other errors, which are bugs. */
export function startErrorText(error: unknown): string | null {
  if (error instanceof BuildError) return baseUriProblem(error)
  for (const failure of failuresIn(error)) {
    const sentence =
      portProblem(failure) ?? folderProblem(failure) ?? sqliteProblem(failure) ?? postgresProblem(failure)
    if (sentence !== null) return sentence
  }
  return null
}

/** Returns the error, its causes, and the errors of an `AggregateError`. */
function failuresIn(error: unknown): readonly Failure[] {
  if (!(error instanceof Error)) return []
  const { code = '', syscall = '', hostname = '' } = error as Partial<Failure>
  const others: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return [{ code, syscall, hostname, message: error.message }, ...[...others, error.cause].flatMap(failuresIn)]
}

function portProblem({ code, syscall, hostname }: Failure): string | null {
  const { port, host } = settings.listening
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that listens there, or choose another port with PORT=3001.`
  if (code === 'ERR_SOCKET_BAD_PORT')
    return `PORT is '${process.env['PORT']}', which is not a port: set a number up to 65535.`
  if (syscall !== 'listen' && hostname !== host && code !== 'EADDRNOTAVAIL') return null
  if (code === 'EACCES') return `Port ${port} needs more rights: choose one above 1023 with PORT=3001.`
  return `HOST is '${host}', which is not an address of this machine (${code}).`
}

/** Of the faults of a `BuildError`, only the base of links comes from the environment. */
function baseUriProblem({ faults }: BuildError): string | null {
  if (!faults.every(({ member }) => member === 'baseUri')) return null
  return `BASE_URI is '${settings.links.baseUri}', which cannot be the base of links: write an absolute URL, https://music.example/api.`
}

function folderProblem({ code, syscall }: Failure): string | null {
  if (syscall !== 'mkdir') return null
  return `The folder ${settings.storage.folder} cannot be created (${code}): choose another with DATA_DIR=/path/to/folder.`
}

/** Messages of SQLite about a file that it cannot open, read or write. All other messages are bugs. */
const unusable = /unable to open|readonly|not a database|malformed|locked|disk/

function sqliteProblem({ code, message }: Failure): string | null {
  if (!/SQLITE/.test(code) || !unusable.test(message)) return null
  return `The database in ${settings.storage.folder} cannot be used (${message}): check that you may write there, or choose another folder with DATA_DIR=/path/to/folder.`
}

const unreachable = /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P0\d|53300)$/

function postgresProblem({ code, message }: Failure): string | null {
  if (!('url' in settings.storage)) return null
  const host = hostOf(settings.storage.url)
  if (host === null)
    return 'DATABASE_URL is not a URL of PostgreSQL: write postgres://user:password@host:5432/database.'
  if (unreachable.test(code) || /timeout|terminated/i.test(message)) {
    return `PostgreSQL at ${host} cannot be reached (${code || message}): check that it runs, and that DATABASE_URL is right.`
  }
  if (!/^(?:28|3D|42501|42P07)/.test(code)) return null
  return `PostgreSQL at ${host} refuses the connection (${message}): check user, password and database of DATABASE_URL.`
}

/** Returns the host of a database, without the password; `null` if the URL is not one of PostgreSQL. */
function hostOf(url: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return null
  return new URL(url).host || 'this machine'
}
