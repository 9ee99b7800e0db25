import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api'

/** Starts a span. Never throws: samplers and processors of the application may fail, and the work still runs. */
export function startSpan(tracer: Tracer, name: string, options: SpanOptions, parent: Context): Span {
  try {
    return tracer.startSpan(name, options, parent)
  } catch {
    return trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT)
  }
}

/** Ends a span. Never throws, for the same reason. */
export function endSpan(span: Span): void {
  try {
    span.end()
  } catch {
    // The failure of a processor cannot be reported.
  }
}
