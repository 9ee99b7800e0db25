import { env } from 'node:process'

/** An error that the user can fix. The message is one sentence. */
export class StartError extends Error {}

const connectionErrors = /^(?:E[A-Z]+|28\w{3}|3D000|57P0\d|53300|ERR_INVALID_URL)$/

/** Returns one sentence about an error that the user can fix; `null` for all other errors, which are bugs. */
export function startErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  const { code = '' } = error as { readonly code?: string }
  if (code === 'EADDRINUSE') return `Port ${env['PORT'] || 3000} is in use: choose another with PORT=3001.`
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT is '${env['PORT']}', which is not a port: set a number up to 65535.`
  if (connectionErrors.test(code) || /timeout/i.test(error.message)) {
    return `The database that DATABASE_URL names cannot be reached (${error.message || code}).`
  }
  return startErrorText(error.cause)
}
