import { fetchAdapter, type FetchHandler } from '../../serve/adapters/fetch.js'
import type { HealthEndpoints } from '../../serve/adapters/health-endpoints.js'
import { nodeAdapter } from '../../serve/adapters/node.js'
import { notReady } from '../assembly/inspect-stores.js'
import type { Service } from '../assembly/service.js'
import { NO_SNIFF } from '../../core/document/media-type.js'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import { logThrown } from '../../core/errors/error-log.js'
import type { HttpHandle, HttpResponse } from '../../core/http/response.js'
import { cachedCheck, type HealthCheck } from './cached-check.js'
import { type HealthOptions, healthSettings } from './health-options.js'
import { plainNotFound } from './rendering-for.js'

/** The result of a health check. It has no details, because it may be public: the logger gets them. */
export interface HealthReport {
  readonly status: 'ok' | 'unavailable'
  /** The result of each check by its name. */
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>
}

/**
 * The health checks of a server: the result of `server.health()`.
 *
 * @example
 * ```ts
 * const health: Health = server.health()
 * const listening = await listen(server, { health })
 * await fetch(`${listening.url}/health/ready`)
 * ```
 */
export interface Health extends HealthEndpoints {
  /** Reports that the process runs. It checks nothing else: a process should not be restarted because its database is down. */
  live(): HealthReport
  /** Reports whether the service can handle requests now. Never rejects. */
  ready(): Promise<HealthReport>
  /** Responds to GET and HEAD of `/health/live` and `/health/ready`; 404 for other paths. For custom adapters. */
  readonly handle: HttpHandle
  /** The same for runtimes and frameworks that use the Web `Request` and `Response`. */
  readonly fetch: FetchHandler
}

const live: HealthReport = Object.freeze({ status: 'ok', checks: Object.freeze({}) })

/** Returns the health checks of a service. Throws a `TypeError` if an option is invalid. */
export function healthOf(service: Service, options: HealthOptions): Health {
  const settings = healthSettings(options)
  let isShuttingDown = false
  const checks = checksOf(service, settings).map((check) => ({
    name: check.name,
    isInformative: check.isInformative === true,
    succeeds: cachedCheck(check, settings, (thrown) => logFailure(service, check, thrown)),
  }))
  const ready = async (): Promise<HealthReport> => {
    // Other checks are irrelevant, and the stores may be closed already.
    if (isShuttingDown) return reportOf([{ name: 'accepting', isOk: false }])
    const results = await Promise.all(
      checks.map(async ({ name, isInformative, succeeds }) => ({ name, isInformative, isOk: await succeeds() })),
    )
    return reportOf([{ name: 'accepting', isOk: true }, ...results])
  }
  const paths = new Map<string, () => HealthReport | Promise<HealthReport>>([
    [`${settings.path}/live`, () => live],
    [`${settings.path}/ready`, ready],
  ])
  const handle: HttpHandle = async ({ method, path }) => {
    const check = paths.get(path)
    if (check === undefined) return plainNotFound
    return method === 'GET' || method === 'HEAD' ? responseOf(await check()) : notAllowed
  }
  return Object.freeze<Health>({
    live: () => live,
    ready,
    handle,
    node: nodeAdapter(handle),
    fetch: fetchAdapter(handle),
    serves: (path) => paths.has(path),
    shutDown() {
      isShuttingDown = true
    },
  })
}

function checksOf(service: Service, settings: ReturnType<typeof healthSettings>): readonly HealthCheck[] {
  const { deadline, maxWaiting, migrations, checks } = settings
  const { pingReplicas } = service
  const pools: HealthCheck = { name: 'pools', isLasting: false, run: () => checkPools(service, maxWaiting) }
  return [
    { name: 'stores', isLasting: false, run: () => service.pingStores(deadline) },
    ...(service.pools().length === 0 ? [] : [pools]),
    ...(pingReplicas === null
      ? []
      : [{ name: 'replicas', isLasting: false, isInformative: true, run: () => pingReplicas() }]),
    { name: 'schema', isLasting: true, run: () => checkSchema(service) },
    ...(migrations === null ? [] : [{ name: 'migrations', isLasting: true, run: () => checkMigrations(migrations) }]),
    ...Object.entries(checks).map(([name, run]) => ({ name, isLasting: false, run })),
  ]
}

function checkPools(service: Service, maxWaiting: number | null): void {
  for (const { size, open, idle, waiting } of service.pools()) {
    if (idle > 0 || waiting <= (maxWaiting ?? size * 10)) continue
    throw new Error(`All ${open} connections of a pool are in use, and ${waiting} requests wait for one.`)
  }
}

async function checkSchema(service: Service): Promise<void> {
  const problem = service.codeGenerationProblem() ?? notReady(await service.inspect())
  if (problem !== null) throw problem
}

async function checkMigrations(pending: NonNullable<HealthOptions['migrations']>): Promise<void> {
  const names = await pending()
  if (names.length > 0) throw new Error(`These migrations have not run: ${names.join(', ')}.`)
}

function logFailure({ errors }: Service, { name }: HealthCheck, thrown: unknown): void {
  const message = `The health check '${name}' fails: ${thrownMessage(thrown)}`
  logThrown(errors.logger, 'error', new Error(message, { cause: thrown }), { request: null })
}

interface CheckResult {
  readonly name: string
  readonly isOk: boolean
  readonly isInformative?: boolean
}

function reportOf(results: readonly CheckResult[]): HealthReport {
  const checks = Object.fromEntries(
    results.map(({ name, isOk }) => [name, isOk ? ('ok' as const) : ('failed' as const)]),
  )
  const isReady = results.every(({ isOk, isInformative = false }) => isOk || isInformative)
  return { status: isReady ? 'ok' : 'unavailable', checks }
}

function responseOf(report: HealthReport): HttpResponse {
  return {
    status: report.status === 'ok' ? 200 : 503,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...NO_SNIFF],
    body: JSON.stringify(report),
  }
}

const notAllowed: HttpResponse = Object.freeze({
  status: 405,
  headers: Object.freeze(['Allow', 'GET, HEAD', 'Cache-Control', 'no-store']),
  body: null,
})
