import type { Attributes, Context, Span, TextMapGetter } from '@opentelemetry/api'
import { context, createContextKey, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { isBodyStream, watchedBody } from '../../core/http/body-stream.js'
import type { RequestTrace, TracedRoute } from '../../core/http/request-trace.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { exceptionAttributes, failureType } from './describe-failure.js'
import { endSpan, startSpan } from './guarded-span.js'
import type { TelemetryTools } from './stage-spans.js'
import { stageSpans } from './stage-spans.js'

/** The methods of the semantic conventions. All others are counted together, because clients can send any method. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY'])

const requestHeaders: TextMapGetter<HttpRequest> = {
  get: (request, name) => request.header(name.toLowerCase()),
  keys: () => [],
}

/** The key under which the HTTP instrumentation of OpenTelemetry stores its span, to which the route is added. Defined by `@opentelemetry/core`. */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA')

interface HttpMetadata {
  readonly type: 'http'
  readonly span: Span
  route?: string
}

/**
 * Starts the span of a request. If the application already has a span, this one is its child. Otherwise it continues the
 * trace of the client.
 */
export function requestSpans(tools: TelemetryTools, request: HttpRequest, route: TracedRoute): RequestTrace {
  const { tracer, instruments } = tools
  const start = performance.now()
  const active = context.active()
  const isOutermost = trace.getSpan(active) === undefined
  const parent = isOutermost ? propagation.extract(active, request, requestHeaders) : active
  const template = templateOf(request, route)
  const http = httpMetadataOf(active)
  if (http !== null && template !== null) http.route = template
  const common = commonAttributes(request)
  const ofRoute = template === null ? {} : { 'http.route': template }
  const kind = isOutermost ? SpanKind.SERVER : SpanKind.INTERNAL
  const attributes = { ...common, ...ofRoute, ...spanAttributes(request, route) }
  const span = startSpan(tracer, nameOf(common, template), { kind, attributes }, parent)
  const spans = stageSpans(tools, trace.setSpan(parent, span))
  // The HTTP instrumentation records the same metrics.
  const isMeasured = http === null
  if (isMeasured) instruments.activeRequests.add(1, common)
  let failure: { readonly thrown: unknown } | null = null

  function end({ status }: HttpResponse, isWhole: boolean): void {
    const outcome: Attributes = { 'http.response.status_code': status }
    if (status >= 500) {
      outcome['error.type'] = failure === null ? String(status) : failureType(failure.thrown)
      if (failure !== null) span.addEvent('exception', exceptionAttributes(failure.thrown))
    } else if (!isWhole) outcome['error.type'] = 'incomplete'
    if ('error.type' in outcome) span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttributes(outcome)
    endSpan(span)
    if (!isMeasured) return
    instruments.activeRequests.add(-1, common)
    instruments.requestDuration.record((performance.now() - start) / 1000, { ...common, ...ofRoute, ...outcome })
  }

  return Object.freeze<RequestTrace>({
    enter: spans.enter,
    run: spans.run,
    step: spans.step,
    statement: spans.statement,
    within: spans.within,
    fail(thrown) {
      failure = { thrown }
    },
    end(response) {
      const { body } = response
      spans.leave()
      if (isBodyStream(body)) return watchedBody(response, body, { ended: ({ isWhole }) => end(response, isWhole) })
      end(response, true)
      return response
    },
  })
}

/** Returns the path of the route, with the path where the service is mounted. */
function templateOf({ prefix = '' }: HttpRequest, { template }: TracedRoute): string | null {
  return template === null ? null : `${prefix}${template}`
}

/** Attributes with few values, which metrics have too. */
interface CommonAttributes {
  readonly 'http.request.method': string
  readonly 'url.scheme': string
}

function commonAttributes({ method, origin }: HttpRequest): CommonAttributes & Attributes {
  return {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'url.scheme': origin.slice(0, origin.indexOf(':')),
  }
}

/** Returns the attributes of a span, without the query: filters may contain personal data. */
function spanAttributes({ method, origin, prefix = '', path }: HttpRequest, { name }: TracedRoute): Attributes {
  const [, address = '', port] = /:\/\/(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(origin) ?? []
  return {
    'url.path': `${prefix}${path}`,
    'server.address': address,
    ...(port === undefined ? {} : { 'server.port': Number(port) }),
    ...(knownMethods.has(method) ? {} : { 'http.request.method_original': method }),
    ...(name === null ? {} : { 'ashlar.route': name }),
  }
}

function nameOf({ 'http.request.method': method }: CommonAttributes, template: string | null): string {
  const name = method === '_OTHER' ? 'HTTP' : method
  return template === null ? name : `${name} ${template}`
}

function httpMetadataOf(active: Context): HttpMetadata | null {
  const metadata = active.getValue(RPC_METADATA) as HttpMetadata | undefined
  return metadata?.type === 'http' ? metadata : null
}
