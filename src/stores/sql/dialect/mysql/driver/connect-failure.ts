import { mysqlFault, NoConnection } from './mysql-fault.js'

/** Describes in one sentence why a database cannot be used at all. Null for other errors. */
export function describeConnectFailure(thrown: unknown): string | null {
  const cause = thrown instanceof NoConnection ? thrown.cause : thrown
  const { errno, message } = (cause ?? {}) as { readonly errno?: unknown; readonly message?: unknown }
  if (errno === 1045 || errno === 1049 || errno === 1044)
    return `The server refuses the connection: ${String(message)}.`
  return mysqlFault(cause)?.kind === 'unavailable'
    ? `There is no connection to the database: ${String(message)}.`
    : null
}
