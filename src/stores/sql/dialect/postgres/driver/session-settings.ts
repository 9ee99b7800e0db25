import type { RequestContext } from '../../../../../declare/resource/request/request-context.js'

/**
 * The role and the settings that PostgreSQL has while it runs the statements of a request. Policies of row-level
 * security read a setting with `current_setting('app.user', true)`.
 *
 * @example
 * ```ts
 * import type { SqlDataOptions } from 'ashlar/sql'
 *
 * const options: SqlDataOptions = {
 *   session: ({ server }) => ({ role: 'app', settings: { 'app.server': server } }),
 * }
 * ```
 */
export interface SessionSettings {
  /** The role that runs the statements. Default: the user of the connection. */
  readonly role?: string | undefined
  /** Settings by name. A name has a dot: `app.user`. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/** Returns the role and the settings for the statements of a request; `null` for none. Called for each statement. */
export type SessionOf = (context: RequestContext) => SessionSettings | null

/** Alternating names and values: the parameters of the statement that sets them. */
export type SessionValues = readonly string[]

/** Returns the values for the statements of a request. Null if the statement has no request, or if there is nothing to set. */
export type SessionValuesOf = (context: RequestContext | null) => SessionValues | null

/** Returns a function that returns the values for a request. It checks the result of `session` for each statement. */
export function sessionValues(session: SessionOf): SessionValuesOf {
  // A cache by context would cost more than it saves for a request with one statement.
  return (context) => (context === null ? null : checkedValues(session(context)))
}

const settingName = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_$]*)+$/

/** Checks at run time: the role and the settings may contain values from outside the application. */
function checkedValues(returned: unknown): SessionValues | null {
  if (returned === null) return null
  if (typeof returned !== 'object' || returned === undefined || 'then' in returned) refuse(notSettings)
  const { role, settings = {} } = returned as { readonly role?: unknown; readonly settings?: unknown }
  if (typeof settings !== 'object' || settings === null) refuse(notSettings)
  const values: string[] = []
  if (role !== undefined) {
    // PostgreSQL would take 'none' for the user of the connection, who may see everything.
    if (typeof role !== 'string' || role === '' || role === 'none') refuse(notRole)
    values.push('role', role)
  }
  for (const [name, value] of Object.entries(settings) as [string, unknown][]) {
    if (!settingName.test(name)) refuse(`'${name}' is not the name of a setting: ${named}`)
    if (typeof value !== 'string') refuse(`the setting '${name}' must be a string.`)
    values.push(name, value)
  }
  return values.length === 0 ? null : values
}

function refuse(reason: string): never {
  throw new TypeError(`The option 'session' of sqlData() returned an invalid value: ${reason}`)
}

const notSettings = 'return { role, settings }, or null for neither. It must not be a promise.'
const notRole = "the role must be the name of a role of the database. 'none' is not one: leave the role out instead."
const named = "use lower-case words with a dot between them, such as 'app.user'."

/**
 * Returns the values to set for another request in the same transaction. Values that only an earlier request has set are reset.
 *
 * @param names all names that were set in the transaction
 */
export function changedValues(values: SessionValues, names: ReadonlySet<string>): SessionValues {
  const set = new Set(values.filter((_value, at) => at % 2 === 0))
  const others = [...names].filter((name) => !set.has(name))
  return [...values, ...others.flatMap((name) => [name, name === 'role' ? 'none' : ''])]
}
