import { env } from 'node:process'

/** Says in one sentence what the caller can mend. */
export class Refusal extends Error {}

const ofConnection = /^(?:E[A-Z]+|28\w{3}|3D000|57P0\d|53300|ERR_INVALID_URL)$/

/** What the caller can mend, in one sentence; `null` for everything else, which is a fault of the program. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof Refusal) return error.message
  const { code = '' } = error as { readonly code?: string }
  if (code === 'EADDRINUSE') return `Port ${env['PORT'] || 3000} is in use: choose another with PORT=3001.`
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT is '${env['PORT']}', which is no port: give a number up to 65535.`
  if (ofConnection.test(code) || /timeout/i.test(error.message)) {
    return `The database that DATABASE_URL names cannot be reached (${error.message || code}).`
  }
  return refusalOf(error.cause)
}
