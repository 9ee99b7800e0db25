import { LONGEST_TIMER } from './graceful-shutdown.js'
import type { HealthEndpoints } from './health-endpoints.js'
import type { NodeAdapterOptions } from './node.js'

/** Options of {@link listen}. Times are in milliseconds. A limit of 0, but for `maxHeaderSize`, `backlog` and `grace`, means no limit. */
export interface ListenOptions extends NodeAdapterOptions {
  /** Default: 0, which selects a free port. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** The time limit for receiving a whole request. Default: 60,000. */
  readonly requestTimeout?: number
  /** The time limit for receiving the headers of a request. Default: 20,000, or `requestTimeout` if that is shorter. */
  readonly headersTimeout?: number
  /**
   * How long an idle connection stays open. Use more than the idle timeout of a load balancer, usually one minute: the load
   * balancer must be the first to close. Default: 65,000.
   */
  readonly keepAliveTimeout?: number
  /** How long a client may read nothing of a response before its connection is closed, within a second. Default: 60,000. */
  readonly writeTimeout?: number
  /**
   * The bytes of all responses that clients have not read, and the operating system has not taken. Beyond it, the connections of the
   * clients that have read nothing for the longest time are closed. Default: 134,217,728 (128 MiB).
   */
  readonly responseMemory?: number
  /** How many connections may be open; further ones are closed immediately. Default: 10,000. */
  readonly maxConnections?: number
  /**
   * How many connections wait until they are accepted; further clients connect again after a second or more. The operating system may
   * have a lower limit, on Linux `net.core.somaxconn`. Default: 1,024.
   */
  readonly backlog?: number
  /** How many requests a connection may send before it is closed. Default: 0, no limit. */
  readonly maxRequestsPerSocket?: number
  /**
   * The bytes of the request target and of the names and values of all headers: there must be fewer. Default: 32,768. That is more than the
   * maximum request target of 16 KiB, so that the response to a longer target is a JSON:API error document.
   */
  readonly maxHeaderSize?: number
  /** How long `close` waits for running requests, unless it gets another `deadline`. Default: 10,000. */
  readonly grace?: number
  /**
   * Serves the endpoints of health checks, `/health/live` and `/health/ready`, in front of everything else: `server.health()`. When
   * `close` is called, the service is not ready any more. Default: none.
   */
  readonly health?: HealthEndpoints
}

type Limit = Exclude<keyof ListenOptions, 'port' | 'host' | 'health' | 'trustProxy'>

/** All limits, with their defaults. */
export type ListenLimits = Readonly<Record<Limit, number>>

/** The default, the lowest and the highest value of each limit. */
const limits: Readonly<Record<Limit, readonly [initial: number, lowest: number, highest: number]>> = Object.freeze({
  requestTimeout: [60_000, 0, LONGEST_TIMER],
  headersTimeout: [20_000, 0, LONGEST_TIMER],
  keepAliveTimeout: [65_000, 0, LONGEST_TIMER],
  writeTimeout: [60_000, 0, LONGEST_TIMER],
  responseMemory: [128 * 1024 * 1024, 0, Number.MAX_SAFE_INTEGER],
  maxConnections: [10_000, 0, Number.MAX_SAFE_INTEGER],
  backlog: [1024, 1, 65_535],
  maxRequestsPerSocket: [0, 0, Number.MAX_SAFE_INTEGER],
  maxHeaderSize: [32 * 1024, 1024, 16 * 1024 * 1024],
  grace: [10_000, 0, LONGEST_TIMER],
})

/** Checks the options, for JavaScript code too, and returns the limits. Throws a `TypeError` that describes the problem. */
export function listenLimits(options: ListenOptions): ListenLimits {
  // `node:net` checks the port, and has its own error code.
  const { port: _port, host, health, trustProxy, ...numbers } = options
  if (host !== undefined && (typeof host !== 'string' || host === '')) refuse('host', host, 'a host name or an address')
  if (trustProxy !== undefined && typeof trustProxy !== 'boolean') refuse('trustProxy', trustProxy, 'true or false')
  if (health !== undefined && typeof health?.shutDown !== 'function') {
    refuse('health', health, 'the return value of server.health()')
  }
  const given = Object.entries(numbers).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) checkLimit(name, value)
  const initial = Object.fromEntries(Object.entries(limits).map(([name, [each]]) => [name, each]))
  const chosen = { ...initial, ...Object.fromEntries(given) } as ListenLimits
  return { ...chosen, headersTimeout: headersTimeoutOf(options.headersTimeout, chosen) }
}

function checkLimit(name: string, value: unknown): void {
  if (!Object.hasOwn(limits, name)) {
    const known = ['port', 'host', ...Object.keys(limits), 'health', 'trustProxy']
    throw new TypeError(`listen() has no option '${name}': use ${known.join(', ')}.`)
  }
  const [, lowest, highest] = limits[name as Limit]
  if (typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest) return
  refuse(name, value, `a whole number from ${lowest} to ${highest}`)
}

/** `node:http` requires that the limit for headers is not longer than the limit for the whole request. */
function headersTimeoutOf(given: number | undefined, { requestTimeout, headersTimeout }: ListenLimits): number {
  if (requestTimeout === 0 || headersTimeout <= requestTimeout) return headersTimeout
  if (given !== undefined) {
    throw new TypeError(
      `The option 'headersTimeout' of listen(), ${given}, must not be longer than 'requestTimeout', ${requestTimeout}.`,
    )
  }
  return requestTimeout
}

function refuse(name: string, value: unknown, expected: string): never {
  const shown = typeof value === 'string' ? `'${value}'` : String(value)
  throw new TypeError(`The option '${name}' of listen() is ${shown}, and must be ${expected}.`)
}
