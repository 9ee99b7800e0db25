import type { DataSource } from '../../../stores/common/data-source.js'
import type { RequestTrace, TracedRoute } from '../../../core/http/request-trace.js'
import type { HttpRequest } from '../../../core/http/request.js'
import type { ServerStats } from './server-stats.js'

/**
 * Traces requests and measures a server: the result of `openTelemetry()` of `ashlar/opentelemetry`, for the setting
 * `telemetry`. Servers of one process may share it.
 *
 * @example
 * ```ts
 * const telemetry: Telemetry | null = process.env['OTEL_SDK_DISABLED'] === 'true' ? null : openTelemetry()
 * createServer({ resources: [albums, artists], data: memoryData(), telemetry })
 * ```
 */
export interface Telemetry {
  /** Starts the trace of a request. */
  request(request: HttpRequest, route: TracedRoute): RequestTrace
  /**
   * Runs and traces an operation that the application dispatches.
   *
   * @param name such as `FetchResource albums`
   */
  dispatch<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Called once for each server. */
  observe(server: ObservedServer): void
}

/** A server whose metrics are read periodically. */
export interface ObservedServer {
  stats(): ServerStats
  /** Servers may share stores: each is counted once. */
  readonly stores: readonly DataSource[]
}
