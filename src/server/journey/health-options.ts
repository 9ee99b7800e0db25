import type { Awaitable } from '../../core/util/types.js'

/**
 * The options of `server.health()`. Times are in milliseconds.
 *
 * @example
 * ```ts
 * const options = {
 *   path: '/internal/health',
 *   migrations: async () => ['003_add_isrc'],
 *   checks: { search: async () => void (await fetch('http://search.internal/ping')) },
 * }
 * const health = server.health(options)
 * ```
 */
export interface HealthOptions {
  /** The path of the endpoints, which end with `/live` and `/ready`. Default: `/health`. */
  readonly path?: string
  /** How long a check may take before it fails. Default: 1,000. */
  readonly deadline?: number
  /** How long the result of a check is cached, so that health checks cannot load a database. Default: 1,000. */
  readonly cacheFor?: number
  /** How many requests may wait for a connection of a pool. Default: ten times the connections that it may open. */
  readonly maxWaiting?: number
  /** Returns the names of migrations that have not run. It is not called again after it has returned none. */
  readonly migrations?: () => Awaitable<readonly string[]>
  /** Further checks by their names. A check fails if it throws or rejects. */
  readonly checks?: Readonly<Record<string, () => Awaitable<unknown>>>
}

/** The options with their defaults. */
interface HealthSettings {
  readonly path: string
  readonly deadline: number
  readonly cacheFor: number
  /** `null` if it depends on the size of a pool. */
  readonly maxWaiting: number | null
  readonly migrations: NonNullable<HealthOptions['migrations']> | null
  readonly checks: NonNullable<HealthOptions['checks']>
}

const builtIn: readonly string[] = ['accepting', 'stores', 'pools', 'replicas', 'schema', 'migrations']

type Valid = readonly [isValid: (value: unknown) => boolean, expected: string]

const wholeNumber = (lowest: number): Valid => [
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= lowest && value < 2 ** 31,
  `a whole number of at least ${lowest}`,
]

/** The valid values of each option. The type of this record makes the compiler report missing entries. */
const valid: Readonly<Record<keyof HealthOptions, Valid>> = Object.freeze({
  path: [(value) => typeof value === 'string' && /^(?:\/[\w.~-]+)+$/.test(value), "a path, such as '/health'"],
  deadline: wholeNumber(1),
  cacheFor: wholeNumber(0),
  maxWaiting: wholeNumber(0),
  migrations: [(value) => typeof value === 'function', 'a function'],
  checks: [isChecks, `an object of functions, whose names are not ${builtIn.join(', ')}`],
})

/** Checks the options, for JavaScript code too. Throws a `TypeError` for an invalid option. */
export function healthSettings(options: HealthOptions): HealthSettings {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(valid, name)) {
      throw new TypeError(`server.health() has no option '${name}': use ${Object.keys(valid).join(', ')}.`)
    }
    const [isValid, expected] = valid[name as keyof HealthOptions]
    if (value === undefined || isValid(value)) continue
    throw new TypeError(`The option '${name}' of server.health() must be ${expected}.`)
  }
  const {
    path = '/health',
    deadline = 1000,
    cacheFor = 1000,
    maxWaiting = null,
    migrations = null,
    checks = {},
  } = options
  return { path, deadline, cacheFor, maxWaiting, migrations, checks }
}

function isChecks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, check]) => typeof check === 'function' && !builtIn.includes(name))
}
