import { context, propagation, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Telemetry } from 'ashlar'
import { openTelemetry } from 'ashlar/opentelemetry'
import { afterEach, beforeEach } from 'vitest'

/** Registers an SDK for the tests of a file, and removes it after each. */
export function withOpenTelemetry(): void {
  beforeEach(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  })
  afterEach(() => {
    context.disable()
    propagation.disable()
  })
}

export interface RecordedTelemetry {
  readonly telemetry: Telemetry
  readonly tracerProvider: BasicTracerProvider
  /** All spans that have ended, in the order of their starts. */
  readonly spans: () => readonly ReadableSpan[]
  /** The span of a name. */
  readonly span: (name: string) => ReadableSpan
  /** The spans as an indented tree of their names. Spans of statements have the shape in brackets. */
  readonly tree: () => string
  readonly reset: () => void
  /** The metrics by name. */
  readonly metrics: () => Promise<ReadonlyMap<string, MetricData>>
}

/** Traces and metrics in memory. */
export function recordedTelemetry(): RecordedTelemetry {
  const exporter = new InMemorySpanExporter()
  const started: string[] = []
  const order: SpanProcessor = {
    onStart: (span) => void started.push(span.spanContext().spanId),
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  }
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] })
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  // It is never exported by time: the tests collect it.
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 31 - 1 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const startOf = (span: ReadableSpan): number => started.indexOf(span.spanContext().spanId)
  const spans = (): readonly ReadableSpan[] =>
    exporter.getFinishedSpans().toSorted((one, other) => startOf(one) - startOf(other))
  return {
    telemetry: openTelemetry({ tracerProvider, meterProvider }),
    tracerProvider,
    spans,
    span(name) {
      const found = spans().find((span) => span.name === name)
      if (found === undefined) throw new Error(`There is no span '${name}'.`)
      return found
    },
    tree: () => treeOf(spans()),
    reset: () => exporter.reset(),
    async metrics() {
      measured.reset()
      await reader.forceFlush()
      const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      return new Map(all.map((metric) => [metric.descriptor.name, metric]))
    },
  }
}

function treeOf(spans: readonly ReadableSpan[]): string {
  const ids = new Set(spans.map((span) => span.spanContext().spanId))
  const lines = (parent: string | null, depth: number): readonly string[] =>
    spans
      .filter(({ name, parentSpanContext }) => {
        // Whether a request has to wait depends on how busy the machine is.
        if (name === 'wait') return false
        const above = parentSpanContext?.spanId
        return parent === null ? above === undefined || !ids.has(above) : above === parent
      })
      .flatMap((span) => [`${'  '.repeat(depth)}${lineOf(span)}`, ...lines(span.spanContext().spanId, depth + 1)])
  return lines(null, 0).join('\n')
}

function lineOf({ name, kind, status, attributes }: ReadableSpan): string {
  const kinds: readonly string[] = kind === SpanKind.INTERNAL ? [] : [SpanKind[kind].toLowerCase()]
  const shape = attributes['ashlar.shape']
  const label = [...kinds, ...(typeof shape === 'string' ? [shape] : [])].join(': ')
  return `${name}${label === '' ? '' : ` [${label}]`}${status.code === SpanStatusCode.ERROR ? ' !' : ''}`
}
