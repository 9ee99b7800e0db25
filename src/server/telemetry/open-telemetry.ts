import type { MeterProvider, TracerProvider } from '@opentelemetry/api'
import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Telemetry } from '../assembly/declared/telemetry.js'
import { inTrace } from '../../core/http/request-trace.js'
import { exceptionAttributes, failureType } from './describe-failure.js'
import { endSpan, startSpan } from './guarded-span.js'
import { instruments } from './instruments.js'
import { observedMetrics } from './observed-metrics.js'
import { requestSpans } from './request-spans.js'
import type { TelemetryTools } from './stage-spans.js'
import { stageSpans } from './stage-spans.js'

/** The options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Default: the global one, which the SDK registers. */
  readonly tracerProvider?: TracerProvider
  /** Default: the global one. It must be registered before `openTelemetry()` is called: metrics do not find a later one. */
  readonly meterProvider?: MeterProvider
}

/** The name of the instrumentation scope. */
const SCOPE = 'ashlar'

/**
 * Returns traces and metrics by OpenTelemetry, for the setting `telemetry` of servers. A request has a span, which continues the
 * trace of the client or of the HTTP instrumentation of the application, with spans for its stages and for each statement of SQL
 * stores. No span has values of a statement, of a document or of a header.
 *
 * @example
 * ```ts
 * createServer({ resources: [albums, artists], data: memoryData(), telemetry: openTelemetry() })
 * ```
 */
export function openTelemetry({
  tracerProvider = trace,
  meterProvider = metrics,
}: OpenTelemetryOptions = {}): Telemetry {
  const meter = meterProvider.getMeter(SCOPE)
  const tools: TelemetryTools = { tracer: tracerProvider.getTracer(SCOPE), instruments: instruments(meter) }
  return Object.freeze<Telemetry>({
    request: (request, route) => requestSpans(tools, request, route),
    dispatch: (name, work) => dispatched(tools, name, work),
    observe: observedMetrics(meter),
  })
}

async function dispatched<Result>(tools: TelemetryTools, name: string, work: () => Promise<Result>): Promise<Result> {
  const span = startSpan(tools.tracer, `dispatch ${name}`, {}, context.active())
  const spans = stageSpans(tools, trace.setSpan(context.active(), span))
  try {
    return await inTrace({ ...spans, fail: () => undefined, end: (response) => response }, work)
  } catch (thrown) {
    if (statusOf(thrown) >= 500) {
      span.setAttribute('error.type', failureType(thrown))
      span.addEvent('exception', exceptionAttributes(thrown))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    throw thrown
  } finally {
    spans.leave()
    endSpan(span)
  }
}

/** The status of errors of the framework. Any other exception would be a 500 response. */
function statusOf(thrown: unknown): number {
  const status = typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : null
  return typeof status === 'number' ? status : 500
}
